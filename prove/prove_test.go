package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// A fakeTree holds the edits applied to it; a run reads them as a real one
// would read the disk.
type fakeTree struct {
	pool  *fakeTrees
	edits []change.Edit
}

func (t *fakeTree) Dir() string     { return "/tree/" + fmt.Sprintf("%p", t) }
func (t *fakeTree) Scratch() string { return t.Dir() + ".tmp" }
func (t *fakeTree) Apply(e []change.Edit) error {
	if t.pool.refuses != nil {
		return t.pool.refuses
	}
	if len(t.edits) > 0 {
		return errors.New("the tree does not hold head")
	}
	t.edits = e
	return nil
}
func (t *fakeTree) Restore() error { t.edits = nil; return nil }
func (t *fakeTree) Release() {
	if len(t.edits) > 0 {
		panic("released without head")
	}
	t.pool.free <- t
}

type fakeTrees struct {
	free    chan *fakeTree
	refuses error // what Apply fails with
}

func newTrees(n int) *fakeTrees {
	p := &fakeTrees{free: make(chan *fakeTree, n)}
	for range n {
		p.free <- &fakeTree{pool: p}
	}
	return p
}

func (p *fakeTrees) Size() int { return cap(p.free) }
func (p *fakeTrees) Acquire(ctx context.Context) (Tree, error) {
	select {
	case t := <-p.free:
		return t, ctx.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A fakeLanguage is source and harness at once. Its tests look at the text of
// the one file lib.x: each rule turns a test red when its word is missing, or
// when the word is planted.
type fakeLanguage struct {
	notes    map[string]mutate.Note // by a word of the unit's new or old text
	rules    map[string]func(text string) *harness.Red
	cover    []harness.TestID
	excluded []harness.TestID
	baseline harness.Baseline
	head     map[string]string
	onRun    func()
	fails    *harness.Outcome // of every run

	mu   sync.Mutex
	runs int
}

func (l *fakeLanguage) Name() string { return "fake" }
func (l *fakeLanguage) Kind(*change.File) (change.Kind, string, bool) {
	return change.Production, "", true
}

func (l *fakeLanguage) Study(_ context.Context, _ *change.Change, files []*change.File) (map[*change.Unit]*mutate.Note, error) {
	notes := map[*change.Unit]*mutate.Note{}
	for _, f := range files {
		for _, h := range f.Hunks {
			n := mutate.Note{Control: []change.Edit{{Path: f.Path, Text: []byte("PLANT ")}}}
			for word, note := range l.notes {
				if strings.Contains(string(h.NewText())+string(h.OldText()), word) {
					n = note
				}
			}
			notes[h.Units[0]] = &n
		}
	}
	return notes, nil
}

func (l *fakeLanguage) Open(context.Context, string, harness.Options) (harness.Session, error) {
	return l, nil
}

func (l *fakeLanguage) Baseline(context.Context, string, []harness.Target) (harness.Baseline, error) {
	if l.baseline.Trouble != "" || l.baseline.Red != nil {
		return l.baseline, nil
	}
	b := harness.Baseline{Toolchain: "fake 1"}
	for id := range l.rules {
		b.Green = append(b.Green, harness.TestID(id))
	}
	slices.Sort(b.Green)
	return b, nil
}

func (l *fakeLanguage) Cover(string, change.Span) harness.Selection {
	return harness.Selection{Basis: harness.Hit, Tests: l.cover, Excluded: l.excluded, Baselined: true}
}

func (l *fakeLanguage) Widest(string) harness.Selection {
	b, _ := l.Baseline(context.Background(), "", nil)
	return harness.Selection{Basis: harness.All, Tests: b.Green, Baselined: true}
}

func (l *fakeLanguage) Run(ctx context.Context, job harness.Job) (harness.Outcome, error) {
	l.mu.Lock()
	l.runs++
	if l.onRun != nil {
		l.onRun()
	}
	l.mu.Unlock()
	if ctx.Err() != nil {
		return harness.Outcome{}, ctx.Err()
	}
	text, err := change.Apply([]byte(l.head["lib.x"]), job.Edits)
	if err != nil {
		return harness.Outcome{}, err
	}
	if l.fails != nil {
		return *l.fails, nil
	}
	o := harness.Outcome{Phase: harness.PhaseRun, Complete: true}
	for _, id := range job.Selection.Tests {
		o.Tests = append(o.Tests, result(string(id), l.rules[string(id)](string(text))))
	}
	return o, nil
}

func (l *fakeLanguage) Close() error { return nil }

func (l *fakeLanguage) Named(_, declaration string) []harness.TestID {
	return []harness.TestID{harness.TestID(declaration)}
}

// needs is a test that fails when a word is missing or a failure is planted.
func needs(word string) func(string) *harness.Red {
	return func(text string) *harness.Red {
		if !strings.Contains(text, word) || strings.Contains(text, "PLANT") {
			return &harness.Red{Kind: harness.RedAssertion, Phase: "call", Message: "no " + word}
		}
		return nil
	}
}

// never is a test that does not look at the file at all.
func never(string) *harness.Red { return nil }

// libChange is a change of lib.x in which each word replaced "old\n".
func libChange(words ...string) *change.Change {
	f := &change.File{Path: "lib.x", OldPath: "lib.x", Language: "fake"}
	for i, w := range words {
		f.New = append(f.New, w+"\nsame\n"...)
		f.Old = append(f.Old, "old\nsame\n"...)
		s := change.Span{Start: 2*i + 1, Lines: 1}
		h := &change.Hunk{ID: w, File: f, Old: s, New: s}
		h.Units = []*change.Unit{{Hunk: h, Old: s, New: s}}
		f.Hunks = append(f.Hunks, h)
	}
	return &change.Change{Base: change.Revision{Commit: "b"}, Head: change.Revision{Commit: "h"}, Repo: "r", Files: []*change.File{f}}
}

func prove(t *testing.T, cfg Config, c *change.Change, l *fakeLanguage) *Report {
	t.Helper()
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	r, err := Run(t.Context(), cfg, c, []Language{{Name: "fake", Source: l, Harness: l}}, newTrees(2), Discard{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != len(c.Hunks()) {
		t.Fatalf("%d findings for %d hunks", len(r.Findings), len(c.Hunks()))
	}
	return r
}

func expect(t *testing.T, r *Report, want ...Reason) {
	t.Helper()
	for i, f := range r.Findings {
		if f.Reason != want[i] || f.Verdict != want[i].Of() {
			t.Errorf("hunk %s: %s %s (%s), want %s", f.ID, f.Verdict, f.Reason, f.Detail, want[i])
		}
	}
}

func TestAHunkThatATestNoticesIsProvenAndOneThatNoneNoticesIsNot(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one"), "b": needs("one")}, cover: []harness.TestID{"a"}}
	r := prove(t, Config{}, libChange("one", "two"), l)
	expect(t, r, Assertion, Survived)
	if f := r.Findings[0]; len(f.Killers) != 1 || f.Killers[0] != "a" || f.Message != "no one" || len(f.Trials[0].Runs) != 2 || f.Trials[0].Edit == "" {
		t.Errorf("the evidence is not reported: %+v", f)
	}
	if r.Counts != (Counts{Proven: 1, NotProven: 1}) {
		t.Errorf("counts %+v", r.Counts)
	}
	if r.Whole.Result != "red" {
		t.Errorf("whole %+v", r.Whole)
	}
}

func TestATestOutsideTheCoveringOnesThatNoticesIsFoundWhenConfirming(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs(""), "b": needs("one")}, cover: []harness.TestID{"a"}}
	r := prove(t, Config{}, libChange("one"), l)
	expect(t, r, Assertion)
	if k := r.Findings[0].Killers; len(k) != 1 || k[0] != "b" {
		t.Errorf("killers %v", k)
	}
}

func TestCodeThatNoTestReachesIsUncovered(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": never}}
	expect(t, prove(t, Config{}, libChange("one"), l), Uncovered)
}

func TestHitsWithoutASeenPlantAreHarnessBlind(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": never}, cover: []harness.TestID{"a"}}
	expect(t, prove(t, Config{}, libChange("one"), l), HarnessBlind)
}

func TestAChangeWhoseWholeUndoIsGreenGivesNoPlainProven(t *testing.T) {
	// Half a refactor: "a" fails when just one of the two words is there.
	half := func(text string) *harness.Red {
		if strings.Contains(text, "one") != strings.Contains(text, "two") || strings.Contains(text, "PLANT") {
			return assertion
		}
		return nil
	}
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": half}, cover: []harness.TestID{"a"}}
	r := prove(t, Config{}, libChange("one", "two"), l)
	expect(t, r, HalfUndone, HalfUndone)
	if r.Whole.Result != "green" {
		t.Errorf("whole %+v", r.Whole)
	}
}

func TestACoupledPairThatCanVanishUnnoticedIsHalfUndoneThoughTheWholeIsRed(t *testing.T) {
	half := func(text string) *harness.Red {
		if strings.Contains(text, "one") != strings.Contains(text, "two") {
			return assertion
		}
		return needs("three")(text)
	}
	plant := []change.Edit{{Path: "lib.x", Text: []byte("PLANT ")}}
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": half}, cover: []harness.TestID{"a"},
		notes: map[string]mutate.Note{
			"one":   {Defines: []string{"helper"}, Control: plant},
			"two":   {Uses: []string{"helper"}, Control: plant},
			"three": {Uses: []string{"other"}, Control: plant},
		}}
	expect(t, prove(t, Config{}, libChange("one", "two", "three"), l), HalfUndone, HalfUndone, Assertion)
}

func TestWhatTheTextSettlesIsNeverRun(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": never}, notes: map[string]mutate.Note{
		"one": {Nothing: mutate.Comment}, "two": {Ignored: "log text"}, "three": {Nothing: mutate.Imports},
	}}
	expect(t, prove(t, Config{}, libChange("one", "two", "three"), l), Comment, Ignored, Imports)
	if l.runs != 0 {
		t.Errorf("%d runs", l.runs)
	}
}

