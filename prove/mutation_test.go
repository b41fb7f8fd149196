package prove

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// A fakeMutator makes one mutant of every line of lib.x, in which the line's
// first word is taken out.
type fakeMutator struct{ suppressed string }

func (fakeMutator) Operators() []mutate.Operator {
	return []mutate.Operator{{Name: "word", Doc: "a word is gone"}, {Name: "other", Doc: "the same, of less worth"}}
}

func (m fakeMutator) Mutants(_ context.Context, _ string, targets []mutate.Target, _ []string) (mutate.Crop, error) {
	crop := mutate.Crop{Notes: []string{"a note"}}
	at := 0
	for i, line := range strings.SplitAfter(m.text(), "\n") {
		word := strings.TrimSuffix(line, "\n")
		span := change.Span{Start: i + 1, Lines: 1}
		for _, operator := range []string{"other", "word"} {
			if word == "" || !targets[0].Wants(span) {
				continue
			}
			mutant := mutate.Mutant{Operator: operator, Description: word + " is gone", Function: "func " + word, Lines: span,
				Edits: []change.Edit{{Path: "lib.x", Start: at, End: at + len(word), Text: []byte(strings.Repeat(" ", len(operator)))}}}
			if word == m.suppressed {
				mutant.Suppressed = "a rule"
			}
			crop.Mutants = append(crop.Mutants, mutant)
		}
		at += len(line)
	}
	return crop, nil
}

func (fakeMutator) text() string { return "one\nsame\ntwo\nsame\n" }

// A preparedLanguage is a fakeLanguage that prepares edits, except those that take
// out a word of stubborn; each way of running is counted.
type preparedLanguage struct {
	*fakeLanguage
	stubborn string
	hits     map[string][]harness.TestID // by the word taken out; nil: not known

	lock            sync.Mutex
	variants, tried int
}

func (l *preparedLanguage) Open(context.Context, string, harness.Options) (harness.Session, error) {
	return l, nil
}

func (l *preparedLanguage) Prepare(_ context.Context, _ string, variants [][]change.Edit) error {
	l.variants += len(variants)
	return nil
}

func (l *preparedLanguage) word(edits []change.Edit) string {
	if len(edits) == 0 {
		return ""
	}
	return l.head["lib.x"][edits[0].Start:edits[0].End]
}

func (l *preparedLanguage) Try(ctx context.Context, job harness.Job) (o harness.Outcome, done bool, err error) {
	if l.stubborn != "" && l.word(job.Edits) == l.stubborn {
		return o, false, nil
	}
	l.lock.Lock()
	l.tried++
	l.lock.Unlock()
	o, err = l.Run(ctx, job)
	return o, true, err
}

func (l *preparedLanguage) Hits(edits []change.Edit) ([]harness.TestID, bool) {
	if l.hits == nil || len(edits) == 0 {
		return nil, false
	}
	return l.hits[l.word(edits)], true
}

// whole is lib.x as if it were added.
func whole() *change.Change {
	c := libChange("one", "two")
	f := c.Files[0]
	f.Status, f.Old, f.Kind = change.Added, nil, change.Production
	h := &change.Hunk{ID: "whole", File: f, New: change.Span{Start: 1, Lines: 4}}
	h.Units = []*change.Unit{{Hunk: h, New: h.New}}
	f.Hunks = []*change.Hunk{h}
	return c
}

