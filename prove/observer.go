package prove

// An Observer hears what a proof does while it does it, from one goroutine at
// a time. Renderers plug in here; a proof never prints.
type Observer interface {
	// Event is called in the order things happen. It must return quickly.
	Event(Event)
}

// An Event is one step of a proof.
type Event struct {
	Stage string // baseline, ladder, whole, prepare, hunk, decided, changed, trial, mutants, mutant, gate, repeat, plant
	What  string // in words: the file and line, the language, the purpose
	Done  int    // hunks decided so far
	Total int    // hunks to decide
	// Finding is set when a hunk was decided, and again, with the stage
	// "changed", when what was decided of others changes that.
	Finding *Finding
	// Provisional says that a decision waits for those of its partners, which
	// may account for the red.
	Provisional bool
	// Trial is set when a trial ended.
	Trial *TrialReport
	// Mutant is set when a mutant was judged; Done and Total then count
	// mutants.
	Mutant *MutantReport
}

// Discard is the Observer that hears nothing.
type Discard struct{}

// Event does nothing.
func (Discard) Event(Event) {}
