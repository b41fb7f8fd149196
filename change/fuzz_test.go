package change_test

import (
	"bytes"
	"testing"

	"assay/change"
)

// lines cuts text after each line end, as git does.
func lines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	all := bytes.SplitAfter(text, []byte("\n"))
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	return all
}

// diff returns the hunks that turn old into neu by a longest common
// subsequence of lines, with spans as a diff without context writes them. It
// knows nothing of package change but its nouns.
func diff(f *change.File) {
	a, b := lines(f.Old), lines(f.New)
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if bytes.Equal(a[i], b[j]) {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && bytes.Equal(a[i], b[j]) {
			i, j = i+1, j+1
			continue
		}
		k, l := i, j
		for k < len(a) || l < len(b) {
			if k < len(a) && l < len(b) && bytes.Equal(a[k], b[l]) {
				break
			}
			if l == len(b) || k < len(a) && common[k+1][l] >= common[k][l+1] {
				k++
			} else {
				l++
			}
		}
		h := &change.Hunk{File: f, Old: span(i, k), New: span(j, l)}
		h.Units = []*change.Unit{{Hunk: h, Old: h.Old, New: h.New}}
		f.Hunks = append(f.Hunks, h)
		i, j = k, l
	}
}

func span(from, to int) change.Span {
	if from == to {
		return change.Span{Start: from, Lines: 0}
	}
	return change.Span{Start: from + 1, Lines: to - from}
}

// FuzzUndoOfEveryHunkGivesTheBase holds the property that everything stands
// on: putting back the base side of all hunks turns head into base, byte by
// byte, whatever the line ends; and putting back one changes only its lines.
func FuzzUndoOfEveryHunkGivesTheBase(f *testing.F) {
	for _, s := range [][2]string{
		{"", ""}, {"a\n", ""}, {"", "a"}, {"a\nb\nc\n", "a\nc\n"}, {"a", "a\n"}, {"a\r\nb\r\n", "a\nb\r\n"},
		{"a\nb\nc\nd\n", "x\nb\ny\nd"}, {"\n\n\n", "\n"}, {"caf\xe9\n", "caf\xe8\n"}, {"a\nb", "b\na"}, {"1\n2\n3\n", "0\n1\n2\n2\n3\n4\n"},
	} {
		f.Add([]byte(s[0]), []byte(s[1]))
	}
	f.Fuzz(func(t *testing.T, old, neu []byte) {
		if len(old) > 2000 || len(neu) > 2000 {
			return // the subsequence takes room for the product
		}
		file := &change.File{Path: "f", OldPath: "f", Old: old, New: neu}
		diff(file)
		var all []change.Edit
		for _, h := range file.Hunks {
			e := h.Undo()
			all = append(all, e)
			if unit := h.Units[0].Undo(); unit.Start != e.Start || unit.End != e.End || !bytes.Equal(unit.Text, e.Text) {
				t.Fatalf("unit %+v, hunk %+v", unit, e)
			}
			one, err := change.Apply(neu, []change.Edit{e})
			if err != nil {
				t.Fatal(err)
			}
			want := bytes.Join([][]byte{neu[:e.Start], h.OldText(), neu[e.End:]}, nil)
			if !bytes.Equal(one, want) || !bytes.Equal(neu[e.Start:e.End], h.NewText()) {
				t.Fatalf("hunk -%s +%s alone gives %q, want %q", h.Old, h.New, one, want)
			}
		}
		got, err := change.Apply(neu, all)
		if err != nil || !bytes.Equal(got, old) {
			t.Fatalf("got %q %v, want %q", got, err, old)
		}
	})
}

// FuzzSpanStaysInside holds that no span, however wrong, reaches outside.
func FuzzSpanStaysInside(f *testing.F) {
	f.Add([]byte("a\nb\n"), 1, 1)
	f.Add([]byte("a\nb"), 2, 9)
	f.Add([]byte(""), 0, 0)
	f.Fuzz(func(t *testing.T, content []byte, start, n int) {
		if start < 0 || n < 0 || start > 1<<20 || n > 1<<20 {
			return
		}
		from, to := change.Span{Start: start, Lines: n}.Bytes(content)
		if from < 0 || from > to || to > len(content) {
			t.Fatalf("[%d,%d) of %d bytes", from, to, len(content))
		}
		if from > 0 && from < len(content) && content[from-1] != '\n' {
			t.Fatalf("starts within a line, at %d", from)
		}
		if got := change.CountLines(content[from:to]); got > n {
			t.Fatalf("%d lines of %d", got, n)
		}
	})
}
