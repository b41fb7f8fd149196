package prove

import "testing"

func TestOnlyTheSameObjectionToTheSameHunkIsKnown(t *testing.T) {
	earlier := &Report{Head: "abc", Findings: []Finding{
		{ID: "same", Verdict: NotProven, Reason: Survived},
		{ID: "other-reason", Verdict: NotProven, Reason: Uncovered},
		{ID: "mended", Verdict: NotProven, Reason: Survived},
		{ID: "edited-away", Verdict: Inconclusive, Reason: Flaky},
		{ID: "was-fine", Verdict: Proven, Reason: Assertion},
	}}
	r := &Report{Findings: []Finding{
		{ID: "same", Verdict: NotProven, Reason: Survived},
		{ID: "other-reason", Verdict: NotProven, Reason: Survived},
		{ID: "mended", Verdict: Proven, Reason: Assertion},
		{ID: "was-fine", Verdict: NotProven, Reason: Survived},
		{ID: "new", Verdict: Inconclusive, Reason: BaselineRed},
	}}
	r.Compare(earlier)
	if want := (Compared{With: "abc", New: 3, Known: 1, Gone: 2}); *r.Compared != want {
		t.Errorf("compared is %+v, want %+v", *r.Compared, want)
	}
	for _, f := range r.Findings {
		if f.Known != (f.ID == "same") {
			t.Errorf("%s: known is %v", f.ID, f.Known)
		}
	}
	if want := (Counts{Proven: 1, NotProven: 2, BaselineRed: 1}); r.Fresh() != want {
		t.Errorf("fresh is %+v, want %+v", r.Fresh(), want)
	}
}
