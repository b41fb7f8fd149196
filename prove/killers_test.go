package prove

import (
	"slices"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

func TestTestsThatKilledMutantsNearbyAreRunFirst(t *testing.T) {
	at := func(path string, line int) *grist {
		return &grist{Mutant: mutate.Mutant{Lines: change.Span{Start: line, Lines: 1}, Edits: []change.Edit{{Path: path}}}}
	}
	var k killers
	for _, dead := range []struct {
		path string
		line int
		test harness.TestID
		fate Fate
	}{{"a", 1, "far", Killed}, {"a", 10, "near", Killed}, {"a", 12, "near", Killed}, {"a", 11, "lucky", Lived}, {"b", 10, "elsewhere", Killed}, {"a", 8, "deselected", Killed}} {
		g := at(dead.path, dead.line)
		g.sentence = Sentence{Fate: dead.fate, Killers: []harness.TestID{dead.test}}
		k.add(g)
	}
	if got := k.near(at("a", 9), []harness.TestID{"far", "near", "lucky", "elsewhere"}); !slices.Equal(got, []harness.TestID{"near", "far"}) {
		t.Errorf("got %v", got)
	}
	for i := range 2 * manyFirst {
		g := at("c", i)
		g.sentence = Sentence{Fate: Killed, Killers: []harness.TestID{harness.TestID(rune('a' + i))}}
		k.add(g)
	}
	if got := k.near(at("c", 0), []harness.TestID{"a", "b", "c", "d", "e", "f", "g"}); len(got) != manyFirst {
		t.Errorf("%d tests come first", len(got))
	}
}
