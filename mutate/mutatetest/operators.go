package mutatetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/rogpeppe/go-internal/txtar"

	"assay/change"
	"assay/mutate"
)

// Archives are the archives of operators below testdata/ops. Each is named
// after an operator (or a rule) and holds a project whose mutants are made of
// File; "want" is every mutant that the operators on its line "operators: a b"
// make: place, what is done, and the lines that differ.
type Archives struct {
	File string            // the file that is mutated, such as a.go
	Base map[string][]byte // further files of every project
	New  func() mutate.Mutator
	// Update writes what is made into the archives.
	Update bool
}

// Each runs f for every archive, in a subtest of its name.
func (a Archives) Each(t *testing.T, f func(t *testing.T, name string, ar *txtar.Archive)) {
	t.Helper()
	files, err := filepath.Glob("testdata/ops/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives of operators found: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f(t, name, ar)
		})
	}
}

// Hold holds every archive to its "want", and every operator to an archive of
// its own that it makes a mutant of.
func (a Archives) Hold(t *testing.T) {
	a.Each(t, func(t *testing.T, name string, ar *txtar.Archive) {
		t.Parallel()
		tree, operators := a.Tree(ar), strings.Fields(header(ar, "operators:"))
		var out strings.Builder
		for _, m := range a.Mutants(t, tree, operators) {
			out.WriteString(told(t, tree, m))
		}
		a.compare(t, name, ar, out.String())
	})
	if a.Update {
		return // what is made is written once this returns
	}
	for _, o := range a.New().Operators() {
		ar, err := txtar.ParseFile(filepath.Join("testdata", "ops", strings.ReplaceAll(o.Name, "-", "_")+".txtar"))
		if err != nil {
			t.Error(err)
			continue
		}
		if o.Doc == "" || !strings.Contains(wantOf(ar), " "+o.Name+" ") {
			t.Errorf("%s: no line of documentation, or no mutant in its archive", o.Name)
		}
	}
}

// Tree are the files of an archive's project.
func (a Archives) Tree(ar *txtar.Archive) map[string][]byte {
	tree := map[string][]byte{}
	for name, text := range a.Base {
		tree[name] = text
	}
	for _, f := range ar.Files {
		if f.Name != "want" {
			tree[f.Name] = f.Data
		}
	}
	return tree
}

// Mutants are the mutants of File in a project.
func (a Archives) Mutants(t *testing.T, tree map[string][]byte, operators []string) []mutate.Mutant {
	t.Helper()
	dir := t.TempDir()
	for name, text := range tree {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	crop, err := a.New().Mutants(t.Context(), dir, []mutate.Target{{Path: a.File}}, operators)
	if err != nil || len(crop.Notes) > 0 {
		t.Fatal(err, crop.Notes)
	}
	return crop.Mutants
}

// Applied is the mutated file.
func Applied(t *testing.T, tree map[string][]byte, m mutate.Mutant) []byte {
	t.Helper()
	text, err := change.Apply(tree[m.Path()], m.Edits)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// header is the rest of the line of the archive's comment that begins so.
func header(ar *txtar.Archive, begins string) string {
	for l := range strings.Lines(string(ar.Comment)) {
		if rest, ok := strings.CutPrefix(l, begins); ok {
			return rest
		}
	}
	return ""
}

func wantOf(ar *txtar.Archive) string {
	for _, f := range ar.Files {
		if f.Name == "want" {
			return string(f.Data)
		}
	}
	return ""
}

// told is a mutant as "want" shows it.
func told(t *testing.T, tree map[string][]byte, m mutate.Mutant) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "%d %s %q: %s\n", m.Lines.Start, m.Operator, m.Function, m.Description)
	if m.Suppressed != "" {
		return out.String() + "  suppressed by " + m.Suppressed + "\n"
	}
	diff := udiff.Unified("a", "b", string(tree[m.Path()]), string(Applied(t, tree, m)))
	for l := range strings.Lines(diff) {
		if (l[0] == '+' || l[0] == '-') && !strings.HasPrefix(l, "+++") && !strings.HasPrefix(l, "---") {
			out.WriteString("  " + l[:1] + " " + strings.TrimSpace(l[1:]) + "\n")
		}
	}
	return out.String()
}

func (a Archives) compare(t *testing.T, name string, ar *txtar.Archive, got string) {
	t.Helper()
	if a.Update {
		ar.Files = append(slices.DeleteFunc(ar.Files, func(f txtar.File) bool { return f.Name == "want" }), txtar.File{Name: "want", Data: []byte(got)})
		if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := wantOf(ar); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
