package mutate_test

import (
	"slices"
	"testing"

	"assay/change"
	"assay/mutate"
)

func TestTheUsersOfATestHelperAreFoundThroughOthers(t *testing.T) {
	text := "def check():\n  pass\ndef both():\n  check()\nclass T:\n  def test_a(self):\n    both()\n  def test_b(self):\n    checked()\nX = check\n"
	sections := []mutate.Section{
		{Name: "def check", First: 1, Last: 2}, {Name: "def both", First: 3, Last: 4},
		{Name: "class T", First: 5, Last: 9, Parts: []mutate.Section{{Name: "def T.test_a", First: 6, Last: 7}, {Name: "def T.test_b", First: 8, Last: 9}}},
		{Name: "X", First: 10, Last: 10},
	}
	for kind, want := range map[change.Kind][]string{
		change.Test:       {"check", "both", "T.test_a"},
		change.Production: nil,
	} {
		f := &change.File{Path: "t.py", Kind: kind, New: []byte(text)}
		n := &mutate.Note{Declaration: "check"}
		n.UsedBy(&change.Unit{Hunk: &change.Hunk{File: f}}, sections)
		if !slices.Equal(n.Users, want) {
			t.Errorf("%v: used by %q, want %q", kind, n.Users, want)
		}
	}
}
