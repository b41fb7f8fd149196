package change_test

import (
	"strings"
	"testing"

	"assay/change"
)

func TestApplyPutsSplicesWhereTheyBelong(t *testing.T) {
	splice := func(start, end int, text string) change.Edit {
		return change.Edit{Path: "f", Start: start, End: end, Text: []byte(text)}
	}
	for _, c := range []struct {
		name  string
		edits []change.Edit
		want  string
	}{
		{"none", nil, "abcdef"},
		{"replace", []change.Edit{splice(1, 3, "X")}, "aXdef"},
		{"in any order", []change.Edit{splice(4, 5, "Y"), splice(0, 1, "X")}, "XbcdYf"},
		{"touching", []change.Edit{splice(2, 4, "Y"), splice(0, 2, "X")}, "XYef"},
		{"insertions keep their order", []change.Edit{splice(3, 3, "1"), splice(3, 3, "2")}, "abc12def"},
		{"insertion before a replacement", []change.Edit{splice(3, 4, "R"), splice(3, 3, "I")}, "abcIRef"},
		{"at both ends", []change.Edit{splice(6, 6, ">"), splice(0, 0, "<")}, "<abcdef>"},
		{"everything", []change.Edit{splice(0, 6, "")}, ""},
	} {
		got, err := change.Apply([]byte("abcdef"), c.edits)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q %v, want %q", c.name, got, err, c.want)
		}
	}
	for _, c := range []struct {
		name  string
		edits []change.Edit
		says  string
	}{
		{"outside", []change.Edit{splice(5, 7, "")}, "outside"},
		{"negative", []change.Edit{splice(-1, 0, "")}, "outside"},
		{"backwards", []change.Edit{splice(3, 2, "")}, "outside"},
		{"overlap", []change.Edit{splice(0, 3, ""), splice(2, 4, "")}, "overlaps"},
		{"insertion within a replacement", []change.Edit{splice(0, 3, ""), splice(1, 1, "x")}, "overlaps"},
		{"created", []change.Edit{{Path: "f", Op: change.Create}}, "created"},
	} {
		if _, err := change.Apply([]byte("abcdef"), c.edits); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "f:") {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

func TestApplyLeavesItsArgumentsAlone(t *testing.T) {
	content := []byte("abc")
	edits := []change.Edit{{Start: 2, End: 3, Text: []byte("Z")}, {Start: 0, End: 1, Text: []byte("Y")}}
	got, err := change.Apply(content, edits)
	if err != nil || string(got) != "YbZ" || string(content) != "abc" || edits[0].Start != 2 {
		t.Errorf("got %q %v, content %q, edits %v", got, err, content, edits)
	}
	got[0] = '!'
	if string(content) != "abc" || string(edits[1].Text) != "Y" {
		t.Error("the result shares bytes with the arguments")
	}
}
