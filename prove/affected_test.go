package prove

import (
	"testing"

	"assay/change"
	"assay/mutate"
)

func TestOnlyAWholeTestOfANewNameIsPlainlyNew(t *testing.T) {
	const base = "def test_old():\n    assert True\n"
	for _, tt := range []struct {
		what    string
		kind    change.Kind
		old     int
		declare string
		defines []string
		want    bool
	}{
		{"a new test", change.Test, 0, "test_new", []string{"test_new"}, true},
		{"a new method of a class", change.Test, 0, "TestThing.test_new", []string{"TestThing.test_new"}, true},
		{"a second test of an old name", change.Test, 0, "test_old", []string{"test_old"}, false},
		{"lines of an old test", change.Test, 0, "test_new", nil, false},
		{"a test that replaces lines", change.Test, 1, "test_new", []string{"test_new"}, false},
		{"what runs around all tests", change.Test, 0, "TestMain", []string{"TestMain"}, false},
		{"a helper", change.Test, 0, "helper", []string{"helper"}, false},
		{"a fixture", change.Support, 0, "test_new", []string{"test_new"}, false},
	} {
		f := &change.File{Path: "test_a.py", Kind: tt.kind, Old: []byte(base)}
		h := &change.Hunk{File: f}
		s := &subject{hunk: h, unit: &change.Unit{Hunk: h, Old: change.Span{Start: 1, Lines: tt.old}},
			note: &mutate.Note{Declaration: tt.declare, Defines: tt.defines}}
		got := (&gatedHunk{hunk: h, subjects: []*subject{s}}).plainlyNew()
		if got != tt.want || s.settled != tt.want {
			t.Errorf("%s: plainly new %v, settled %v; want %v", tt.what, got, s.settled, tt.want)
		}
	}
}
