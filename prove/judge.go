package prove

import (
	"context"
	"fmt"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"assay/change"
	"assay/harness"
)

// judge tries every open subject, one tree per worker.
func (p *proof) judge(ctx context.Context, ready func() error) error {
	open := p.affordable(p.order())
	if err := ready(); err != nil {
		return err
	}
	workers := pool.New().WithMaxGoroutines(max(1, p.trees.Size())).WithContext(ctx).WithCancelOnError().WithFirstError()
	for _, s := range open {
		workers.Go(func(ctx context.Context) error {
			if ctx.Err() != nil {
				return nil
			}
			p.event(Event{Stage: "hunk", What: s.name(), Total: len(open)})
			if err := p.decide(ctx, s); err != nil {
				return err
			}
			p.decided(s, len(open))
			return nil
		})
	}
	return workers.Wait()
}

// order is the open subjects, best first: production before support before
// data, so that a budget is spent where a verdict matters most.
func (p *proof) order() []*subject {
	var open []*subject
	for _, s := range p.subjects {
		if !s.settled {
			open = append(open, s)
		}
	}
	slices.SortStableFunc(open, func(a, b *subject) int { return int(a.file().Kind) - int(b.file().Kind) })
	return open
}

// affordable keeps the subjects of the first cfg.MaxHunks hunks and settles the
// others.
func (p *proof) affordable(open []*subject) []*subject {
	if p.cfg.MaxHunks == 0 {
		return open
	}
	tried := map[*change.Hunk]bool{}
	var kept []*subject
	for _, s := range open {
		if len(tried) < p.cfg.MaxHunks {
			tried[s.hunk] = true
		}
		if tried[s.hunk] {
			kept = append(kept, s)
			continue
		}
		s.decision, s.settled = settle(Budget, fmt.Sprintf("beyond the first %d hunks (--max-hunks)", p.cfg.MaxHunks)), true
	}
	return kept
}

// decide tries a subject with every lane that serves it and keeps the
// decision that outranks the others.
func (p *proof) decide(ctx context.Context, s *subject) error {
	for _, l := range p.lanes {
		if !l.serves(s.file()) {
			continue
		}
		b, err := p.decideWith(ctx, s, l)
		if err != nil {
			return err
		}
		s.benches = append(s.benches, b)
	}
	if s.file().Kind == change.Support && s.best().Verdict != Proven {
		d, err := p.probed(ctx, s)
		if err != nil {
			return err
		}
		if d.Reason != "" {
			s.probe = &d
		}
	}
	s.decision, s.settled = s.best(), true
	return nil
}

// best is the decision that outranks those of the other languages; what only a
// probe says counts where no test noticed.
func (s *subject) best() Decision {
	if len(s.benches) == 0 {
		return settle(NoTests, "no test runner of this project is known to run this file")
	}
	best := s.benches[0].found()
	for _, b := range s.benches[1:] {
		if outranks(b.decision, best) {
			best = b.found()
		}
	}
	if s.probe != nil && best.Verdict != Proven {
		return *s.probe
	}
	return best
}

// found is the bench's decision with the environment that it was made in.
func (b *bench) found() Decision {
	d := b.decision
	if d.Verdict == Proven {
		d.Env = b.lane.under.Name
	}
	return d
}

// outranks orders decisions of several lanes on one subject: a proof in one is
// a proof; a doubt in one is a doubt; survived outranks uncovered.
func outranks(a, b Decision) bool {
	rank := func(d Decision) int {
		switch {
		case d.Verdict == Proven:
			return 4
		case d.Verdict == Inconclusive && d.Reason != NoTests:
			return 3
		case d.Reason == Survived:
			return 2
		case d.Reason == Uncovered:
			return 1
		}
		return 0
	}
	return rank(a) > rank(b)
}

// decideWith decides by one language's tests. A rung of the ladder that turns
// out not to stand gives way to the next.
func (p *proof) decideWith(ctx context.Context, s *subject, l *lane) (*bench, error) {
	for {
		b, err := p.decideOn(ctx, s, l)
		if err != nil || !unstable(b.decision.Reason) || s.plan == nil || s.plan.Else == nil {
			return b, err
		}
		s.plan = s.plan.Else
	}
}

// unstable reports whether a reason says that the un-done program is none.
func unstable(r Reason) bool { return r == MissingSymbol || r == CollectionFailed || r == DoesNotBuild }

func (p *proof) decideOn(ctx context.Context, s *subject, l *lane) (*bench, error) {
	b := &bench{p: p, lane: l, subject: s, evidence: p.evidence(s, l)}
	if l.trouble != "" || b.evidence.Broken != "" {
		b.decision = Decide(b.evidence)
		return b, nil
	}
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer tree.Release()
	b.tree = tree
	if err := b.choose(ctx); err != nil {
		return nil, err
	}
	if err := b.try(ctx); err != nil {
		return nil, err
	}
	b.decision = b.conclude()
	return b, nil
}

