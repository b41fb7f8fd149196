package gotest

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"assay/harness"
	"assay/harness/gotest/schema"
)

var _ harness.Combiner = (*session)(nil)

// A combination is the binaries that Prepare builds and Baseline runs: head is
// variant 0 of them.
type combination struct {
	built chan struct{} // closed when the fields below stand
	once  sync.Once
	dir   string // the tree they were built in
	have  map[*suite]string

	exports map[module]func() (map[string]listed, error)
}

// Combine implements harness.Combiner. What the packages of the targets import
// is asked for at once: Prepare needs that before it can build.
func (s *session) Combine(ctx context.Context) (release func()) {
	c := &combination{built: make(chan struct{}), exports: map[module]func() (map[string]listed, error){}}
	s.combined = c
	for m, imports := range s.targetImports() {
		ask := sync.OnceValues(func() (map[string]listed, error) {
			return s.exports(ctx, s.dir, m, filepath.Join(s.opts.Scratch, "go", "exports", slug(m.rel)), imports)
		})
		c.exports[m] = ask
		s.asking.Go(func() { _, _ = ask() }) // who asks is told
	}
	return func() { c.lend("", nil) }
}

// targetImports is what the packages of the targets import, by module.
func (s *session) targetImports() map[module][]string {
	all := map[module][]string{}
	for _, t := range s.opts.Targets {
		for _, p := range s.graph.parts[t.Path] {
			if m, ok := s.moduleOf(p.dir); ok && p.role == compiled {
				all[m] = append(all[m], s.graph.pkgs[p.dir].listed.imported()...)
			}
		}
	}
	for m, imports := range all {
		slices.Sort(imports)
		all[m] = slices.Compact(imports)
	}
	return all
}

// exported is what was asked for of a module's imports.
func (c *combination) exported(m module) (map[string]listed, error) {
	if c == nil || c.exports[m] == nil {
		return nil, nil
	}
	return c.exports[m]()
}

// lend lets Baseline go on with what there is. Only the first call counts.
func (c *combination) lend(dir string, have map[*suite]string) {
	if c == nil {
		return
	}
	c.once.Do(func() {
		c.dir, c.have = dir, maps.Clone(have)
		close(c.built)
	})
}

// settleLent settles the suites whose binaries Prepare lends, in the tree they
// were built in, and returns the others. A suite of which a test is not green
// there is among the others: it is only said of plain binaries what fails.
func (s *session) settleLent(ctx context.Context, scratch string) (left []*suite, err error) {
	if s.combined == nil {
		return s.graph.suites, nil
	}
	select {
	case <-s.combined.built:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var whole []execution
	for at, binary := range s.combined.have {
		whole = append(whole, execution{suite: at, binary: binary, dir: s.combined.dir, vars: []string{schema.ActiveVar + "=0"}})
	}
	if err := s.settleAll(ctx, scratch, whole); err != nil {
		return nil, err
	}
	for _, at := range s.graph.suites {
		binary := s.combined.have[at]
		at.lent = binary != "" && at.broken == "" && len(at.head.excluded()) == 0 && !at.head.oddEnd && !exists(binary+schema.Stray)
		if !at.lent {
			left = append(left, at)
		}
	}
	return left, nil
}
