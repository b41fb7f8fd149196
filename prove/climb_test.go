package prove

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// A fakeLadder plans each unit by a word of its text.
type fakeLadder struct {
	plans   map[string]func(units map[string]*change.Unit) *mutate.Plan
	dropped []string
	err     error
}

func (l fakeLadder) Plans(_ context.Context, _ string, c *change.Change, _ map[*change.Unit]*mutate.Note) (map[*change.Unit]*mutate.Plan, error) {
	if l.err != nil {
		return nil, l.err
	}
	units := map[string]*change.Unit{}
	for _, h := range c.Hunks() {
		units[h.ID] = h.Units[0]
	}
	plans := map[*change.Unit]*mutate.Plan{}
	for id, u := range units {
		plans[u] = &mutate.Plan{Rung: mutate.RungRevert, Edits: []change.Edit{u.Undo()}}
		if plan := l.plans[id]; plan != nil {
			plans[u] = plan(units)
		}
	}
	return plans, nil
}

func (l fakeLadder) Whole(_ context.Context, _ string, _ *change.Change, units []*change.Unit) ([]change.Edit, []string, error) {
	if l.err != nil {
		return nil, nil, l.err
	}
	var edits []change.Edit
	for _, u := range units {
		edits = append(edits, u.Undo())
	}
	return edits, l.dropped, nil
}

// with plans a unit to be un-done together with others.
func with(self string, others ...string) func(map[string]*change.Unit) *mutate.Plan {
	return func(units map[string]*change.Unit) *mutate.Plan {
		p := &mutate.Plan{Rung: mutate.RungPartners, Edits: []change.Edit{units[self].Undo()}}
		for _, o := range others {
			p.Partners = append(p.Partners, units[o])
			p.Edits = append(p.Edits, units[o].Undo())
		}
		return p
	}
}

func climbed(t *testing.T, c *change.Change, l *fakeLanguage, ladder fakeLadder) *Report {
	t.Helper()
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	r, err := Run(t.Context(), Config{}, c, []Language{{Name: "fake", Source: l, Harness: l, Ladder: ladder}}, newTrees(2), Discard{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAGroupIsProvenForTheHunkThatNeededIt(t *testing.T) {
	both := func(text string) *harness.Red {
		if !strings.Contains(text, "one") && !strings.Contains(text, "two") || strings.Contains(text, "PLANT") {
			return assertion
		}
		return nil
	}
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": both}, cover: []harness.TestID{"a"}}
	r := climbed(t, libChange("one", "two"), l, fakeLadder{plans: map[string]func(map[string]*change.Unit) *mutate.Plan{"one": with("one", "two")}})
	expect(t, r, Assertion, Survived)
	if f := r.Findings[0]; f.Rung != "partners" || len(f.Partners) != 1 || f.Partners[0] != "two" {
		t.Errorf("rung %s, partners %v", f.Rung, f.Partners)
	}
}

func TestAPartnerThatAloneAccountsForEveryRedProvesNothingForTheOther(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("two")}, cover: []harness.TestID{"a"}}
	r := climbed(t, libChange("one", "two"), l, fakeLadder{plans: map[string]func(map[string]*change.Unit) *mutate.Plan{"one": with("one", "two")}})
	expect(t, r, HalfUndone, Assertion)
}

func TestAPartnerThatUsesWhatAHunkDefinesSpeaksForBoth(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("two")}, cover: []harness.TestID{"a"},
		notes: map[string]mutate.Note{"one": {Defines: []string{"f/value"}}, "two": {Uses: []string{"f/value"}}}}
	r := climbed(t, libChange("one", "two"), l, fakeLadder{plans: map[string]func(map[string]*change.Unit) *mutate.Plan{"one": with("one", "two")}})
	expect(t, r, Assertion, Assertion)
}

func TestAPartnerThatTakesEveryUseOfAnAdditionAwaySpeaksForBoth(t *testing.T) {
	story := func(uses ...string) *Report {
		l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("three")}, cover: []harness.TestID{"a"},
			notes: map[string]mutate.Note{"one": {Defines: []string{"f/value"}}}}
		for _, u := range uses {
			l.notes[u] = mutate.Note{Uses: []string{"f/value"}}
		}
		c := libChange("one", "two", "three", "four")
		added := c.Files[0].Hunks[0]
		added.Old, added.Units[0].Old = change.Span{}, change.Span{}
		return climbed(t, c, l, fakeLadder{plans: map[string]func(map[string]*change.Unit) *mutate.Plan{
			"one": with("one", "two", "three", "four"), "two": with("two", "three"), "three": with("three", "two"),
		}})
	}
	expect(t, story("two"), Assertion, Assertion, Assertion, Survived)
	expect(t, story("two", "four"), HalfUndone, Assertion, Assertion, HarnessBlind) // another use stays
}