// evidence is what is known of a subject before it is tried with a lane.
func (p *proof) evidence(s *subject, l *lane) Evidence {
	plant, emptied := s.control()
	why, missing := s.broken()
	e := Evidence{
		Broken: why, Missing: missing, Dropped: p.dropped, Names: p.names, Kind: p.kindOf,
		Emptied: emptied, NoPlant: len(plant) == 0, Empty: s.empty(),
		// The limit of a command that nobody reads covers building as well.
		HangInconclusive: p.cfg.HangInconclusive || l.Source == nil, Coupled: len(s.coupled),
		WholeGreen: p.whole != nil && p.whole.Result == "green" && !s.expectation(), Expectation: s.expectation(),
		Grouped: s.grouped(), Partners: len(s.partners()), Flaky: l.distrusted(),
	}
	switch {
	case l.trouble == "":
	case l.redAtHead():
		e.RedAtHead = len(l.base.Red) + len(l.base.Flaky)
	default:
		e.Trouble, e.Phase = l.trouble, l.phase()
	}
	return e
}

// choose picks the selections and learns what is green in them at head.
func (b *bench) choose(ctx context.Context) (err error) {
	path, e := b.subject.file().Path, &b.evidence
	b.widest = b.lane.session.Widest(path)
	b.sel = b.lane.session.Cover(path, b.subject.lines())
	b.narrow()
	e.Direct, e.Basis = len(b.sel.Tests), b.sel.Basis
	for _, id := range b.lane.base.Uncollected {
		if slices.Contains(b.sel.Excluded, id) {
			e.Hidden = append(e.Hidden, id)
		}
	}
	if e.RedAtHead = len(b.sel.Excluded); len(b.sel.Tests) == 0 && e.RedAtHead > 0 {
		return nil // what covers it is red at head
	}
	if 2*len(b.sel.Tests) > len(b.widest.Tests) || len(b.sel.Tests) == 0 {
		// Most of the suite, or nothing known: running all of it needs no
		// baseline of its own.
		b.sel.Tests, b.sel.Baselined = b.widest.Tests, b.widest.Baselined
	}
	e.Wide = sameTests(b.sel, b.widest)
	if e.Expected, err = b.lane.expected(ctx, b.p, b.tree, b.sel, onDisk, prepared); err != nil {
		return err
	}
	if len(e.Expected) == 0 && !e.Wide {
		if err := b.widen(ctx); err != nil {
			return err
		}
		e.Expected, b.sel, e.Wide = e.Widest, b.widest, true
	}
	if len(e.Expected) == 0 {
		e.RedAtHead = len(b.widest.Excluded)
	}
	b.subject.basis = b.sel.Basis
	return nil
}

// widen learns what is green at head in the widest selection, which only some
// subjects ask for.
func (b *bench) widen(ctx context.Context) (err error) {
	b.evidence.Widest, err = b.lane.expected(ctx, b.p, b.tree, b.widest, onDisk, prepared)
	return err
}

// conclude decides, and counts the tests that saw the subject.
func (b *bench) conclude() Decision {
	d := Decide(b.evidence)
	b.subject.covering = b.evidence.Direct
	if b.evidence.Direct == 0 && b.evidence.seen() {
		b.subject.covering = len(b.sel.Tests)
	}
	if d.Reason == Uncovered {
		b.subject.covering = 0
	}
	if b.subject.expectation() {
		return testCase(d, b.subject.file().Status == change.Added, b.vanished())
	}
	return d
}

// testCase is the decision on a data file below a directory of tests. Such a
// file may be a test case itself, and tests that stay green without one more
// case say nothing: a file that the change adds, that tests read, and that no
// test notices the loss of is a test like any other.
func testCase(d Decision, added bool, vanished int) Decision {
	switch {
	case d.Verdict == NotProven && vanished > 0:
		return settle(TestHunk, fmt.Sprintf("the file is a test case: without it %d tests do not exist", vanished))
	case d.Reason == HalfUndone:
		return settle(TestHunk, "the file is what tests expect: un-done together with what it describes, no test misses it")
	case added && d.Reason == Survived:
		return settle(TestHunk, "the file is a test case: tests read it and stay green without it")
	case added && d.Reason == CollectionFailed:
		return settle(TestHunk, "the file is part of a test: without it the tests do not collect")
	}
	return d
}

// vanished counts the tests green at head that the un-done run never had: for
// a directory of test cases they are the file's own.
func (b *bench) vanished() int {
	if len(b.evidence.Undo) == 0 {
		return 0
	}
	seen := map[harness.TestID]bool{}
	for _, t := range b.evidence.Undo[0].Tests {
		seen[t.ID] = true
	}
	n := 0
	for _, id := range b.evidence.Expected {
		if !seen[id] {
			n++
		}
	}
	return n
}
