package worktree

import (
	"bytes"
	"fmt"
	"testing"
)

// FuzzParsePatch holds that no text of a hunk is taken for a header: the
// parser finds exactly the hunks that were written, whatever they hold.
func FuzzParsePatch(f *testing.F) {
	f.Add([]byte("a\n"), []byte("b\n"))
	f.Add([]byte("@@ -1 +1 @@\ndiff --git a/x b/x\n"), []byte("Binary files a and b differ"))
	f.Add([]byte("\\ No newline at end of file\n"), []byte("index 1..2\n"))
	f.Fuzz(func(t *testing.T, old, neu []byte) {
		var patch bytes.Buffer
		patch.WriteString("diff --git a/x b/x\nindex 12..34 100644\n--- a/x\n+++ b/x\n")
		var want []spans
		for i := range 2 {
			var h spans
			h.old.Start, h.neu.Start = 10*i+1, 20*i+1
			body := hunkBody(&h.old.Lines, '-', old)
			body = append(body, hunkBody(&h.neu.Lines, '+', neu)...)
			_, _ = fmt.Fprintf(&patch, "@@ -%d,%d +%d,%d @@ func x() {\n%s", h.old.Start, h.old.Lines, h.neu.Start, h.neu.Lines, body)
			want = append(want, h)
		}
		patch.WriteString("diff --git a/y b/y\nBinary files a/y and b/y differ\n")
		got, err := parsePatch(patch.Bytes())
		if err != nil || len(got) != 2 || got[0].binary || !got[1].binary || got[0].newID != "34" {
			t.Fatalf("got %+v %v from\n%s", got, err, patch.Bytes())
		}
		if fmt.Sprint(got[0].hunks) != fmt.Sprint(want) {
			t.Fatalf("got %v, want %v", got[0].hunks, want)
		}
	})
}

func hunkBody(n *int, sign byte, text []byte) []byte {
	var body []byte
	for line := range bytes.Lines(text) {
		*n++
		body = append(append(body, sign), line...)
		if line[len(line)-1] != '\n' {
			body = append(body, "\n\\ No newline at end of file\n"...)
		}
	}
	return body
}

// FuzzParsersRefuse holds that no input makes a parser panic.
func FuzzParsersRefuse(f *testing.F) {
	f.Add([]byte(":100644 100644 a b M\x00f\x00"))
	f.Add([]byte(":100644 100644 a b R90\x00f\x00"))
	f.Add([]byte("diff --git a/f b/f\n@@ -1,9 +1 @@\n-x\n"))
	f.Add([]byte("diff --git a/f b/f\n@@ -99999999999999999999 +1 @@\n"))
	f.Fuzz(func(_ *testing.T, out []byte) {
		entries, err := parseRaw(out)
		if err == nil {
			for _, e := range entries {
				_ = e.special()
			}
		}
		if sections, err := parsePatch(out); err == nil {
			_ = pair(entries, sections) // whatever it says
		}
	})
}

func TestParsersSayWhatTheyCannotRead(t *testing.T) {
	for _, out := range []string{"x", ":1 2 3\x00f\x00", ":9 100644 a b M\x00f\x00", ":100644 x a b M\x00f\x00", ":100644 100644 a b X\x00f\x00", ":100644 100644 a b R90\x00f\x00"} {
		if entries, err := parseRaw([]byte(out)); err == nil {
			t.Errorf("%q was read as %+v", out, entries)
		}
	}
	for _, out := range []string{"x\n", "diff --git a b\n@@ -1,2 +0,0 @@\n-x\n", "diff --git a b\n@@ nonsense\n", "diff --git a b\nindex nonsense\n", "diff --git a b\n@@ -99999999999999999999 +1 @@\n"} {
		if sections, err := parsePatch([]byte(out)); err == nil {
			t.Errorf("%q was read as %+v", out, sections)
		}
	}
	m, typeChange := &entry{status: 'M', oldID: "1", newID: "2"}, &entry{status: 'T'}
	for name, c := range map[string]struct {
		entries  []*entry
		sections []section
	}{
		"too few":      {[]*entry{m, m}, make([]section, 1)},
		"too many":     {[]*entry{m}, make([]section, 2)},
		"half a type":  {[]*entry{typeChange}, make([]section, 1)},
		"another file": {[]*entry{m}, []section{{oldID: "1", newID: "3"}}},
	} {
		if err := pair(c.entries, c.sections); err == nil {
			t.Errorf("%s: nothing was said", name)
		}
	}
}

func TestAlternatesAreQuotedWhereGitWouldMisread(t *testing.T) {
	for path, want := range map[string]string{
		"/a/b c": "/a/b c", "/a:b": `"/a:b"`, "/a\nb": `"/a\nb"`, `/a"b`: `"/a\"b"`, `/a\b`: `"/a\\b"`, "/#": `"/#"`,
	} {
		if got := quoteAlternate(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}
