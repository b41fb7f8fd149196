package typed

import (
	"cmp"
	"maps"
	"slices"
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
