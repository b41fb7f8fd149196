package prove

import (
	"testing"

	"assay/change"
	"assay/harness"
)

func TestAPlantIsProvenWhenEveryTestOfItIsRedTwice(t *testing.T) {
	red := func(ids ...harness.TestID) harness.Outcome {
		o := harness.Outcome{Phase: harness.PhaseRun, Complete: true}
		for _, id := range []harness.TestID{"a", "b"} {
			r := harness.Result{ID: id, Status: harness.Passed}
			for _, bad := range ids {
				if bad == id {
					r.Status, r.Red = harness.Failed, &harness.Red{Kind: harness.RedAssertion, Phase: "call"}
				}
			}
			o.Tests = append(o.Tests, r)
		}
		return o
	}
	both := []harness.TestID{"a", "b"}
	for _, tt := range []struct {
		name     string
		expected []harness.TestID
		runs     []harness.Outcome
		want     Reason
	}{
		{"all red, twice", both, []harness.Outcome{red("a", "b"), red("a", "b")}, Assertion},
		{"one stays green", both, []harness.Outcome{red("a"), red("a")}, Survived},
		{"one is green the second time", both, []harness.Outcome{red("a", "b"), red("b")}, Survived},
		{"one is not green without it", []harness.TestID{"a"}, []harness.Outcome{red("a", "b"), red("a", "b")}, BaselineRed},
		{"it does not build", both, []harness.Outcome{{Phase: harness.PhaseBuild}, {Phase: harness.PhaseBuild}}, DoesNotBuild},
	} {
		e := Evidence{Expected: tt.expected, Kind: func(string) change.Kind { return change.Production }}
		if d := judgePlant(e, both, tt.runs); d.Reason != tt.want || d.Verdict != tt.want.Of() {
			t.Errorf("%s: %s %s (%s), want %s", tt.name, d.Verdict, d.Reason, d.Detail, tt.want)
		}
	}
}
