package prove

import (
	"fmt"
	"slices"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// A recorder keeps what is said of decisions.
type recorder struct{ heard []string }

func (r *recorder) Event(e Event) {
	if e.Finding != nil {
		r.heard = append(r.heard, fmt.Sprintf("%s %s %s %t", e.Stage, e.Finding.ID, e.Finding.Reason, e.Provisional))
	}
}

func TestADecisionThatOthersMayChangeIsSaidToBeProvisionalAndItsChangeIsTold(t *testing.T) {
	l := &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("two")}, cover: []harness.TestID{"a"}}
	c := libChange("one", "two")
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	ladder := fakeLadder{plans: map[string]func(map[string]*change.Unit) *mutate.Plan{"one": with("one", "two")}}
	heard := &recorder{}
	if _, err := Run(t.Context(), Config{}, c, []Language{{Name: "fake", Source: l, Harness: l, Ladder: ladder}}, newTrees(1), heard); err != nil {
		t.Fatal(err)
	}
	want := []string{"decided one assertion true", "decided two assertion false", "changed one half-undone false"}
	slices.Sort(heard.heard[:2]) // decided by whoever was first
	if !slices.Equal(heard.heard, want) {
		t.Errorf("heard %q, want %q", heard.heard, want)
	}
}
