package prove

import (
	"context"
	"slices"
	"testing"

	"assay/harness"
	"assay/mutate"
)

func TestARunToTheFirstRedLeavesOutWhoIsNotGreenAtHead(t *testing.T) {
	sel := harness.Selection{Tests: []harness.TestID{"a", "b", "c"}, Baselined: true}
	got := only(sel, []harness.TestID{"c", "a"})
	if !slices.Equal(got.Tests, []harness.TestID{"a", "c"}) || got.Baselined {
		t.Errorf("got %+v, want a and c, which nobody ran by themselves", got)
	}
	if same := only(sel, []harness.TestID{"a", "b", "c"}); !slices.Equal(same.Tests, sel.Tests) || !same.Baselined {
		t.Errorf("got %+v, want the selection as it was", same)
	}
}

// A companyLanguage has a test a that is red with an edit only when b ran
// before it in the same process.
type companyLanguage struct {
	*preparedLanguage
	jobs []harness.Job
}

func (l *companyLanguage) Open(context.Context, string, harness.Options) (harness.Session, error) {
	return l, nil
}

func (l *companyLanguage) Try(ctx context.Context, job harness.Job) (harness.Outcome, bool, error) {
	alone := len(job.Edits) > 0 && len(job.Selection.Tests) == 1
	l.jobs = append(l.jobs, job)
	if alone {
		job.Edits = nil
	}
	o, err := l.Run(ctx, job)
	return o, true, err
}

func TestARedThatNeedsCompanyIsRepeatedInItAndHeldAgainstHead(t *testing.T) {
	rules := map[string]func(string) *harness.Red{"a": needs("one"), "b": never}
	l := &companyLanguage{preparedLanguage: &preparedLanguage{fakeLanguage: &fakeLanguage{rules: rules, cover: []harness.TestID{"b", "a"}}}}
	c := whole()
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	r, err := Mutate(t.Context(), Config{}, Question{Operators: []string{"word"}, Sample: 1, Seed: 1}, c,
		[]Language{{Name: "fake", Source: l.fakeLanguage, Harness: l, Mutator: oneMutant{}}}, newTrees(1), Discard{})
	if err != nil || r.Counts.Killed != 1 {
		t.Fatalf("%v, counts %+v", err, r.Counts)
	}
	var edited []harness.Job
	for _, j := range l.jobs {
		if len(j.Edits) > 0 {
			edited = append(edited, j)
		}
	}
	if len(edited) != 3 || len(edited[1].Selection.Tests) != 1 || len(edited[2].Selection.Tests) != 2 {
		t.Fatalf("%d runs with the edit, want one of all, one of the red, one of all again", len(edited))
	}
	if !edited[0].FirstRed || edited[2].FirstRed {
		t.Error("the last run may end at its first red, which then need be green at head only by itself")
	}
}

// A oneMutant takes out the word that a needs.
type oneMutant struct{ fakeMutator }

func (m oneMutant) Mutants(ctx context.Context, dir string, targets []mutate.Target, names []string) (mutate.Crop, error) {
	crop, err := m.fakeMutator.Mutants(ctx, dir, targets, names)
	crop.Mutants = crop.Mutants[:1]
	return crop, err
}
