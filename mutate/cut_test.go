package mutate_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc"
	"assay/mutate/mutatetest"
)

// shape makes a Go file out of bytes: each one adds, by its value, one of a few
// declarations, blank lines, comments or nonsense.
func shape(seed []byte) string {
	pieces := []string{
		"func a() int { return 1 }\n", "func b() {\n\tc()\n\td()\n}\n", "func b() {\n\td()\n}\n", "\n", "// comment\n",
		"var x = 1\n", "var (\n\ty = 1\n\n\tz = 2\n)\n", "type t struct {\n\tf int\n}\n", "import \"fmt\"\n",
		"func init() {\n\tc()\n}\n", "}\n", "const (\n\tk = iota\n\tl\n)\n", "func e() {\n}\n\n", "\tc()\n",
	}
	var out strings.Builder
	out.WriteString("package p\n")
	for _, b := range seed {
		out.WriteString(pieces[int(b)%len(pieces)])
	}
	text := out.String()
	if len(seed) > 0 && seed[0] > 200 {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

// The units of any hunk tile both of its sides, and all of them un-done give
// what the hunk un-done gives.
func FuzzUnitsTile(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // only varied, not secret
	for range 300 {
		base, head := make([]byte, random.IntN(9)), make([]byte, random.IntN(9))
		for i := range base {
			base[i] = byte(random.IntN(256))
		}
		copy(head, base)
		for i := range head {
			if random.IntN(3) == 0 {
				head[i] = byte(random.IntN(256))
			}
		}
		f.Add(base, head)
	}
	f.Fuzz(func(t *testing.T, base, head []byte) {
		if len(base)+len(head) > 60 {
			return
		}
		c := mutatetest.Change(map[string]string{"a.go": shape(base)}, map[string]string{"a.go": shape(head)})
		notes, err := gosrc.Source{}.Study(t.Context(), c, c.Files)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range c.Hunks() {
			if wrong := mutatetest.CheckTiling(h); wrong != "" {
				t.Errorf("%s\nbase\n%s\nhead\n%s", wrong, shape(base), shape(head))
			}
			for _, u := range h.Units {
				if notes[u] == nil {
					t.Errorf("no note for unit %q of %s", u.Name, h.Name())
				}
			}
		}
	})
}

// Python has no closing brace that would break the syntax: the last line of a
// and the first of b both un-do cleanly, and yet only b was added.
func TestAHunkThatGitCouldShowElsewhereIsNotCut(t *testing.T) {
	base := "def a():\n    x()\n    y()\n"
	head := "def a():\n    x()\n    y()\ndef b():\n    x()\n    y()\n"
	c := mutatetest.Change(map[string]string{"a.py": base}, map[string]string{"a.py": head})
	h := c.Hunks()[0]
	sections := []mutate.Section{{Key: "a", Name: "def a", First: 1, Last: 3}, {Key: "b", Name: "def b", First: 4, Last: 6}}
	for _, at := range []struct{ old, first, units int }{
		{3, 4, 1}, // all of b
		{2, 3, 1}, // from the last line of a on, as git may show it too
	} {
		h.Old, h.New = change.Span{Start: at.old}, change.Span{Start: at.first, Lines: 3}
		mutate.Cut(h, sections[:1], sections, func(*change.Unit) bool { return true })
		if len(h.Units) != at.units {
			t.Errorf("lines from %d: got %d units, want %d", at.first, len(h.Units), at.units)
		}
	}
}

func TestGenericKind(t *testing.T) {
	for path, want := range map[string]change.Kind{
		"README.md": change.Inert, "docs/guide.rst": change.Inert, "LICENSE": change.Inert, "LICENSE-MIT": change.Inert,
		".github/workflows/ci.yml": change.Inert, "poetry.lock": change.Inert, ".gitignore": change.Inert,
		"Makefile": change.Inert, "requirements-dev.txt": change.Inert, "pyproject.toml": change.Inert, "logo.png": change.Inert,
		"testdata/README.md": change.Data, "tests/fixtures/a.txt": change.Data, "tests/pyproject.toml": change.Data,
		"app/news.json": change.Data, "app/history.sql": change.Data, "app/words.txt": change.Data,
		"templates/a.html": change.Data, "a/__snapshots__/b.snap": change.Data, "config.toml": change.Data,
		"pytest.ini": change.Support,
	} {
		if got, why := mutate.GenericKind(path); got != want || why == "" {
			t.Errorf("%s: %v (%s), want %v", path, got, why, want)
		}
	}
}
