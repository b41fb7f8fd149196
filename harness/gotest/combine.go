package gotest

import (
	"context"
	"maps"
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
}

// Combine implements harness.Combiner.
func (s *session) Combine() (release func()) {
	c := &combination{built: make(chan struct{})}
	s.combined = c
	return func() { c.lend("", nil) }
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
