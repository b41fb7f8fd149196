package typed

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"assay/change"
)

type sourceKey struct {
	u    *universe
	path string
}

type dirKey struct {
	u   *universe
	dir string
}

// A snapshot is the Go files of a tree in one state. One made by with holds
// only what differs from its parent.
type snapshot struct {
	tree    string
	parent  *snapshot
	sources map[sourceKey]*source
	dirs    map[dirKey]*source
	texts   map[string]*file // what load read, by path: universes share it
}

func newSnapshot(tree string) *snapshot {
	return &snapshot{tree: tree, sources: map[sourceKey]*source{}, dirs: map[dirKey]*source{}, texts: map[string]*file{}}
}

// source returns the package of an import path, nil when the tree has none.
func (s *snapshot) source(u *universe, importPath string) *source {
	for ; s != nil; s = s.parent {
		if src, ok := s.sources[sourceKey{u, importPath}]; ok {
			return src
		}
	}
	return nil
}

func (s *snapshot) inDir(u *universe, dir string) *source {
	for ; s != nil; s = s.parent {
		if src, ok := s.dirs[dirKey{u, dir}]; ok {
			return src
		}
	}
	return nil
}

// file returns the file of a path of the tree, nil when no package has it.
func (s *snapshot) file(universes []*universe, name string) *file {
	for _, u := range universes {
		if src := s.inDir(u, dirOf(name)); src != nil && src.all[name] != nil {
			return src.all[name]
		}
	}
	return nil
}

func (s *snapshot) put(src *source) {
	s.sources[sourceKey{src.u, src.path}] = src
	s.dirs[dirKey{src.u, src.dir}] = src
}

// flatten returns the snapshot without its parents.
func (s *snapshot) flatten() *snapshot {
	out := newSnapshot(s.tree)
	var chain []*snapshot
	for ; s != nil; s = s.parent {
		chain = append(chain, s)
	}
	for _, layer := range slices.Backward(chain) {
		maps.Copy(out.sources, layer.sources)
		maps.Copy(out.dirs, layer.dirs)
	}
	return out
}

// nodes are all nodes of a flat snapshot, production first, each part by
// import path.
func (s *snapshot) nodes() []nodeID {
	var all []nodeID
	for _, src := range s.sources {
		all = append(all, src.nodes()...)
	}
	sortNodes(all)
	return all
}

// sortNodes puts production before tests; then universes, import paths and
// kinds are in order.
func sortNodes(all []nodeID) {
	rank := func(id nodeID) int {
		if id.test() {
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b nodeID) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.u.dir, b.u.dir),
			cmp.Compare(a.forTest, b.forTest), cmp.Compare(a.path, b.path), cmp.Compare(a.kind, b.kind))
	})
}

// load reads the packages of a universe: every directory of its modules, and
// what the go command listed beside them.
func (s *snapshot) load(u *universe, c *cache) error {
	for _, m := range u.modules {
		if err := s.walk(u, m, c); err != nil {
			return err
		}
	}
	for _, p := range u.listed {
		dir, in := inTree(s.tree, p.Dir)
		if !in {
			dir = filepath.ToSlash(p.Dir)
		}
		if s.inDir(u, dir) != nil || s.source(u, p.ImportPath) != nil {
			continue
		}
		lang := oldestLanguage
		if p.Module != nil && p.Module.GoVersion != "" {
			lang = atLeast("go" + p.Module.GoVersion)
		}
		var keep []string
		if !in {
			keep = slices.Concat(p.GoFiles, p.CgoFiles)
		}
		if err := s.read(u, p.ImportPath, dir, lang, keep, c); err != nil {
			return err
		}
	}
	parseAll(s)
	return nil
}

// parseAll parses what was read, on all processors.
func parseAll(s *snapshot) {
	var wg sync.WaitGroup
	for _, src := range s.sources {
		wg.Go(func() {
			for _, f := range slices.Concat(src.prod, src.test, src.xtest) {
				f.parse()
			}
		})
	}
	wg.Wait()
}

// walk reads the directories of one module.
func (s *snapshot) walk(u *universe, m module, c *cache) error {
	root := filepath.Join(s.tree, filepath.FromSlash(m.dir))
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read the packages of module %s: %w", m.path, err)
		}
		if !d.IsDir() {
			return nil
		}
		if name != root {
			_, noModule := os.Stat(filepath.Join(name, "go.mod"))
			if ignoredDir(d.Name()) || noModule == nil {
				return fs.SkipDir
			}
		}
		dir, _ := inTree(s.tree, name)
		importPath, lang, ok := u.importPath(dir)
		if !ok {
			return nil
		}
		return s.read(u, importPath, dir, lang, nil, c)
	})
}

// read reads the Go files of a directory, or only those named by keep. A
// directory without Go files is no package.
func (s *snapshot) read(u *universe, importPath, dir, lang string, keep []string, c *cache) error {
	abs := filepath.FromSlash(dir)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(s.tree, abs)
	}
	entries, err := os.ReadDir(abs)
	if err != nil {
		return fmt.Errorf("read package %s: %w", importPath, err)
	}
	all := map[string]*file{}
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".go" || (keep != nil && !slices.Contains(keep, e.Name())) {
			continue
		}
		name := path.Join(dir, e.Name())
		if s.texts[name] == nil {
			src, err := os.ReadFile(filepath.Join(abs, e.Name()))
			if err != nil {
				return fmt.Errorf("read package %s: %w", importPath, err)
			}
			s.texts[name] = newFile(c.fset, name, src)
		}
		all[name] = s.texts[name]
	}
	if len(all) > 0 {
		s.put(newSource(u, importPath, dir, lang, all))
	}
	return nil
}

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
