package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A run checks the nodes of one snapshot, each at most once, imports first.
type run struct {
	ctx     context.Context //nolint:containedctx // a run lives for one call
	w       *World
	snap    *snapshot
	keep    bool                 // the outcome becomes a head: keep type information
	known   map[nodeID]*instance // instances of another World to share, by node
	reach   map[nodeID]bool      // nodes the edits can reach; nil: all
	edited  map[string]*fileEdit
	done    map[nodeID]*result
	active  map[nodeID]bool
	depends map[dependency]bool
	stats   Stats
}

// A dependency asks whether package a imports b, directly or not.
type dependency struct {
	u    *universe
	a, b string
}

// A result is what a run found of one node.
type result struct {
	inst *instance // nil when the node has no files, or was skipped
	head *instance // of the same node; nil when head has none
	// fresh is what is wrong with the node and was not at head.
	fresh []finding
	// lost is set when the node does not compile and did at head, or imports
	// such a node: its importers are not looked at.
	lost bool
	// hidden is set when importers cannot see how inst differs from head.
	hidden bool
}

// use is what importers see: the instance of head when the API is the same.
// It is only asked for when something imports the node.
func (res *result) use() *instance {
	if res.head == nil || res.inst == res.head {
		return res.inst
	}
	if res.hidden || res.inst.sameAPI(res.head) {
		res.hidden = true
		return res.head
	}
	return res.inst
}

func newRun(ctx context.Context, w *World, snap *snapshot) *run {
	return &run{ctx: ctx, w: w, snap: snap, done: map[nodeID]*result{}, active: map[nodeID]bool{}, depends: map[dependency]bool{}}
}

// errCycle and its like become the text of an import that cannot be had.
var (
	errCycle     = errors.New("import cycle not allowed")
	errTestCycle = errors.New("import cycle not allowed in test")
	errNoFiles   = errors.New("no non-test Go files in the package")
	errProgram   = errors.New("import of a program, which is not an importable package")
)

// node checks a node and what it imports. An error is trouble of our own.
func (r *run) node(id nodeID) (*result, error) {
	if res := r.done[id]; res != nil {
		return res, nil
	}
	head := r.w.head[id]
	if !r.keep && head != nil && !r.reach[id] {
		return &result{inst: head}, nil
	}
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	src := r.snap.source(id.u, id.path)
	c := &checker{id: id, lang: src.lang, files: src.files(id.kind)}
	if len(c.files) == 0 {
		r.done[id] = &result{}
		return r.done[id], nil
	}
	r.active[id] = true
	lost, err := r.imports(c)
	delete(r.active, id)
	if err != nil {
		return nil, err
	}
	res := &result{lost: true}
	if !lost {
		if res, err = r.checked(c, head); err != nil {
			return nil, err
		}
	}
	r.done[id] = res
	return res, nil
}

// checked returns the instance of a node whose imports are known: that of head
// when nothing differs, one that was checked before, or a new one.
func (r *run) checked(c *checker, head *instance) (*result, error) {
	key := keyOf(c.id, c.lang, c.files, c.imports)
	if head != nil && head.key == key {
		return &result{inst: head}, nil
	}
	if known := r.known[c.id]; known != nil && known.key == key {
		return &result{inst: known}, nil
	}
	if r.keep {
		in, err := c.instance(key, fullInfo())
		return &result{inst: in}, err
	}
	if head != nil && c.id.test() && !r.w.thorough && r.onlyProductionBodies(c, head) {
		return &result{inst: head}, nil
	}
	in, err := r.instance(c, key, head)
	if err != nil {
		return nil, err
	}
	res := &result{inst: in, head: head, fresh: r.fresh(in)}
	res.lost = len(res.fresh) > 0
	res.hidden = head != nil && in.differsInside(head)
	return res, nil
}

// instance checks a node, or finds that it was checked before. What a partial
// check leaves out depends on the World, which is why it is part of the key.
func (r *run) instance(c *checker, key string, head *instance) (*instance, error) {
	r.stats.Cached++ // another run may do the work, but then this one waits
	return r.w.cache.instance(fmt.Sprintf("%p %s", r.w, key), func() (*instance, error) {
		in, err := r.best(c, key, head)
		if err != nil {
			return nil, err
		}
		r.stats.Cached--
		r.stats.Packages++
		r.stats.Bodies += in.bodies
		if in.whole {
			r.stats.Whole++
		}
		return in, nil
	})
}

// best checks in part where that suffices, else the whole.
func (r *run) best(c *checker, key string, head *instance) (*instance, error) {
	if r.w.thorough {
		return c.instance(key, nil)
	}
	if p := c.partial(head, r.edited); p != nil {
		in, ok, err := p.instance(key)
		if ok || err != nil {
			return in, err
		}
	}
	return c.instance(key, nil)
}