func mutated(t *testing.T, q Question, l *preparedLanguage, m mutate.Mutator) *MutationReport {
	t.Helper()
	c := whole()
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	r, err := Mutate(t.Context(), Config{}, q, c, []Language{{Name: "fake", Source: l.fakeLanguage, Harness: l, Mutator: m}}, newTrees(2), Discard{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func fates(r *MutationReport) (all []string) {
	for _, m := range r.Mutants {
		all = append(all, m.Description+" "+m.Status.String())
	}
	return all
}

func TestMutantsAreKilledSurviveOrAreSuppressed(t *testing.T) {
	l := &preparedLanguage{fakeLanguage: &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one"), "b": never}, cover: []harness.TestID{"a", "b"}}}
	r := mutated(t, Question{}, l, fakeMutator{suppressed: "same"})
	want := []string{"one is gone killed", "one is gone killed", "same is gone suppressed", "same is gone suppressed",
		"two is gone survived", "two is gone survived", "same is gone suppressed", "same is gone suppressed"}
	if got := fates(r); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if r.Counts != (Tally{Killed: 2, Survived: 2, Suppressed: 4}) || r.Score == nil || *r.Score != 50 {
		t.Errorf("counts %+v", r.Counts)
	}
	m := r.Mutants[0]
	if len(m.Killers) != 1 || m.Killers[0] != "a" || !strings.Contains(m.Edit, "-one") || len(m.Runs) != 2 || m.Start != (Position{1, 1}) || m.End != (Position{1, 4}) {
		t.Errorf("the evidence is not reported: %+v", m)
	}
	if l.variants != 4 || l.tried == 0 {
		t.Errorf("%d variants prepared, %d runs of them", l.variants, l.tried)
	}
	if len(r.Functions) != 3 || r.Functions[0].Name != "func one" || *r.Functions[0].Score != 100 || r.Functions[1].Score != nil {
		t.Errorf("functions %+v", r.Functions)
	}
	if !slices.Contains(r.Notes, "fake: a note") || len(r.Sources) != 1 {
		t.Errorf("notes %q, %d sources", r.Notes, len(r.Sources))
	}
	ids := map[string]bool{}
	for _, m := range r.Mutants {
		ids[m.ID] = true
	}
	if len(ids) != len(r.Mutants) {
		t.Error("two mutants share an ID")
	}
}

func TestAMutantThatCannotBePreparedIsRunOnDisk(t *testing.T) {
	l := &preparedLanguage{stubborn: "one", fakeLanguage: &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one")}, cover: []harness.TestID{"a"}}}
	if r := mutated(t, Question{}, l, fakeMutator{suppressed: "same"}); r.Counts.Killed != 2 {
		t.Errorf("counts %+v", r.Counts)
	}
	if l.runs == l.tried {
		t.Error("nothing was run on disk")
	}
}

func TestWithOnDiskASurvivorIsConfirmedOnDisk(t *testing.T) {
	rules := map[string]func(string) *harness.Red{"a": never}
	prepared := &preparedLanguage{fakeLanguage: &fakeLanguage{rules: rules, cover: []harness.TestID{"a"}}}
	mutated(t, Question{}, prepared, fakeMutator{suppressed: "same"})
	sure := &preparedLanguage{fakeLanguage: &fakeLanguage{rules: rules, cover: []harness.TestID{"a"}}}
	r := mutated(t, Question{OnDisk: true}, sure, fakeMutator{suppressed: "same"})
	if prepared.runs != prepared.tried || sure.runs-sure.tried != r.Counts.Survived || r.Counts.Survived != 4 {
		t.Errorf("%d and %d runs on disk of %d survivors", prepared.runs-prepared.tried, sure.runs-sure.tried, r.Counts.Survived)
	}
}

func TestAMutantThatNoTestComesByIsUncovered(t *testing.T) {
	l := &preparedLanguage{hits: map[string][]harness.TestID{"one": {"a"}}, fakeLanguage: &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one"), "b": never}}}
	r := mutated(t, Question{}, l, fakeMutator{suppressed: "same"})
	if r.Counts != (Tally{Killed: 2, Uncovered: 2, Suppressed: 4}) {
		t.Errorf("counts %+v: %q", r.Counts, fates(r))
	}
}

func TestMutantsAreRunInThePlainEnvironmentAndAReportSaysSo(t *testing.T) {
	c := whole()
	l := &preparedLanguage{fakeLanguage: &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one")}, cover: []harness.TestID{"a"}}}
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	langs := []Language{{Name: "fake", Source: l.fakeLanguage, Harness: l, Mutator: fakeMutator{}}}
	r, err := Mutate(t.Context(), Config{EnvSets: []EnvSet{{Name: "tz"}}}, Question{}, c, langs, newTrees(2), Discard{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Baseline.Languages) != 1 || !slices.Contains(r.Notes, plainOnly("[[env]] tz")) {
		t.Errorf("baselines %+v, notes %q", r.Baseline.Languages, r.Notes)
	}
	p := newProof(Config{}, c, langs, newTrees(1), Discard{})
	p.lanes = []*lane{{Language: langs[0]}, {Language: langs[0], under: EnvSet{Name: "tz"}}}
	all, err := p.crop(t.Context(), p.fields(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if again := slices.DeleteFunc(all, func(g *grist) bool { return g.lane == p.lanes[0] }); len(again) > 0 || !slices.Contains(p.notes, plainOnly("fake under tz")) {
		t.Errorf("%d mutants in the second lane, notes %q", len(again), p.notes)
	}
}

func TestASampleCanBeDrawnAgain(t *testing.T) {
	draw := func(seed uint64) []string {
		l := &preparedLanguage{fakeLanguage: &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": never}, cover: []harness.TestID{"a"}}}
		r := mutated(t, Question{Sample: 3, Seed: seed}, l, fakeMutator{})
		if r.Sample != (Sample{Of: 8, Taken: 3, Seed: seed}) || len(r.Mutants) != 3 {
			t.Errorf("sample %+v with %d mutants", r.Sample, len(r.Mutants))
		}
		var ids []string
		for _, m := range r.Mutants {
			ids = append(ids, m.ID)
		}
		return ids
	}
	first, differs := draw(1), false
	if !slices.Equal(first, draw(1)) {
		t.Error("the same seed drew another sample")
	}
	for seed := range uint64(20) {
		differs = differs || !slices.Equal(first, draw(seed+2))
	}
	if !differs {
		t.Error("every seed draws the same sample")
	}
}

func TestAnInterruptedMutationRunReportsWhatItDidNotReach(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := &preparedLanguage{fakeLanguage: &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": never}, cover: []harness.TestID{"a"}, head: map[string]string{"lib.x": "one\nsame\ntwo\nsame\n"}}}
	l.onRun = cancel
	r, err := Mutate(ctx, Config{}, Question{}, whole(), []Language{{Name: "fake", Source: l.fakeLanguage, Harness: l, Mutator: fakeMutator{}}}, newTrees(1), Discard{})
	if !errors.Is(err, context.Canceled) || r == nil || r.Counts.NotReached != 8 || len(r.Mutants) != 8 {
		t.Fatalf("%v, report %+v", err, r)
	}
}

func TestDeepSaysHowManyMutantsOfAHunkAreNoticed(t *testing.T) {
	l := &preparedLanguage{fakeLanguage: &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one"), "b": needs("two")}, cover: []harness.TestID{"a"}}}
	c := libChange("one", "two", "three")
	c.Files[0].Kind = change.Production
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	langs := []Language{{Name: "fake", Source: l.fakeLanguage, Harness: l, Mutator: deepMutator{}}}
	r, err := Run(t.Context(), Config{Deep: true}, c, langs, newTrees(2), Discard{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, Assertion, Assertion, Survived)
	for i, want := range []MutantScore{{Noticed: 1, Of: 1}, {Noticed: 1, Of: 1}, {Of: 1}} {
		f := r.Findings[i]
		if f.Mutants == nil || f.Mutants.Noticed != want.Noticed || f.Mutants.Of != want.Of || len(f.Mutants.Survivors) != want.Of-want.Noticed {
			t.Errorf("hunk %s: %+v, want %+v", f.ID, f.Mutants, want)
			continue
		}
		for _, id := range f.Mutants.Survivors {
			at := slices.IndexFunc(f.Trials, func(t TrialReport) bool { return t.ID == id })
			if at < 0 || f.Trials[at].Purpose != "mutant" || !strings.Contains(f.Trials[at].Edit, "-three") {
				t.Errorf("survivor %s is no trial with a patch: %+v", id, f.Trials)
			}
		}
	}
	shallow, err := Run(t.Context(), Config{}, c, langs, newTrees(2), Discard{})
	if err != nil || shallow.Findings[0].Mutants != nil {
		t.Errorf("mutants without --deep: %+v %v", shallow.Findings[0].Mutants, err)
	}
}

// deepMutator is fakeMutator for the text of three words.
type deepMutator struct{ fakeMutator }

func (deepMutator) Mutants(_ context.Context, _ string, targets []mutate.Target, _ []string) (mutate.Crop, error) {
	var crop mutate.Crop
	at := 0
	for i, word := range []string{"one", "same", "two", "same", "three"} {
		lines := change.Span{Start: i + 1, Lines: 1}
		for _, operator := range []string{"other", "word"} {
			if targets[0].Wants(lines) {
				crop.Mutants = append(crop.Mutants, mutate.Mutant{Operator: operator, Lines: lines,
					Edits: []change.Edit{{Path: "lib.x", Start: at, End: at + len(word), Text: []byte(operator)}}})
			}
		}
		at += len(word) + 1
	}
	return crop, nil
}

func TestDeepSaysThatALanguageHasNoMutants(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("one")}, cover: []harness.TestID{"a"}}
	c := libChange("one")
	c.Files[0].Kind = change.Production
	r := prove(t, Config{Deep: true}, c, l)
	if r.Findings[0].Mutants != nil || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "fake: assay has no mutants") }) {
		t.Errorf("mutants %+v, notes %q", r.Findings[0].Mutants, r.Notes)
	}
}