func TestABrokenTextIsInconclusiveWithoutARun(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("two")}, cover: []harness.TestID{"a"},
		notes: map[string]mutate.Note{"one": {Broken: "tests need x", Missing: "x"}}}
	expect(t, prove(t, Config{}, libChange("one", "two"), l), MissingSymbol, Assertion)
}

func TestABaselineThatIsAllRedIsCountedApart(t *testing.T) {
	l := &fakeLanguage{baseline: harness.Baseline{Red: []harness.Result{result("a", assertion)}}}
	r := prove(t, Config{}, libChange("one"), l)
	expect(t, r, BaselineRed)
	if r.Counts != (Counts{BaselineRed: 1}) {
		t.Errorf("counts %+v", r.Counts)
	}
}

func TestAHunkWhoseCoveringTestsAreAllRedAtHeadIsBaselineRed(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("two")}, excluded: []harness.TestID{"r"}}
	r := prove(t, Config{}, libChange("one"), l)
	expect(t, r, BaselineRed)
	if r.Counts != (Counts{BaselineRed: 1}) {
		t.Errorf("counts %+v", r.Counts)
	}
}

func TestABaselineThatDoesNotBuildStillGivesAReport(t *testing.T) {
	l := &fakeLanguage{baseline: harness.Baseline{Trouble: "syntax error", Phase: harness.PhaseBuild}}
	expect(t, prove(t, Config{}, libChange("one", "two"), l), DoesNotBuild, DoesNotBuild)
}