func TestAGroupThatIsNoticedIsNotProvenWhenAllItIsCoupledWithCanVanish(t *testing.T) {
	// A refactor in three pieces: "a" fails when only some of them are there.
	some := func(text string) *harness.Red {
		n := strings.Count(text, "one") + strings.Count(text, "two") + strings.Count(text, "three")
		if n == 1 || n == 2 || strings.Contains(text, "PLANT") {
			return assertion
		}
		return nil
	}
	note := func() mutate.Note {
		return mutate.Note{Declaration: "func f", Control: []change.Edit{{Path: "lib.x", Text: []byte("PLANT ")}}}
	}
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": some}, cover: []harness.TestID{"a"},
		notes: map[string]mutate.Note{"one": note(), "two": note(), "three": note()}}
	r := climbed(t, libChange("one", "two", "three"), l, fakeLadder{plans: map[string]func(map[string]*change.Unit) *mutate.Plan{
		"one": with("one", "two"), "two": with("two", "one"),
	}})
	expect(t, r, Survived, Survived, HalfUndone)
	if f := r.Findings[0]; f.Rung != "partners" || len(f.Partners) != 2 {
		t.Errorf("rung %s, partners %v", f.Rung, f.Partners)
	}
}

func TestARungThatDoesNotStandAtRunTimeGivesWayToTheNext(t *testing.T) {
	missing := func(text string) *harness.Red {
		if !strings.Contains(text, "one") {
			return &harness.Red{Kind: harness.RedName, Phase: "call", Symbol: "helper", Message: "no helper", Frames: inProd}
		}
		return needs("two")(text)
	}
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": missing}, cover: []harness.TestID{"a"},
		notes: map[string]mutate.Note{"one": {Defines: []string{"helper"}}}}
	r := climbed(t, libChange("one", "two"), l, fakeLadder{plans: map[string]func(map[string]*change.Unit) *mutate.Plan{
		"one": func(u map[string]*change.Unit) *mutate.Plan {
			next := &mutate.Plan{Rung: mutate.RungNeutralise, Edits: []change.Edit{u["two"].Undo()}}
			return &mutate.Plan{Rung: mutate.RungRevert, Edits: []change.Edit{u["one"].Undo()}, Else: next}
		},
	}})
	expect(t, r, Assertion, Assertion)
	if f := r.Findings[0]; f.Rung != "neutralise" || len(f.Trials) < 2 {
		t.Errorf("rung %s, %d trials", f.Rung, len(f.Trials))
	}
}

func TestWhatTheLadderSettlesIsNotRunAndWhatItCannotUndoSaysWhy(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("three")}, cover: []harness.TestID{"a"}}
	r := climbed(t, libChange("one", "two", "three"), l, fakeLadder{plans: map[string]func(map[string]*change.Unit) *mutate.Plan{
		"one": func(u map[string]*change.Unit) *mutate.Plan {
			return &mutate.Plan{Nothing: mutate.Carried, Users: []*change.Unit{u["three"]}}
		},
		"two": func(map[string]*change.Unit) *mutate.Plan {
			return &mutate.Plan{Rung: mutate.RungNone, Why: "tests need x", Missing: "x"}
		},
	}})
	expect(t, r, Carried, MissingSymbol, Assertion)
	if d := r.Findings[0].Detail; d != "carried by lib.x:5 (PROVEN)" {
		t.Errorf("detail %q", d)
	}
}

func TestATestThatTheControlRanWithoutDoesNotMakeItsHunkHalfUndone(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one"), "b": never}, cover: []harness.TestID{"a"}}
	r := climbed(t, libChange("one"), l, fakeLadder{dropped: []string{"t.x::a"}})
	expect(t, r, Assertion)
	if r.Whole.Result != "green" || len(r.Whole.Dropped) != 1 {
		t.Errorf("whole %+v", r.Whole)
	}
}

func TestALadderThatFailsLeavesThePlainWayAndSaysSo(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one")}, cover: []harness.TestID{"a"}}
	r := climbed(t, libChange("one", "two"), l, fakeLadder{err: errors.New("go list: no such module")})
	expect(t, r, Assertion, Survived)
	if r.Whole.Result != "red" || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "no such module") {
		t.Errorf("whole %+v, notes %q", r.Whole, r.Notes)
	}
}
