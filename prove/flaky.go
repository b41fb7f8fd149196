package prove

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"assay/harness"
)

// An afterRun is a selection run at head once more, after reds without a hunk;
// once a selection, however many hunks ask.
type afterRun struct {
	once sync.Once
	o    harness.Outcome
	err  error
}

// after runs a selection at head once more. A test that is red there was green
// in the baseline: it is flaky, for the whole lane.
func (b *bench) after(ctx context.Context, sel harness.Selection, into **harness.Outcome) error {
	run := b.lane.afterOf(sel)
	run.once.Do(func() {
		run.o, run.err = b.p.run(ctx, prepared, b.lane, b.tree, nil, sel)
		b.lane.distrust(b.lane.family(sel.Tests), run.o)
	})
	if run.err != nil {
		return fmt.Errorf("running a selection at head once more: %w", run.err)
	}
	b.subject.trials = b.p.addRun(b.subject.trials, trialOf{b.subject.id(), "head", b.lane.Name, b.lane.under.Name, nil, sel}, run.o)
	*into, b.evidence.Flaky = &run.o, b.lane.distrusted()
	return nil
}

func (l *lane) afterOf(sel harness.Selection) *afterRun {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := selectionKey(sel)
	if l.afters[key] == nil {
		l.afters[key] = &afterRun{}
	}
	return l.afters[key]
}

// distrust makes flaky what is red in a run at head although it is expected to
// be green there.
func (l *lane) distrust(expected []harness.TestID, o harness.Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range o.Red() {
		if slices.Contains(expected, t.ID) {
			l.flaky[t.ID] = true
		}
	}
}

// distrusted returns the tests that were found flaky since the baseline.
func (l *lane) distrusted() map[harness.TestID]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.flaky)
}

// steady is e without the tests that are flaky: what they did is no evidence,
// neither as a red nor as a green.
func (e Evidence) steady() Evidence {
	if len(e.Flaky) == 0 {
		return e
	}
	flaky := func(id harness.TestID) bool { return e.Flaky[id] }
	before := len(e.Expected)
	e.Expected = slices.DeleteFunc(slices.Clone(e.Expected), flaky)
	e.Widest = slices.DeleteFunc(slices.Clone(e.Widest), flaky)
	e.RedAtHead += before - len(e.Expected)
	return e
}

// review judges anew what was judged before a test turned out to be flaky. The
// facts stay; further ones are only gathered where they are wanted now.
func (p *proof) review(ctx context.Context) error {
	for again := true; again; {
		again = false
		for _, s := range p.subjects {
			changed, err := p.reviewOne(ctx, s)
			if err != nil {
				return err
			}
			again = again || changed
		}
	}
	p.reviewWhole()
	return nil
}

func (p *proof) reviewOne(ctx context.Context, s *subject) (changed bool, err error) {
	for _, b := range s.benches {
		flaky := b.lane.distrusted()
		if len(flaky) == len(b.evidence.Flaky) {
			continue
		}
		changed, b.evidence.Flaky = true, flaky
		if err := b.tryAgain(ctx); err != nil {
			return changed, err
		}
	}
	if was := s.decision; changed {
		s.decision = s.best()
		if s.decision.Verdict != was.Verdict || s.decision.Reason != was.Reason {
			p.changed(s)
		}
	}
	return changed, nil
}

// tryAgain gathers what is wanted now, in a tree of its own, if anything is.
func (b *bench) tryAgain(ctx context.Context) error {
	if Next(b.evidence) != Done {
		tree, err := b.p.trees.Acquire(ctx)
		if err != nil {
			return err
		}
		defer tree.Release()
		b.tree = tree
		if err := b.try(ctx); err != nil {
			return err
		}
	}
	b.decision = b.conclude()
	return nil
}

// reviewWhole takes back what the control of the whole and the claim stand on
// when that is a flaky test.
func (p *proof) reviewWhole() {
	flaky := map[harness.TestID]bool{}
	for _, l := range p.lanes {
		maps.Copy(flaky, l.flaky)
	}
	for i, t := range p.claim.Tests {
		if flaky[t.ID] {
			p.claim.Tests[i].Verdict, p.claim.Tests[i].Reason = ClaimCannotTell, string(Flaky)
		}
	}
	if p.whole == nil || p.whole.Result != "red" {
		return
	}
	p.whole.Red = slices.DeleteFunc(p.whole.Red, func(id harness.TestID) bool { return flaky[id] })
	if len(p.whole.Red) == 0 {
		p.whole.Result, p.whole.Reason = "cannot-tell", "the tests that were red are flaky"
	}
}
