package gosrc

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/mutate"
	"assay/mutate/gosrc/typed"
)

// A mutant that is type checked together with others is judged as if alone.
// The tree is all archives of operators, a directory each.
func TestMutantsCheckedTogetherAreThoseThatCompileAlone(t *testing.T) {
	dir := t.TempDir()
	names, err := filepath.Glob("testdata/ops/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives of operators found: %v", err)
	}
	save := func(name string, text []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	save("go.mod", []byte("module ex\n\ngo 1.26\n"))
	var targets []mutate.Target
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimSuffix(filepath.Base(name), ".txtar") + "/a.go"
		save(path, ar.Files[0].Data)
		targets = append(targets, mutate.Target{Path: path})
	}
	world, err := typed.Load(t.Context(), typed.Config{Dir: dir, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=", "GOPROXY=off")})
	if err != nil {
		t.Fatal(err)
	}
	together := checkedBy(t, world, targets, func(all []*candidate) []round { return rounds(all) })
	alone := checkedBy(t, world, targets, func(all []*candidate) []round {
		var each []round
		for _, c := range all {
			each = append(each, round{c})
		}
		return each
	})
	if len(alone) < 100 {
		t.Errorf("only %d mutants; the comparison is broken", len(alone))
	}
	if !slices.Equal(together, alone) {
		t.Errorf("together\n%s\nalone\n%s", strings.Join(together, "\n"), strings.Join(alone, "\n"))
	}
}

// checkedBy names every candidate by which of its choices compiled.
func checkedBy(t *testing.T, world *typed.World, targets []mutate.Target, deal func([]*candidate) []round) []string {
	t.Helper()
	var all []*candidate
	for _, target := range targets {
		file, ok := world.Syntax(target.Path)
		if !ok {
			t.Fatalf("%s is not compiled", target.Path)
		}
		all = append(all, candidates(file, target, nil)...)
	}
	if err := settleBy(t.Context(), world, all, deal); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range all {
		if len(c.choices) > 0 {
			e := c.choices[0][0]
			out = append(out, fmt.Sprintf("%s:%d %s %q for [%d,%d)", e.Path, c.Lines.Start, c.Operator, e.Text, e.Start, e.End))
		}
	}
	return out
}
