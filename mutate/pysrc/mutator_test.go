package pysrc

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/change"
	"assay/mutate"
	"assay/mutate/mutatetest"
)

var updateOps = flag.Bool("update-ops", false, "write what the operators make into testdata/ops")

// archivesOf are the archives, mutated by one Source.
func archivesOf(t *testing.T) mutatetest.Archives {
	s := closing(t, New(testPython(t), nil, nil))
	return mutatetest.Archives{File: "a.py", New: func() mutate.Mutator { return s }, Update: *updateOps}
}

func TestOperators(t *testing.T) { archivesOf(t).Hold(t) }

// What is compiled statement by statement must compile as a file: every mutant
// of every archive does, and none is what head is.
func TestEveryMutantCompiles(t *testing.T) {
	archives, dir, n := archivesOf(t), t.TempDir(), 0
	archives.Each(t, func(t *testing.T, _ string, ar *txtar.Archive) {
		tree := archives.Tree(ar)
		for _, m := range archives.Mutants(t, tree, nil) {
			if m.Suppressed != "" {
				continue
			}
			n++
			text := mutatetest.Applied(t, tree, m)
			if string(text) == string(tree["a.py"]) {
				t.Errorf("%s alters nothing", m.Description)
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.py", n)), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	if n < 200 {
		t.Fatalf("only %d mutants; the search is broken", n)
	}
	out, err := exec.CommandContext(t.Context(), testPython(t), "-W", "error::SyntaxWarning", "-m", "compileall", "-q", dir).CombinedOutput()
	if err != nil {
		t.Errorf("of %d mutants: %v\n%s", n, err, out)
	}
}

// mutantsOfText are the mutants of a file by some operators.
func mutantsOfText(t *testing.T, text string, lines []change.Span, operators ...string) mutate.Crop {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	crop, err := closing(t, New(testPython(t), nil, nil)).Mutants(t.Context(), dir, []mutate.Target{{Path: "a.py", Lines: lines}}, operators)
	if err != nil {
		t.Fatal(err)
	}
	return crop
}

// Mutants are byte offsets of the file as it is, whatever its encoding and
// line ends.
func TestMutantsLandInOddFiles(t *testing.T) {
	for name, c := range map[string][2]string{
		"latin-1":         {"# coding: latin-1\nx = '\xe9' if a < b else '\xe9'\n", "# coding: latin-1\nx = '\xe9' if a <= b else '\xe9'\n"},
		"byte order mark": {"\xef\xbb\xbfx = 'é' if a < b else 1\n", "\xef\xbb\xbfx = 'é' if a <= b else 1\n"},
		"CRLF":            {"x = 1\r\ny = a < \\\r\n b\r\n", "x = 1\r\ny = a <= \\\r\n b\r\n"},
		"no final end":    {"é = ü < 1", "é = ü <= 1"},
		"future":          {"from __future__ import annotations\nx = a < 1\n", "from __future__ import annotations\nx = a <= 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			crop := mutantsOfText(t, c[0], nil, "conditionals-boundary")
			if len(crop.Mutants) != 1 {
				t.Fatalf("%d mutants, notes %q", len(crop.Mutants), crop.Notes)
			}
			got, err := change.Apply([]byte(c[0]), crop.Mutants[0].Edits)
			if err != nil || string(got) != c[1] {
				t.Errorf("got %q (%v), want %q", got, err, c[1])
			}
		})
	}
}

func TestOnlyTheWantedLinesHaveMutants(t *testing.T) {
	crop := mutantsOfText(t, "x = 1\ny = 2\nz = 3\n", []change.Span{{Start: 2, Lines: 1}, {Start: 3}}, "number-changed")
	if len(crop.Mutants) != 1 || crop.Mutants[0].Lines.Start != 2 {
		t.Errorf("got %+v, want the mutant of line 2", crop.Mutants)
	}
	if none := mutantsOfText(t, "x = 1\n", []change.Span{}); len(none.Mutants) != 0 {
		t.Errorf("got %d mutants of no line", len(none.Mutants))
	}
	if others := mutantsOfText(t, "x = 1\n", nil, "defer-removed"); len(others.Mutants) != 0 {
		t.Errorf("got %d mutants by an operator of Go", len(others.Mutants))
	}
}

func TestAFileWithoutMutantsSaysWhy(t *testing.T) {
	for text, want := range map[string]string{"x = (\n": "never closed", "x = 1\ry = 2\n": "carriage return"} {
		crop := mutantsOfText(t, text, nil)
		if len(crop.Mutants) != 0 || len(crop.Notes) != 1 || !strings.Contains(crop.Notes[0], "a.py: it has no mutants") || !strings.Contains(crop.Notes[0], want) {
			t.Errorf("%q: %d mutants, notes %q, want one with %q", text, len(crop.Mutants), crop.Notes, want)
		}
	}
	crop := mutantsOfText(t, "# @generated\nx = 1\n", nil)
	if len(crop.Mutants) != 1 || crop.Mutants[0].Suppressed != ruleGenerated {
		t.Errorf("of a generated file: %+v", crop.Mutants)
	}
}

func TestMutatingStopsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := closing(t, New(testPython(t), nil, nil)).Mutants(ctx, t.TempDir(), []mutate.Target{{Path: "a.py"}}, nil); err == nil {
		t.Error("no error though the context had ended")
	}
}
