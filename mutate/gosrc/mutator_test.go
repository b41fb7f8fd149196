package gosrc_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/mutate"
	"assay/mutate/gosrc"
	"assay/mutate/mutatetest"
)

var updateOps = flag.Bool("update-ops", false, "write what the operators make into testdata/ops")

// archives are mutated as a module of their own.
func archives() mutatetest.Archives {
	return mutatetest.Archives{
		File: "a.go", Base: map[string][]byte{"go.mod": []byte("module ex\n\ngo 1.26\n")}, Update: *updateOps,
		New: func() mutate.Mutator { return gosrc.NewMutator(goEnviron(), nil) },
	}
}

func TestOperators(t *testing.T) { archives().Hold(t) }

// What the type checker accepts the compiler must accept: every mutant of every
// archive becomes a package of one module, and all are built at once.
func TestEveryMutantCompiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", []byte("module all\n\ngo 1.26\n"))
	n := 0
	archives().Each(t, func(t *testing.T, _ string, ar *txtar.Archive) {
		tree := archives().Tree(ar)
		for _, m := range archives().Mutants(t, tree, nil) {
			if m.Suppressed != "" {
				continue
			}
			n++
			write(t, dir, fmt.Sprintf("m%d/a.go", n), mutatetest.Applied(t, tree, m))
		}
	})
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
