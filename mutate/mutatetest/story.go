package mutatetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"assay/change"
	"assay/mutate"
)

// Stories runs every txtar file of dir as a test: files below base/ and head/
// are the two sides, and want has one line a unit of the changed files, in
// order, as Describe writes it. The comment on top says what the story is for.
func Stories(t *testing.T, dir string, source func(head map[string]string) mutate.Source) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in %s (%v)", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(strings.TrimSpace(string(archive.Comment))) == 0 {
				t.Error("a story says on top what it is for")
			}
			base, head, want := map[string]string{}, map[string]string{}, ""
			for _, f := range archive.Files {
				switch side, name, _ := strings.Cut(f.Name, "/"); side {
				case "base":
					base[name] = string(f.Data)
				case "head":
					head[name] = string(f.Data)
				case "want":
					want = string(f.Data)
				}
			}
			c := Change(base, head)
			notes, err := source(head).Study(context.Background(), c, c.Files)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, h := range c.Hunks() {
				if wrong := CheckTiling(h); wrong != "" {
					t.Errorf("%s: %s", h.Name(), wrong)
				}
				for _, u := range h.Units {
					got += Describe(u, notes[u]) + "\n"
				}
			}
			if got != want && os.Getenv("ASSAY_UPDATE") != "" {
				Rewrite(t, file, archive, got)
				return
			}
			if got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// Rewrite stores what a story now gives as its part want, which is added when
// there is none; ASSAY_UPDATE=1 asks for it, and the difference is then read
// like any other change.
func Rewrite(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
	if at < 0 {
		at = len(archive.Files)
		archive.Files = append(archive.Files, txtar.File{Name: "want"})
	}
	archive.Files[at].Data = []byte(got)
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil { //nolint:gosec // a file of the checkout
		t.Fatal(err)
	}
}

// Describe writes what a Note decides, one line: the place and name of the
// unit, why it has nothing to prove, is ignored or broken, or "run" with the
// lines of its controls.
func Describe(u *change.Unit, n *mutate.Note) string {
	at := fmt.Sprintf("%s %v->%v %s:", u.Hunk.File.Path, u.Old, u.New, u.Name)
	switch {
	case n == nil:
		return at + " no note"
	case n.IgnoredBare:
		return at + " ignored without a reason"
	case n.Ignored != "":
		return at + " ignored: " + n.Ignored
	case n.Nothing != "":
		return at + " nothing: " + string(n.Nothing)
	case n.Broken != "":
		return at + " broken: " + n.Broken
	}
	when := ""
	if n.ImportTime {
		when = ", import time"
	}
	return fmt.Sprintf("%s run, body %v%s, control%s", at, n.Body, when, controls(u, n))
}

// controls names the line each control lands on and what follows it there.
func controls(u *change.Unit, n *mutate.Note) string {
	out := ""
	for _, e := range n.Control {
		line := 1 + strings.Count(string(u.Hunk.File.New[:e.Start]), "\n")
		rest, _, _ := strings.Cut(string(u.Hunk.File.New[e.Start:]), "\n")
		out += fmt.Sprintf(" %d before %q", line, strings.TrimSpace(rest))
	}
	return out
}
