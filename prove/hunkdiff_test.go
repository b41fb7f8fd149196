package prove

import (
	"testing"

	"assay/change"
)

// diffsOf shows the hunks of one file whose spans are given as old start, old
// lines, new start, new lines.
func diffsOf(old, neu string, spans ...[4]int) []string {
	f := &change.File{Path: "a", OldPath: "a", Old: []byte(old), New: []byte(neu)}
	var out []string
	for _, s := range spans {
		f.Hunks = append(f.Hunks, &change.Hunk{File: f, Old: change.Span{Start: s[0], Lines: s[1]}, New: change.Span{Start: s[2], Lines: s[3]}})
	}
	for _, h := range f.Hunks {
		out = append(out, hunkDiff(h))
	}
	return out
}

func TestAHunkIsShownWithWhatStandsAroundItAndNothingOfItsNeighbours(t *testing.T) {
	for name, c := range map[string]struct {
		old, neu string
		spans    [][4]int
		want     []string
	}{
		"replaced in the middle": {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n", [][4]int{{5, 1, 5, 1}},
			[]string{"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n"}},
		"added at the top": {"1\n2\n", "0\n1\n2\n", [][4]int{{0, 0, 1, 1}},
			[]string{"@@ -1,2 +1,3 @@\n+0\n 1\n 2\n"}},
		"deleted at the end": {"1\n2\n3\n", "1\n2\n", [][4]int{{3, 1, 2, 0}},
			[]string{"@@ -1,3 +1,2 @@\n 1\n 2\n-3\n"}},
		"an added file without a last line end": {"", "1\n2", [][4]int{{0, 0, 1, 2}},
			[]string{"@@ -0,0 +1,2 @@\n+1\n+2\n\\ No newline at end of file\n"}},
		"everything deleted": {"1\n", "", [][4]int{{1, 1, 0, 0}},
			[]string{"@@ -1,1 +0,0 @@\n-1\n"}},
		"neighbours one line apart": {"1\n2\n3\n", "X\n2\nY\n", [][4]int{{1, 1, 1, 1}, {3, 1, 3, 1}},
			[]string{"@@ -1,2 +1,2 @@\n-1\n+X\n 2\n", "@@ -2,2 +2,2 @@\n 2\n-3\n+Y\n"}},
		"a deletion beside an edit": {"1\n2\n3\n4\n", "1\n3\nY\n", [][4]int{{2, 1, 1, 0}, {4, 1, 3, 1}},
			[]string{"@@ -1,3 +1,2 @@\n 1\n-2\n 3\n", "@@ -3,2 +2,2 @@\n 3\n-4\n+Y\n"}},
		"carriage returns stay": {"1\r\n", "2\r\n", [][4]int{{1, 1, 1, 1}},
			[]string{"@@ -1,1 +1,1 @@\n-1\r\n+2\r\n"}},
	} {
		got := diffsOf(c.old, c.neu, c.spans...)
		for i := range c.want {
			if got[i] != c.want[i] {
				t.Errorf("%s, hunk %d: got\n%q\nwant\n%q", name, i, got[i], c.want[i])
			}
		}
	}
	if got := hunkDiff(&change.Hunk{Whole: true, File: &change.File{Form: change.Binary}}); got != "" {
		t.Errorf("a binary file is shown as %q", got)
	}
}
