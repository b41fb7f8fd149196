package change_test

import (
	"bytes"
	"testing"

	"assay/change"
)

func TestASpanIsItsLinesWithTheirEnds(t *testing.T) {
	const text = "one\ntwo\r\n\nlast"
	for _, c := range []struct {
		span       change.Span
		start, end int
		of         string
		last       int
		str        string
	}{
		{change.Span{Start: 1, Lines: 1}, 0, 4, "one\n", 1, "1"},
		{change.Span{Start: 2, Lines: 2}, 4, 10, "two\r\n\n", 3, "2,2"},
		{change.Span{Start: 4, Lines: 1}, 10, 14, "last", 4, "4"},
		{change.Span{Start: 1, Lines: 4}, 0, 14, text, 4, "1,4"},
		{change.Span{Start: 0, Lines: 0}, 0, 0, "", 0, "0,0"},
		{change.Span{Start: 1, Lines: 0}, 4, 4, "", 1, "1,0"},
		{change.Span{Start: 4, Lines: 0}, 14, 14, "", 4, "4,0"},
		{change.Span{Start: 9, Lines: 3}, 14, 14, "", 11, "9,3"},
	} {
		start, end := c.span.Bytes([]byte(text))
		if start != c.start || end != c.end || string(c.span.Of([]byte(text))) != c.of || c.span.End() != c.last || c.span.String() != c.str {
			t.Errorf("%v: [%d,%d) %q ends %d", c.span, start, end, c.span.Of([]byte(text)), c.span.End())
		}
	}
}

func TestCountLinesCountsAsGitDoes(t *testing.T) {
	for text, want := range map[string]int{"": 0, "\n": 1, "a": 1, "a\n": 1, "a\nb": 2, "a\n\n": 2, "\r": 1} {
		if got := change.CountLines([]byte(text)); got != want {
			t.Errorf("%q has %d lines, want %d", text, got, want)
		}
	}
}

// A span's text may be appended to without harm to the file it was cut from.
func TestOfDoesNotLendItsNeighbours(t *testing.T) {
	content := []byte("a\nb\n")
	_ = append(change.Span{Start: 1, Lines: 1}.Of(content), 'X')
	if string(content) != "a\nb\n" {
		t.Errorf("content became %q", content)
	}
}

func TestUndoOfWholeFiles(t *testing.T) {
	text := []byte("a\nb\n")
	added := &change.Hunk{File: &change.File{Path: "f", Status: change.Added, New: text}, New: change.Span{Start: 1, Lines: 2}}
	if e := added.Undo(); e.Op != change.Remove || e.Path != "f" {
		t.Errorf("added: %+v", e)
	}
	part := &change.Unit{Hunk: added, New: change.Span{Start: 2, Lines: 1}}
	if e := part.Undo(); e.Op != change.Splice || e.Start != 2 || e.End != 4 || len(e.Text) != 0 {
		t.Errorf("part of added: %+v", e)
	}
	empty := &change.Hunk{File: &change.File{Path: "f", Status: change.Added, New: []byte{}}, Whole: true}
	if e := empty.Undo(); e.Op != change.Remove {
		t.Errorf("added empty: %+v", e)
	}
	deleted := &change.Hunk{File: &change.File{Path: "f", Status: change.Deleted, Old: text, OldMode: 0o100755}, Old: change.Span{Start: 1, Lines: 2}}
	if e := deleted.Undo(); e.Op != change.Create || !bytes.Equal(e.Text, text) || e.Mode != 0o100755 {
		t.Errorf("deleted: %+v", e)
	}
}

func TestNamesOfHunks(t *testing.T) {
	f := &change.File{Path: "p/f.go"}
	h := &change.Hunk{File: f, Old: change.Span{Start: 7, Lines: 1}, New: change.Span{Start: 9, Lines: 0}}
	if h.Name() != "p/f.go:9" {
		t.Error(h.Name())
	}
	if f.Status = change.Deleted; h.Name() != "p/f.go:7" {
		t.Error(h.Name())
	}
	if h.Whole = true; h.Name() != "p/f.go" {
		t.Error(h.Name())
	}
}

func TestHunkIDsTellPartsApart(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []string{
		change.HunkID("f", []byte("a"), []byte("b"), 0),
		change.HunkID("f", []byte("a"), []byte("b"), 1),
		change.HunkID("f", []byte("ab"), nil, 0),
		change.HunkID("f", nil, []byte("ab"), 0),
		change.HunkID("fa", nil, []byte("b"), 0),
		change.HunkID("f", []byte("b"), []byte("a"), 0),
	} {
		if seen[id] || len(id) != 12 {
			t.Errorf("%q again, or of the wrong length", id)
		}
		seen[id] = true
	}
	// Reports of earlier versions are compared by ID: it may never change.
	if got := change.HunkID("f", []byte("a"), []byte("b"), 0); got != "622675b633d8" {
		t.Errorf("the ID has become %s", got)
	}
}

func TestAChangeFindsItsHunks(t *testing.T) {
	a, b := &change.Hunk{ID: "a"}, &change.Hunk{ID: "b"}
	c := &change.Change{Files: []*change.File{{Hunks: []*change.Hunk{a}}, {}, {Hunks: []*change.Hunk{b}}}}
	if got := c.Hunks(); len(got) != 2 || got[0] != a || got[1] != b {
		t.Errorf("got %v", got)
	}
	if c.Hunk("b") != b || c.Hunk("c") != nil {
		t.Error("found the wrong hunk")
	}
}