func TestTheBudgetEndsTheProofWithAFullReport(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one")}, cover: []harness.TestID{"a"}}
	r := prove(t, Config{Budget: 1}, libChange("one", "two"), l)
	expect(t, r, Budget, Budget)
	if r.NotReached.Budget != 2 {
		t.Errorf("not reached %+v", r.NotReached)
	}
}

func TestAnInterruptedProofReportsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one")}, cover: []harness.TestID{"a"}}
	l.onRun = func() {
		if l.runs == 4 {
			cancel()
		}
	}
	c := libChange("one", "two", "three")
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	r, err := Run(ctx, Config{}, c, []Language{{Name: "fake", Source: l, Harness: l}}, newTrees(1), Discard{})
	if !errors.Is(err, context.Canceled) || r == nil || len(r.Findings) != 3 || r.NotReached.Interrupted == 0 {
		t.Fatalf("report %+v, error %v", r, err)
	}
}

func TestATreeThatCannotTakeTheEditIsInconclusive(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one")}, cover: []harness.TestID{"a"}}
	c := libChange("one")
	trees := newTrees(1)
	trees.refuses = errors.New("lib.x: it is not what head holds")
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	r, err := Run(t.Context(), Config{}, c, []Language{{Name: "fake", Source: l, Harness: l}}, trees, Discard{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, Internal)
}

func TestTheClaim(t *testing.T) {
	testFile := func(names ...string) *change.File {
		f := &change.File{Path: "tests/t.x", OldPath: "tests/t.x", Kind: change.Test, Language: "fake"}
		for i, n := range names {
			f.New = append(f.New, n+"\nsame\n"...)
			f.Old = append(f.Old, "old\nsame\n"...)
			s := change.Span{Start: 2*i + 1, Lines: 1}
			h := &change.Hunk{ID: n, File: f, Old: s, New: s}
			h.Units = []*change.Unit{{Hunk: h, Old: s, New: s}}
			f.Hunks = append(f.Hunks, h)
		}
		return f
	}
	declared := func(id string) mutate.Note { return mutate.Note{Declaration: id} }
	rules := map[string]func(string) *harness.Red{"kills": needs("one"), "sleeps": needs("same"),
		"lacks": func(text string) *harness.Red {
			if !strings.Contains(text, "one") {
				return &harness.Red{Kind: harness.RedName, Phase: "call", Symbol: "helper"}
			}
			return nil
		}}
	for _, tt := range []struct {
		tests   []string
		verdict string
	}{
		{[]string{"kills"}, ClaimConfirmed},
		{[]string{"kills", "sleeps"}, ClaimConfirmed},
		{[]string{"sleeps"}, ClaimRefuted},
		{[]string{"lacks"}, ClaimCannotTell},
		{nil, ClaimCannotTell},
	} {
		t.Run(strings.Join(tt.tests, "+"), func(t *testing.T) {
			l := &fakeLanguage{rules: rules, cover: []harness.TestID{"kills"}, notes: map[string]mutate.Note{
				"one":   {Defines: []string{"helper"}, Control: []change.Edit{{Path: "lib.x", Text: []byte("PLANT ")}}},
				"kills": declared("kills"), "sleeps": declared("sleeps"), "lacks": declared("lacks")}}
			c := libChange("one")
			if tt.tests != nil {
				c.Files = append(c.Files, testFile(tt.tests...))
			}
			r := prove(t, Config{}, c, l)
			if r.Claim.Verdict != tt.verdict || len(r.Claim.Tests) != len(tt.tests) {
				t.Errorf("claim %+v, want %s", r.Claim, tt.verdict)
			}
		})
	}
}
