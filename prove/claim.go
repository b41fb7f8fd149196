package prove

import (
	"context"
	"slices"

	"assay/change"
	"assay/harness"
)

// The verdicts of a claim and of its tests (VERDICTS.md, the claim).
const (
	ClaimConfirmed   = "confirmed"
	ClaimRefuted     = "refuted"
	ClaimCannotTell  = "cannot-tell"
	FailsWithout     = "fails-without"
	PassesEitherWay  = "passes-either-way"
	noTestInChange   = "no test was added or edited"
	nothingToUndo    = "the change has nothing to un-do but tests"
	notGreenAtHead   = "baseline-red"
	notRunWithoutAll = "it did not run with the change un-done"
)

// aloneMost bounds how many tests of a claim are run again by themselves.
const aloneMost = 20

// claimTests judges the added and edited tests of one language by the runs
// with the whole change un-done. A test without a result there, because the
// run ended before or in another one, is run again by itself.
func (p *proof) claimTests(ctx context.Context, l *lane, tree Tree, edits []change.Edit, e Evidence, runs []harness.Outcome) error {
	alone := 0
	added := p.addedTests(l)
	for _, id := range p.editedTests(l) {
		its := runs
		if l.green[id] && !within(id, e.Dropped) && alone < aloneMost && lacks(runs, id) {
			alone++
			var err error
			if its, err = p.runAlone(ctx, l, tree, edits, id); err != nil {
				return err
			}
		}
		t := claimTest(l, e, its, id)
		t.Added = slices.Contains(added, id)
		p.claim.add(t)
	}
	return nil
}

// add adds a test, or what another environment says of it: a test that fails
// without the change in one of them does.
func (c *Claim) add(t ClaimTest) {
	i := slices.IndexFunc(c.Tests, func(o ClaimTest) bool { return o.ID == t.ID })
	switch {
	case i < 0:
		c.Tests = append(c.Tests, t)
	case t.Verdict == FailsWithout:
		c.Tests[i] = t
	}
}

// lacks reports whether a run that did come to running tests has no result of
// the test.
func lacks(runs []harness.Outcome, id harness.TestID) bool {
	return slices.ContainsFunc(runs, func(o harness.Outcome) bool { return o.Phase == harness.PhaseRun && resultOf(o, id) == nil })
}

// runAlone runs one test twice with the whole change un-done.
func (p *proof) runAlone(ctx context.Context, l *lane, tree Tree, edits []change.Edit, id harness.TestID) ([]harness.Outcome, error) {
	sel := l.session.Widest("")
	sel.Tests = []harness.TestID{selectable(sel, id)}
	sel.Baselined = false
	var runs []harness.Outcome
	for range 2 {
		o, err := p.run(ctx, onDisk, l, tree, edits, sel)
		if err != nil {
			return nil, err
		}
		runs = append(runs, o)
		p.whole.Trials = p.addRun(p.whole.Trials, trialOf{"whole", "claim", l.Name, l.under.Name, edits, sel}, o)
	}
	return runs, nil
}

// resultOf is the result of a test that reported one, or nil.
func resultOf(o harness.Outcome, id harness.TestID) *harness.Result {
	i := slices.IndexFunc(o.Tests, func(r harness.Result) bool { return r.ID == id })
	if i < 0 || o.Tests[i].Status == harness.Unreported {
		return nil
	}
	return &o.Tests[i]
}

func claimTest(l *lane, e Evidence, runs []harness.Outcome, id harness.TestID) ClaimTest {
	t := ClaimTest{ID: id, Verdict: ClaimCannotTell}
	if !l.green[id] {
		t.Reason = notGreenAtHead
		return t
	}
	if within(id, e.Dropped) {
		t.Reason = string(MissingSymbol)
		return t
	}
	var results []harness.Result
	for _, o := range runs {
		r := resultOf(o, id)
		if r == nil {
			t.Reason = notReported(e, o)
			return t
		}
		results = append(results, *r)
	}
	return judgeClaim(t, e, results)
}

// notReported says why a run tells nothing of a test that it has no result of.
// What other tests of the run say is no reason.
func notReported(e Evidence, o harness.Outcome) string {
	reason := e.read(o).reason
	switch {
	case reason != "" && reason.Of() != Proven:
		return string(reason)
	case o.TimedOut:
		return string(TimedOut)
	case !o.Complete:
		return string(Crashed)
	}
	return notRunWithoutAll
}

// judgeClaim: a test fails without the change when each run is red with
// evidence, passes either way when no run is red.
func judgeClaim(t ClaimTest, e Evidence, results []harness.Result) ClaimTest {
	red := 0
	for _, r := range results {
		if r.Status != harness.Failed || r.Red == nil {
			continue
		}
		w := e.weigh(r.Red)
		if !w.evidence() {
			t.Reason = string(w.reason)
			return t
		}
		if red++; t.Message == "" {
			t.RedKind, t.Message = string(r.Red.Kind), r.Red.Message
		}
	}
	switch red {
	case 0:
		t.Verdict, t.Reason = PassesEitherWay, ""
	case len(results):
		t.Verdict = FailsWithout
	default:
		t.Reason = string(Flaky)
	}
	return t
}

// editedTests are the tests of the declarations that the change's test hunks
// touch on their head side; of a helper, the tests of its file that use it.
func (p *proof) editedTests(l *lane) []harness.TestID {
	namer, ok := l.session.(harness.Namer)
	if !ok {
		return nil
	}
	var ids []harness.TestID
	for _, s := range p.subjects {
		if s.file().Kind != change.Test || s.note.Nothing != "" || s.unit.New.Lines == 0 && s.file().Status == change.Deleted {
			continue
		}
		named := namedBy(namer, s, append([]string{s.note.Declaration}, s.note.Defines...))
		if len(named) == 0 {
			named = namedBy(namer, s, s.note.Users)
		}
		for _, id := range named {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func namedBy(namer harness.Namer, s *subject, names []string) []harness.TestID {
	var ids []harness.TestID
	for _, name := range names {
		if name != "" {
			ids = append(ids, namer.Named(s.file().Path, name)...)
		}
	}
	return ids
}

// finishClaim draws the claim's verdict from its tests.
func (p *proof) finishClaim() Claim {
	p.claimByHunks()
	c := p.claim
	fails, either := 0, 0
	for _, t := range c.Tests {
		switch {
		case t.Verdict == FailsWithout:
			fails++
		case t.Verdict == PassesEitherWay:
			either++
		case t.Reason == notGreenAtHead:
			c.Verdict, c.Reason = ClaimCannotTell, string(t.ID)+" is not green with the change"
			return c
		}
	}
	switch {
	case len(c.Tests) == 0 && p.whole == nil:
		c.Verdict, c.Reason = ClaimCannotTell, nothingToUndo
	case len(c.Tests) == 0:
		c.Verdict, c.Reason = ClaimCannotTell, noTestInChange
	case fails > 0:
		c.Verdict = ClaimConfirmed
	case either == len(c.Tests):
		c.Verdict, c.Reason = ClaimRefuted, "every added or edited test passes without the change as well"
	default:
		c.Verdict, c.Reason = ClaimCannotTell, c.Tests[0].Reason
	}
	return c
}