// onlyProductionBodies reports that a node differs from head's only inside
// functions that are no tests: tests then compile if production does.
func (r *run) onlyProductionBodies(c *checker, head *instance) bool {
	if !sameImports(c.imports, head.imports) {
		return false
	}
	for path, e := range r.edited {
		concerned := e.neu == nil || slices.Contains(c.files, e.neu)
		if concerned && (strings.HasSuffix(path, "_test.go") || !e.pair().bodiesOnly()) {
			return false
		}
	}
	return true
}

// imports resolves every import of c.files. lost is true when one of them is
// a package that the edits broke.
func (r *run) imports(c *checker) (lost bool, err error) {
	c.imports = map[string]imported{}
	for _, f := range c.files {
		for _, path := range f.imports() {
			if _, ok := c.imports[path]; ok {
				continue
			}
			got, gone, err := r.resolve(c.id, path)
			if err != nil {
				return false, err
			}
			c.imports[path] = got
			lost = lost || gone
		}
	}
	return lost, nil
}

// resolve finds the package an import path stands for in a node.
func (r *run) resolve(from nodeID, path string) (got imported, lost bool, err error) {
	src := r.snap.source(from.u, path)
	if src == nil {
		pkg, why, err := from.u.exports.load(r.ctx, path)
		return imported{pkg: pkg, err: why, key: fmt.Sprintf("%p %v", pkg, why)}, false, err
	}
	target, why := r.target(from, src)
	if why != nil {
		return imported{err: why, key: why.Error()}, false, nil
	}
	res, err := r.node(target)
	if err != nil || res.lost {
		return imported{}, true, err
	}
	use := res.use()
	if use == nil {
		return imported{err: errNoFiles, key: errNoFiles.Error()}, false, nil
	}
	return imported{pkg: use.pkg, key: use.key, id: target, differ: use.differ}, false, nil
}

// target is the node of an imported package of the tree, or why it cannot be
// imported.
func (r *run) target(from nodeID, src *source) (nodeID, error) {
	id := nodeID{u: from.u, path: src.path, kind: production}
	switch {
	case src.name() == "main" && from.forTest != src.path:
		return id, errProgram
	case r.tests(from, src):
		id.forTest = from.forTest
	}
	if src.path == from.forTest && from.kind != inPackage && len(src.test) > 0 {
		id.kind, id.forTest = inPackage, src.path
	}
	if from.kind == inPackage && (src.path == from.path || r.dependsOn(from.u, src.path, from.path)) {
		return id, errTestCycle
	}
	if r.active[id] || src.path == from.path && from.kind == production {
		return id, errCycle
	}
	return id, nil
}

// tests reports whether, for the tests that from is compiled for, src is
// compiled anew because it imports the package under test.
func (r *run) tests(from nodeID, src *source) bool {
	if from.forTest == "" || from.kind == inPackage || src.path == from.forTest {
		return false
	}
	under := r.snap.source(from.u, from.forTest)
	return len(under.test) > 0 && r.dependsOn(from.u, src.path, from.forTest)
}

// dependsOn reports whether production code of package a imports b, directly
// or not.
func (r *run) dependsOn(u *universe, a, b string) bool {
	key := dependency{u, a, b}
	if known, ok := r.depends[key]; ok {
		return known
	}
	r.depends[key] = false // while looking: a cycle adds nothing
	src := r.snap.source(u, a)
	if src == nil {
		return false
	}
	for _, f := range src.prod {
		for _, path := range f.imports() {
			if path == b || r.dependsOn(u, path, b) {
				r.depends[key] = true
				return true
			}
		}
	}
	return false
}

// reached is the nodes of the given sources, and all that import them.
func (w *World) reached(sources []*source) map[nodeID]bool {
	importers := map[nodeID][]nodeID{}
	bySource := map[sourceKey][]nodeID{}
	for id, in := range w.head {
		bySource[sourceKey{id.u, id.path}] = append(bySource[sourceKey{id.u, id.path}], id)
		for _, dep := range in.imports {
			if dep.id.u != nil {
				importers[dep.id] = append(importers[dep.id], id)
			}
		}
	}
	reach := map[nodeID]bool{}
	var visit func(id nodeID)
	visit = func(id nodeID) {
		if !reach[id] {
			reach[id] = true
			for _, next := range importers[id] {
				visit(next)
			}
		}
	}
	for _, src := range sources {
		for _, id := range slices.Concat(bySource[sourceKey{src.u, src.path}], src.nodes()) {
			visit(id)
		}
	}
	return reach
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
