package typed

// Thorough returns w without its shortcuts: every body of a package that an
// edit reaches is checked.
func (w *World) Thorough() *World {
	all := *w
	all.thorough = true
	return &all
}

// ToHead and ToEdited are the offset mapping of splices.
var NewSplices = newSplices

func (s splices) ToHead(offset int) int           { return s.toHead(offset) }
func (s splices) ToEdited(offset int) (int, bool) { return s.toEdited(offset) }

// Kept counts what the cache holds beside head.
func (w *World) Kept() (files, results int) {
	return len(w.cache.files.byKey), len(w.cache.instances.byKey)
}

// The bounds of what is kept.
const (
	KeptFiles   = keptFiles
	KeptResults = keptResults
)
