package gosrc_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/rogpeppe/go-internal/txtar"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc"
)

var updateOps = flag.Bool("update-ops", false, "write what the operators make into testdata/ops")

// Each archive of testdata/ops is named after an operator (or a rule) and
// holds a module; "want" is every mutant that the operators on its first
// comment line, "operators: a b", make of it: place, what is done, and the
// lines that differ.
func TestOperators(t *testing.T) {
	for _, name := range archives(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, operators := treeOf(ar), strings.Fields(header(ar, "operators:"))
			var out strings.Builder
			for _, m := range mutants(t, tree, operators) {
				out.WriteString(told(t, tree, m))
			}
			compareWant(t, name, ar, out.String())
		})
	}
}

// Every operator has an archive of its own that it makes a mutant of.
func TestEveryOperatorHasAnArchive(t *testing.T) {
	for _, o := range gosrc.NewMutator(nil, nil).Operators() {
		ar, err := txtar.ParseFile(filepath.Join("testdata", "ops", strings.ReplaceAll(o.Name, "-", "_")+".txtar"))
		if err != nil {
			t.Error(err)
			continue
		}
		if o.Doc == "" || !slices.Contains(strings.Fields(header(ar, "operators:")), o.Name) || len(wantOf(ar)) == 0 {
			t.Errorf("%s: no line of documentation, or no mutant in its archive", o.Name)
		}
	}
}

// What the type checker accepts the compiler must accept: every mutant of every
// archive becomes a package of one module, and all are built at once.
func TestEveryMutantCompiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", []byte("module all\n\ngo 1.26\n"))
	n := 0
	for _, name := range archives(t) {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree := treeOf(ar)
		for _, m := range mutants(t, tree, nil) {
			if m.Suppressed != "" || m.Path() != "a.go" {
				continue
			}
			n++
			write(t, dir, fmt.Sprintf("m%d/a.go", n), applied(t, tree, m))
		}
	}
	if n < 100 {
		t.Fatalf("only %d mutants; the search is broken", n)
	}
	cmd := exec.Command("go", "build", "./...")
	cmd.Dir, cmd.Env = dir, goEnviron()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("of %d mutants:\n%s", n, out)
	}
}

func TestMutatingStopsWhenTheContextEnds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", []byte("module ex\n\ngo 1.26\n"))
	write(t, dir, "a.go", []byte("package ex\n\nfunc F(a int) bool { return a < 1 }\n"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gosrc.NewMutator(goEnviron(), nil).Mutants(ctx, dir, []mutate.Target{{Path: "a.go"}}, nil); err == nil {
		t.Error("no error though the context had ended")
	}
}

func archives(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/ops/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives of operators found: %v", err)
	}
	return files
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

func treeOf(ar *txtar.Archive) map[string][]byte {
	tree := map[string][]byte{"go.mod": []byte("module ex\n\ngo 1.26\n")}
	for _, f := range ar.Files {
		if f.Name != "want" {
			tree[f.Name] = f.Data
		}
	}
	return tree
}

func mutants(t *testing.T, tree map[string][]byte, operators []string) []mutate.Mutant {
	t.Helper()
	dir := t.TempDir()
	for path, text := range tree {
		write(t, dir, path, text)
	}
	crop, err := gosrc.NewMutator(goEnviron(), nil).Mutants(t.Context(), dir, []mutate.Target{{Path: "a.go"}}, operators)
	if err != nil || len(crop.Notes) > 0 {
		t.Fatal(err, crop.Notes)
	}
	return crop.Mutants
}

// told is a mutant as "want" shows it.
func told(t *testing.T, tree map[string][]byte, m mutate.Mutant) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "%d %s %q: %s\n", m.Lines.Start, m.Operator, m.Function, m.Description)
	if m.Suppressed != "" {
		return out.String() + "  suppressed by " + m.Suppressed + "\n"
	}
	diff := udiff.Unified("a", "b", string(tree[m.Path()]), string(applied(t, tree, m)))
	for l := range strings.Lines(diff) {
		if (l[0] == '+' || l[0] == '-') && !strings.HasPrefix(l, "+++") && !strings.HasPrefix(l, "---") {
			out.WriteString("  " + l[:1] + " " + strings.TrimSpace(l[1:]) + "\n")
		}
	}
	return out.String()
}

func applied(t *testing.T, tree map[string][]byte, m mutate.Mutant) []byte {
	t.Helper()
	text, err := change.Apply(tree[m.Path()], m.Edits)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compareWant(t *testing.T, name string, ar *txtar.Archive, got string) {
	t.Helper()
	if *updateOps {
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

func write(t *testing.T, dir, name string, text []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func goEnviron() []string {
	return append(os.Environ(), "GOFLAGS=", "GOWORK=", "GOPROXY=off")
}
