package gotest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest/schema"
)

var (
	_ harness.EarlyPreparer = (*session)(nil)
	_ harness.Hitter        = (*session)(nil)
)

// ready is the variants that a session can try without a build.
type ready struct {
	mu       sync.RWMutex
	variants map[string]variant // by editsKey
	batches  int
	last     *warmed // the latest batch, whose binaries serve for head as well
}

// A variant is one set of edits in the binaries of a batch.
type variant struct {
	number int
	edits  []change.Edit
	batch  *warmed
	why    string // why it is in none; "" when it is
}

// A warmed is one batch of variants: the binaries that hold them.
type warmed struct {
	dir    string // the tree it was built in
	suites map[*suite]*warm
}

// Prepare builds, for every package that a variant edits, the test binaries
// that hold the package, once, with all the variants in them, and runs each at
// head to see which tests come by which variant. It costs one build and one run
// of these suites, however many variants there are. What cannot be embedded
// (see package schema) is left to Run.
func (s *session) Prepare(ctx context.Context, dir string, variants [][]change.Edit) error {
	if s.trouble != "" || s.flags.overlaid {
		return nil
	}
	s.ready.mu.Lock()
	defer s.ready.mu.Unlock()
	fresh := s.unknown(variants)
	if len(fresh) == 0 {
		return nil
	}
	s.ready.batches++
	scratch := filepath.Join(s.opts.Scratch, "go", fmt.Sprintf("prepared%d", s.ready.batches))
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return fmt.Errorf("make room for prepared binaries: %w", err)
	}
	batch, left, err := s.warm(ctx, dir, scratch, fresh)
	if err != nil {
		return err
	}
	if batch != nil {
		s.ready.last = batch
	}
	for k, edits := range fresh {
		s.ready.variants[editsKey(edits)] = variant{number: k, edits: edits, batch: batch, why: left[k]}
	}
	return nil
}

// unknown numbers the variants that no batch has, from 1.
func (s *session) unknown(variants [][]change.Edit) map[int][]change.Edit {
	if s.ready.variants == nil {
		s.ready.variants = map[string]variant{}
	}
	fresh, seen := map[int][]change.Edit{}, map[string]bool{}
	for _, edits := range variants {
		key := editsKey(edits)
		if _, known := s.ready.variants[key]; known || seen[key] || len(edits) == 0 {
			continue
		}
		seen[key] = true
		fresh[len(fresh)+1] = edits
	}
	return fresh
}

// PreparesEarly implements harness.EarlyPreparer.
func (s *session) PreparesEarly() {}

