package typed

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/change"
)

// An overlay is what edits do to a snapshot.
type overlay struct {
	files   map[string]*fileEdit // Go files of packages
	sources []*source            // as they are with the edits
	modules []string             // go.mod, go.work, go.sum and vendored paths that are edited
}

// A fileEdit is what edits do to one Go file.
type fileEdit struct {
	old, neu *file // nil when absent
	splices  splices
	paired   *pairing
}

func (e *fileEdit) pair() *pairing {
	if e.paired == nil {
		e.paired = pair(e.old, e.neu)
	}
	return e.paired
}

// A fileMaker makes the file of an edited text.
type fileMaker func(path string, src []byte) *file

// with returns s with edits applied. Files that no package holds are left
// alone.
func (s *snapshot) with(universes []*universe, makeFile fileMaker, edits []change.Edit) (*snapshot, *overlay, error) {
	out := newSnapshot(s.tree)
	out.parent = s
	over := &overlay{files: map[string]*fileEdit{}}
	byPath := map[string][]change.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	for _, name := range slices.Sorted(maps.Keys(byPath)) {
		if isModuleFile(name) {
			over.modules = append(over.modules, name)
			continue
		}
		if path.Ext(name) != ".go" {
			continue
		}
		fe, err := editFile(makeFile, name, s.file(universes, name), byPath[name])
		if err != nil {
			return nil, nil, err
		}
		if fe != nil && out.replace(universes, name, fe.neu) {
			over.files[name] = fe
		}
	}
	for _, src := range out.sources {
		over.sources = append(over.sources, src)
	}
	return out, over, nil
}

// isModuleFile reports whether the go command reads the path to decide which
// packages there are.
func isModuleFile(name string) bool {
	switch path.Base(name) {
	case "go.mod", "go.work", "go.sum", "go.work.sum":
		return true
	}
	return slices.Contains(strings.Split(path.Dir(name), "/"), "vendor")
}

// editFile applies the edits of one path. It returns nil for splices and
// removals of a file that no package holds.
func editFile(makeFile fileMaker, name string, old *file, edits []change.Edit) (*fileEdit, error) {
	switch e := edits[0]; {
	case e.Op == change.Splice && old != nil:
		text, err := change.Apply(old.src, edits)
		if err != nil {
			return nil, err
		}
		return &fileEdit{old: old, neu: makeFile(name, text), splices: newSplices(edits)}, nil
	case e.Op == change.Splice:
		return nil, nil
	case len(edits) > 1:
		return nil, fmt.Errorf("%s: %d edits on a file that is created or removed", name, len(edits))
	case e.Op == change.Create && old != nil:
		return nil, fmt.Errorf("%s: cannot create a file that is there at head", name)
	case e.Op == change.Create:
		return &fileEdit{neu: makeFile(name, e.Text)}, nil
	case old == nil:
		return nil, nil
	}
	return &fileEdit{old: old}, nil
}

// replace puts f (nil: nothing) at the path in every universe that compiles
// its directory, and reports whether one does.
func (s *snapshot) replace(universes []*universe, name string, f *file) bool {
	dir, found := dirOf(name), false
	for _, u := range universes {
		src := s.inDir(u, dir)
		if src == nil {
			importPath, lang, ok := u.importPath(dir)
			if !ok {
				continue
			}
			src = &source{u: u, path: importPath, dir: dir, lang: lang}
		}
		all := maps.Clone(src.all)
		if all == nil {
			all = map[string]*file{}
		}
		delete(all, name)
		if f != nil {
			all[name] = f
		}
		s.put(newSource(u, src.path, dir, src.lang, all))
		found = true
	}
	return found
}
