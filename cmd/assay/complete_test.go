package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/prove"
	"assay/report"
)

// completed is what the shell is offered for a command line.
func completed(t *testing.T, words ...string) []string {
	t.Helper()
	var out bytes.Buffer
	root := rootCommand()
	root.SetArgs(append([]string{"__complete"}, words...))
	root.SetOut(&out)
	root.SetErr(&bytes.Buffer{})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return lines[:len(lines)-1] // the last one is a directive
}

func TestTheShellIsOfferedRevisionsFormatsAndTrials(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for name, text := range map[string]string{
		"tests/test_a.py": "def test_one(): pass\n\nclass TestTwo:\n    def test_two(self): pass\n\nclass Other:\n    def test_too(self): pass\n\nasync def test_four():\n    def test_inner(): pass\n",
		"go.mod":          "module ex.com/m\n", "sub/a_test.go": "package sub\n\nfunc TestMain(m *testing.M) {}\n\nfunc TestGo(t *testing.T) {}\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "x"},
		{"branch", "feature/one"}, {"tag", "v1"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	r := &prove.Report{Schema: prove.Schema, Base: strings.Repeat("1", 40), Head: strings.Repeat("2", 40), Claim: prove.Claim{Verdict: prove.ClaimCannotTell},
		Counts: prove.Counts{Proven: 1}, Findings: []prove.Finding{{ID: "a1", File: "a.go", New: change.Span{Start: 7, Lines: 1},
			Verdict: prove.Proven, Reason: prove.Assertion, Trials: []prove.TrialReport{{ID: "a1-1", Purpose: "undo", Language: "go"}}}}}
	f, err := os.Create(filepath.Join(dir, "r.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := report.JSON(f, r, report.Style{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"prove fea":               "feature/one",
		"prove v1..fea":           "v1..feature/one",
		"prove v1...ma":           "v1...main",
		"prove --format ht":       "html",
		"prove --fail-on not":     "not_proven",
		"explain half":            "half-undone",
		"replay r.json a1":        "a1-1\ta.go:7 undo",
		"report r.json --format=": "sarif",
		"replay r.json a.go":      "a.go:7\tPROVEN assertion",
		"mutate --format h":       "html",
		"mutate fea":              "feature/one",
		"probe te":                "tests/test_a.py",
		"probe tests/test_a.py::": "tests/test_a.py::test_one\ntests/test_a.py::TestTwo\ntests/test_a.py::TestTwo::test_two\ntests/test_a.py::Other::test_too\ntests/test_a.py::test_four\n",
		"probe ex.com/m/sub.T":    "ex.com/m/sub.TestGo",
		"probe --format ":         "json",
	} {
		words := strings.Split(line, " ")
		if got := completed(t, words...); !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+want) {
			t.Errorf("%q is offered %q, want %q", line, got, want)
		}
	}
	if got := completed(t, "prove", "main", ""); len(got) > 0 {
		t.Errorf("a second argument is offered %q", got)
	}
}
