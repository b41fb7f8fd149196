package prove

import (
	"context"
	"reflect"
	"testing"

	"assay/change"
)

func TestEditsStandUnderATrialAndAreTakenOutAfterIt(t *testing.T) {
	pool := newTrees(1)
	standing := []change.Edit{{Path: "a_test", Start: 0, End: 3, Text: []byte("old")}, {Path: "gone_test", Op: change.Create, Text: []byte("x")}}
	tree, err := WithEdits(pool, standing).Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	disk := tree.(*pastTree).Tree.(*fakeTree)
	holds := func(when string, want ...change.Edit) {
		t.Helper()
		if !reflect.DeepEqual(disk.edits, want) {
			t.Errorf("%s the tree holds %+v, want %+v", when, disk.edits, want)
		}
	}
	holds("when lent", standing...)
	mutant := change.Edit{Path: "prod", Start: 1, End: 2, Text: []byte("m")}
	if err := tree.Apply([]change.Edit{mutant, {Path: "a_test", Start: 0, End: 1, Text: []byte("c")}}); err != nil {
		t.Fatal(err)
	}
	holds("with edits", change.Edit{Path: "a_test", Start: 0, End: 3, Text: []byte("cld")}, standing[1], mutant)
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	holds("restored", standing...)
	tree.Release()
	holds("given back")
}

func TestAMutantFindsItsPlaceInBase(t *testing.T) {
	old, neu := "a\nb\nc\nd\n", "a\nNEW\nb\nC\nd\n"
	f := &change.File{Path: "p", OldPath: "p", Old: []byte(old), New: []byte(neu)}
	f.Hunks = []*change.Hunk{
		{File: f, Old: change.Span{Start: 1}, New: change.Span{Start: 2, Lines: 1}},
		{File: f, Old: change.Span{Start: 3, Lines: 1}, New: change.Span{Start: 4, Lines: 1}},
	}
	s := shiftOf([]*change.File{f})
	for at, want := range map[int]int{0: 0, 6: 2, 10: 6} { // a, b, d
		got, ok := s.back([]change.Edit{{Path: "p", Start: at, End: at + 1, Text: []byte("x")}})
		if !ok || got[0].Start != want || old[got[0].Start] != neu[at] {
			t.Errorf("byte %d is %+v (%v), want %d", at, got, ok, want)
		}
	}
	for _, at := range []int{2, 8} { // NEW, C
		if got, ok := s.back([]change.Edit{{Path: "p", Start: at, End: at + 1}}); ok {
			t.Errorf("byte %d stands in a hunk, yet it is found at %+v", at, got)
		}
	}
	if got, ok := s.back([]change.Edit{{Path: "q", Start: 9, End: 9}}); !ok || got[0].Start != 9 {
		t.Errorf("a file that did not change moved: %+v %v", got, ok)
	}
}