// awaitBaseline waits until it is known what the suites do at head.
func (s *session) awaitBaseline(ctx context.Context) error {
	select {
	case <-s.baselined:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// warm composes, builds and runs a batch.
func (s *session) warm(ctx context.Context, dir, scratch string, variants map[int][]change.Edit) (*warmed, map[int]string, error) {
	w := &warming{session: s, dir: dir, scratch: scratch, variants: variants, left: map[int]string{}}
	if err := w.choose(ctx); err != nil {
		return nil, nil, err
	}
	if len(w.packages) == 0 {
		return nil, w.left, nil
	}
	have, err := w.build(ctx)
	if err != nil {
		return nil, nil, err
	}
	w.combined.lend(w.dir, have.binaries)
	if err := w.awaitBaseline(ctx); err != nil {
		return nil, nil, err
	}
	maps.DeleteFunc(have.binaries, func(at *suite, _ string) bool { return at.broken != "" })
	batch := &warmed{dir: dir, suites: map[*suite]*warm{}}
	var mu sync.Mutex
	suites := slices.Collect(maps.Keys(have.binaries))
	err = s.each(len(suites), func(i int) error {
		one, err := w.record(ctx, suites[i], have.binaries[suites[i]])
		mu.Lock()
		defer mu.Unlock()
		batch.suites[suites[i]] = one
		return err
	})
	return batch, w.left, err
}

// lookup returns the prepared variant of edits. No edits are head, variant 0 of
// every batch.
func (s *session) lookup(edits []change.Edit) (variant, bool) {
	s.ready.mu.RLock()
	defer s.ready.mu.RUnlock()
	if len(edits) == 0 {
		return variant{batch: s.ready.last}, s.ready.last != nil
	}
	v, known := s.ready.variants[editsKey(edits)]
	return v, known && v.why == "" && v.batch != nil
}

// Hits returns the green top-level tests that came by the place of the edits at
// head, of every binary that holds them, together with those that opened an
// edited file. known is false when the edits were not prepared, or when the
// toolchain's testing package cannot tell which test runs.
func (s *session) Hits(edits []change.Edit) (tests []harness.TestID, known bool) {
	v, ok := s.lookup(edits)
	if !ok {
		return nil, false
	}
	for _, at := range s.holdingAll(edits) {
		if at.broken != "" {
			continue
		}
		w := v.batch.suites[at]
		if w == nil || !w.follows || len(w.odd) > 0 {
			return nil, false
		}
		for _, top := range at.head.tops() {
			if w.hit(v.number, top) || w.reads(edits, top) {
				tests = append(tests, at.id(top))
			}
		}
	}
	return tests, true
}

// holdingAll returns the suites that hold a package of the edits, or opened a
// file of them.
func (s *session) holdingAll(edits []change.Edit) []*suite {
	var all []*suite
	for _, e := range edits {
		_, suites := s.covering(e.Path)
		all = union(all, suites)
	}
	return all
}

// Try runs the selection in the prepared binaries. done is false when the edits
// were not prepared, when a selected test runs the go command, reads an edited
// file or is bound to the place of the tree it was built in, and when it did
// not do at head what the baseline saw.
func (s *session) Try(ctx context.Context, job harness.Job) (o harness.Outcome, done bool, err error) {
	v, ok := s.lookup(job.Edits)
	if !ok {
		return o, false, nil
	}
	parts, strangers := s.split(job.Selection.Tests)
	if len(strangers) > 0 {
		return o, false, nil
	}
	held := s.holdingAll(job.Edits)
	for _, p := range parts {
		w := v.batch.suites[p.suite]
		if w == nil && slices.Contains(held, p.suite) || w != nil && !w.serves(p, job, v.batch.dir) {
			return o, false, nil
		}
	}
	o = harness.Outcome{Phase: harness.PhaseRun, Complete: true}
	for _, p := range parts {
		if err := s.tryPart(ctx, job, p, v, &o); err != nil {
			return harness.Outcome{}, false, err
		}
		if job.FirstRed && len(o.Red()) > 0 {
			break
		}
	}
	s.describe(&o, parts)
	return o, true, nil
}

// tryPart runs one suite with a variant in force. A suite that does not hold
// the edits runs head's binary.
func (s *session) tryPart(ctx context.Context, job harness.Job, p portion, v variant, o *harness.Outcome) error {
	w := v.batch.suites[p.suite]
	if w == nil {
		have, err := s.binariesFor(ctx, job.Dir, nil, job.Scratch, []*suite{p.suite})
		if err != nil {
			return err
		}
		return s.runPart(ctx, job, p, have.binaries[p.suite], o)
	}
	x, err := s.execution(job, p, w.binary)
	if err != nil {
		return err
	}
	x.built = v.batch.dir
	x.vars = append(slices.Clone(w.lean), fmt.Sprintf("%s=%d", schema.ActiveVar, v.number))
	x.flags = s.parallel()
	if len(w.steps) > 0 {
		x.vars = append(x.vars, fmt.Sprintf("%s=%d", schema.StepsVar, w.limit(p)))
	}
	if job.FirstRed {
		x.flags = append(x.flags, "-test.failfast")
	}
	r, err := s.exec(ctx, x)
	if err != nil {
		return err
	}
	if r.end.Code == schema.StepsCode && strings.Contains(r.end.Tail, schema.StepsWords) {
		r.endless(w.limit(p))
	}
	p.collect(r, o)
	return nil
}

// endless makes the live tests hang: the process ended itself.
func (r *ran) endless(steps uint64) {
	r.hung = true
	r.trouble = fmt.Sprintf("%s: %d guards and rounds of loops, ten times as many as at head, while %s ran", schema.StepsWords, steps, names(r.live()))
	for _, at := range r.live() {
		r.of[at.name] = &harness.Red{Kind: harness.RedHang, Phase: "call", Message: r.trouble}
	}
}
