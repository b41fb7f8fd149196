package prove

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"assay/change"
	"assay/harness"
)

// A componentRun is a component un-done together, run once however many of
// its members ask.
type componentRun struct {
	once  sync.Once
	edits []change.Edit
	o     harness.Outcome
	err   error
}

// component un-does the asking subject together with everything it is coupled
// with, glue included, and runs the widest selection. Tests that cannot work
// without the component keep it from building: nothing is taken out of them.
func (p *proof) component(ctx context.Context, b *bench) (harness.Outcome, error) {
	key := b.lane.title() + "\x00" + componentKey(b.subject)
	p.mu.Lock()
	run := p.components[key]
	if run == nil {
		run = &componentRun{}
		p.components[key] = run
	}
	p.mu.Unlock()
	all := append([]*subject{b.subject}, b.subject.coupled...)
	run.once.Do(func() {
		var dropped []string
		if run.edits, dropped, run.err = p.undoAll(ctx, b.tree.Dir(), all); run.err != nil {
			return
		}
		if len(dropped) > 0 {
			run.edits = together(all)
		}
		run.o, run.err = p.run(ctx, preparedIfRed, b.lane, b.tree, run.edits, b.widest)
	})
	if run.err == nil {
		b.subject.trials = p.addRun(b.subject.trials, trialOf{b.subject.id(), "component", b.lane.Name, b.lane.under.Name, run.edits, b.widest}, run.o)
	}
	return run.o, run.err
}

// component is the edits that un-do the subject and all it is coupled with.
func (s *subject) component() []change.Edit {
	return together(append([]*subject{s}, s.coupled...))
}

// wholeControl un-does all production and support hunks together and runs
// every green test. It is the control of every PROVEN and the claim's run.
func (p *proof) wholeControl(ctx context.Context) error {
	var all []*subject
	for _, s := range p.subjects {
		if s.revertible() {
			all = append(all, s)
		}
	}
	if len(all) == 0 || p.allSettled(all) && !p.hasTests() {
		return nil
	}
	p.event(Event{Stage: "whole", What: "the whole change un-done"})
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	edits, dropped, err := p.undoAll(ctx, tree.Dir(), all)
	if err != nil {
		return err
	}
	p.whole = &Whole{Result: "green", Dropped: dropped}
	ran := false
	for _, l := range p.lanes {
		if l.trouble != "" {
			p.whole.cannotTell(fmt.Sprintf("the %s tests could not be used at head: %s", l.Name, l.trouble))
			continue
		}
		if err := p.wholeWith(ctx, l, tree, edits); err != nil {
			return err
		}
		ran = true
	}
	if !ran {
		p.whole.cannotTell("no test could run")
	}
	return nil
}

// wholeWith runs one language's tests on the whole change un-done, twice when
// red, and adds what they say to the whole's result and the claim.
func (p *proof) wholeWith(ctx context.Context, l *lane, tree Tree, edits []change.Edit) error {
	sel := l.session.Widest("") // of no file in particular: every green test
	gone := droppedTests(l, p.whole.Dropped)
	for id := range gone {
		p.dropped[id] = true
	}
	sel.Tests = slices.DeleteFunc(slices.Clone(sel.Tests), func(id harness.TestID) bool { return within(id, gone) })
	e := Evidence{Expected: l.family(sel.Tests), Dropped: gone, Names: p.names, Kind: p.kindOf}
	runs, err := p.wholeRuns(ctx, l, tree, edits, sel, e)
	if err != nil {
		return err
	}
	if err := p.claimTests(ctx, l, tree, edits, e, runs); err != nil {
		return err
	}
	first := e.read(runs[0])
	switch {
	case first.reason == "" && len(l.base.Uncollected) > 0:
		p.whole.cannotTell(fmt.Sprintf("what ran stays green, but %s cannot be collected or built at head", l.base.Uncollected[0]))
	case first.reason == "":
	case first.reason.Of() == Proven && len(confirmed(first, e.read(runs[1]))) > 0:
		p.whole.red(confirmed(first, e.read(runs[1])))
	default:
		p.whole.cannotTell(string(first.reason) + ": " + orElse(first.words, words[first.reason]))
	}
	return nil
}

// wholeRuns runs the tests on the whole change un-done, and again when red: only
// those that are to be red again and those of the claim, or all of them when
// none of these is.
func (p *proof) wholeRuns(ctx context.Context, l *lane, tree Tree, edits []change.Edit, sel harness.Selection, e Evidence) ([]harness.Outcome, error) {
	run := func(sel harness.Selection) (harness.Outcome, error) {
		o, err := p.run(ctx, onDisk, l, tree, edits, sel)
		if err == nil {
			p.whole.Trials = p.addRun(p.whole.Trials, trialOf{"whole", "whole", l.Name, l.under.Name, edits, sel}, o)
		}
		return o, err
	}
	first, err := run(sel)
	if err != nil || e.read(first).reason.Of() != Proven {
		return []harness.Outcome{first}, err // only a red has to repeat
	}
	again := sel
	again.Tests = p.toRepeat(l, sel, e.read(first))
	if 2*len(again.Tests) < len(sel.Tests) {
		again.Baselined = false
		if o, err := run(again); err != nil || len(confirmed(e.read(first), e.read(o))) > 0 {
			return []harness.Outcome{first, o}, err
		}
	}
	o, err := run(sel)
	return []harness.Outcome{first, o}, err
}

// toRepeat are those of the selected tests that were red, and those that the
// claim is about.
func (p *proof) toRepeat(l *lane, sel harness.Selection, r reading) []harness.TestID {
	wanted := p.editedTests(l)
	for _, t := range r.killers {
		wanted = append(wanted, t.ID)
	}
	selected := make(map[harness.TestID]bool, len(sel.Tests))
	for _, id := range sel.Tests {
		selected[id] = true
	}
	var tests []harness.TestID
	for _, id := range wanted {
		if top, ok := ancestor(id, selected); ok {
			tests = append(tests, top)
			delete(selected, top)
		}
	}
	slices.Sort(tests)
	return tests
}

// Unnoticed reports whether no test tells the change from its absence: un-done as a
// whole every test stays green, and none of those that were left out there, since
// they cannot be built or imported without it, fails without a part of it.
func (r *Report) Unnoticed() bool {
	return r.Whole != nil && r.Whole.Result == "green" &&
		!slices.ContainsFunc(r.Claim.Tests, func(t ClaimTest) bool { return t.Verdict == FailsWithout })
}

// red makes the whole red: some test tells the change from its absence.
func (w *Whole) red(killers []harness.Result) {
	w.Result, w.Reason = "red", ""
	for _, t := range killers {
		if !slices.Contains(w.Red, t.ID) {
			w.Red = append(w.Red, t.ID)
		}
	}
}

// cannotTell takes a green back; a red in another language stands.
func (w *Whole) cannotTell(why string) {
	if w.Result == "green" {
		w.Result, w.Reason = "cannot-tell", why
	}
}

// allSettled reports whether nothing of the whole has behaviour.
func (p *proof) allSettled(all []*subject) bool {
	for _, s := range all {
		if !s.settled {
			return false
		}
	}
	return true
}

// hasTests reports whether the change adds or edits a test.
func (p *proof) hasTests() bool {
	for _, s := range p.subjects {
		if s.file().Kind == change.Test {
			return true
		}
	}
	return false
}
