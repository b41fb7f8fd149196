package prove

import (
	"slices"
	"testing"

	"assay/change"
	"assay/harness"
)

// TestATestThatIsRedAtHeadAfterAllProvesNothing has a test that was green in
// the baseline, by luck, and is red ever after.
func TestATestThatIsRedAtHeadAfterAllProvesNothing(t *testing.T) {
	rules := map[string]func(string) *harness.Red{
		"lucky":  func(string) *harness.Red { return assertion },
		"steady": needs("two"),
	}
	l := &fakeLanguage{rules: rules, cover: []harness.TestID{"lucky", "steady"}}
	r := prove(t, Config{}, libChange("one", "two"), l)
	expect(t, r, Survived, Assertion)
	if k := r.Findings[1].Killers; !slices.Equal(k, []harness.TestID{"steady"}) {
		t.Errorf("killers %v", k)
	}
	base := r.Baseline.Languages[0]
	if !slices.Equal(base.Flaky, []harness.TestID{"lucky"}) || base.Green != 1 || base.Tests != 2 {
		t.Errorf("baseline %+v", base)
	}
	if !slices.Equal(r.Whole.Red, []harness.TestID{"steady"}) {
		t.Errorf("whole %+v", r.Whole)
	}
}

func TestAWholeThatOnlyAFlakyTestTellsIsNotTold(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{
		"lucky": func(string) *harness.Red { return assertion }}, cover: []harness.TestID{"lucky"}}
	r := prove(t, Config{}, libChange("one"), l)
	expect(t, r, BaselineRed)
	if r.Whole.Result != "cannot-tell" {
		t.Errorf("whole %+v", r.Whole)
	}
}

// TestWhatWasJudgedBeforeIsJudgedAnew: the first hunk is PROVEN by a test that
// only turns out to be flaky when a later hunk's reds are looked at.
func TestWhatWasJudgedBeforeIsJudgedAnew(t *testing.T) {
	s := &subject{hunk: libChange("one").Files[0].Hunks[0]}
	s.unit = s.hunk.Units[0]
	l := &lane{Language: Language{Name: "fake"}, flaky: map[harness.TestID]bool{}}
	b := &bench{lane: l, subject: s, evidence: base(func(e *Evidence) {
		e.Reach = ReachUnknown
		e.Undo, e.Control, e.Confirm = []harness.Outcome{red, red}, []harness.Outcome{redOther}, []harness.Outcome{green}
	})}
	b.decision = Decide(b.evidence)
	s.benches, s.decision = []*bench{b}, b.decision
	p := &proof{change: &change.Change{}, subjects: []*subject{s}, lanes: []*lane{l}, obs: Discard{}}
	if s.decision.Reason != Assertion {
		t.Fatalf("before: %+v", s.decision)
	}
	l.distrust([]harness.TestID{"a", "b"}, red)
	if err := p.review(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.decision.Reason != Survived {
		t.Errorf("after: %+v", s.decision)
	}
}
