package pysrc

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"assay/change"
	"assay/mutate/mutatetest"
)

// A tree is the two sides of a story, head on disk as Plans reads it.
type tree struct {
	base, head map[string]string
	rest       map[string]string // other files by name
	dir        string
	change     *change.Change
	source     *Source
}

func readTree(t *testing.T, file string) (*tree, *txtar.Archive) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &tree{base: map[string]string{}, head: map[string]string{}, rest: map[string]string{}, dir: t.TempDir()}
	for _, f := range archive.Files {
		switch side, name, _ := strings.Cut(f.Name, "/"); side {
		case "base":
			s.base[name] = string(f.Data)
		case "head":
			s.head[name] = string(f.Data)
			full := filepath.Join(s.dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil { //nolint:gosec // a directory of the test
				t.Fatal(err)
			}
			if err := os.WriteFile(full, f.Data, 0o644); err != nil { //nolint:gosec // a file of the test
				t.Fatal(err)
			}
		default:
			s.rest[f.Name] = string(f.Data)
		}
	}
	s.change = mutatetest.Change(s.base, s.head)
	s.source = closing(t, of(testPython(t), s.head))
	for _, f := range s.change.Files {
		f.Kind, _, _ = s.source.Kind(f)
	}
	return s, archive
}

// Each story of testdata/ladder is one rule of the ladder: want has a line for
// each unit of production code that is not settled by its own text, undone what
// the plans of some of them do to head.
func TestLadderStories(t *testing.T) {
	files, err := filepath.Glob("testdata/ladder/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			s, archive := readTree(t, file)
			got, undone := s.plans(t)
			if os.Getenv("ASSAY_UPDATE") != "" {
				archive.Files = archive.Files[:len(s.base)+len(s.head)]
				archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)}, txtar.File{Name: "undone", Data: []byte(undone)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil { //nolint:gosec // a file of the checkout
					t.Fatal(err)
				}
				return
			}
			if got != s.rest["want"] {
				t.Errorf("got\n%swant\n%s", got, s.rest["want"])
			}
			if undone != s.rest["undone"] {
				t.Errorf("un-done as\n%swant\n%s", undone, s.rest["undone"])
			}
		})
	}
}

// plans describes the plan of every unit of production code, and the lines
// each plan of the rungs above revert takes from and gives to head.
func (s *tree) plans(t *testing.T) (got, undone string) {
	t.Helper()
	notes, err := s.source.Study(context.Background(), s.change, s.change.Files)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.source.Plans(context.Background(), s.dir, s.change, notes)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range s.change.Hunks() {
		for _, u := range h.Units {
			if h.File.Kind == change.Test || notes[u].Nothing != "" {
				continue
			}
			checkPlan(t, s.change, u, plans[u])
			got += mutatetest.Planned(u, plans[u]) + "\n"
			for _, by := range plans[u].Users {
				got += "    used by " + by.Hunk.File.Path + ":" + by.New.String() + "\n"
			}
			if e := plans[u].Else; e != nil {
				got += "    else " + mutatetest.Planned(u, e) + "\n"
			}
			undone += s.shown(t, u, plans[u].Edits)
		}
	}
	return got, undone
}

func (s *tree) shown(t *testing.T, u *change.Unit, edits []change.Edit) string {
	t.Helper()
	if len(edits) == 0 {
		return ""
	}
	after, err := applied(s.change, edits)
	if err != nil {
		t.Fatal(err)
	}
	now := map[string]string{}
	for p, content := range s.head {
		now[p] = content
	}
	for p, content := range after {
		now[p] = string(content)
	}
	out := "# " + u.Hunk.File.Path + " " + u.Old.String() + "->" + u.New.String() + "\n"
	for _, h := range mutatetest.Change(s.head, now).Hunks() {
		for line := range strings.Lines(string(h.OldText())) {
			out += "-" + line
		}
		for line := range strings.Lines(string(h.NewText())) {
			out += "+" + line
		}
	}
	return out
}

// The whole change un-done keeps the tests that can work without it: what
// cannot is taken out, named, and leaves every other line where it was.
func TestWholeTakesOutWhatCannotWork(t *testing.T) {
	s, _ := readTree(t, "testdata/whole/whole.txtar")
	if _, err := s.source.Study(context.Background(), s.change, s.change.Files); err != nil {
		t.Fatal(err)
	}
	edits, dropped, err := s.source.Whole(context.Background(), s.dir, s.change, mutatetest.Untested(s.change))
	if err != nil {
		t.Fatal(err)
	}
	after, err := applied(s.change, edits)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(dropped, "\n") + "\n"; got != s.rest["dropped"] {
		t.Errorf("dropped\n%swant\n%s", got, s.rest["dropped"])
	}
	if got := string(after["tests/test_a.py"]); got != s.rest["tests"] {
		t.Errorf("tests are\n%swant\n%s", got, s.rest["tests"])
	}
	if string(after["pkg/a.py"]) != s.base["pkg/a.py"] {
		t.Errorf("pkg/a.py is\n%s", after["pkg/a.py"])
	}
}
