package gotest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest"
)

// targetsOf are changed files, and after a "+" files whose mutants are asked for.
func targetsOf(paths ...string) []harness.Target {
	var targets []harness.Target
	for _, path := range paths {
		asked := strings.TrimPrefix(path, "+")
		t := harness.Target{Path: asked, Kind: change.Production}
		if asked == path {
			t.Lines = []change.Span{{Start: 1, Lines: 1}}
		}
		targets = append(targets, t)
	}
	return targets
}

// standing opens a session on the files for the targets and runs its baseline.
func standing(t *testing.T, files map[string]string, all bool, targets []harness.Target) harness.Baseline {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, []byte(text))
	}
	session, err := gotest.New().Open(t.Context(), dir, harness.Options{
		Origin: dir, Env: os.Environ(), Scratch: t.TempDir(), Hang: 3 * time.Second, Targets: targets, AllTests: all})
	if err != nil {
		t.Fatal(err)
	}
	b, err := session.Baseline(t.Context(), dir, targets)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const oneTest = "import \"testing\"\n\nfunc TestOne(t *testing.T) {}\n"

// 300 packages, of which two cannot compile nor pass: they are not built when
// the change cannot reach them, and are when all tests are asked for.
func TestWhatTheChangeCannotReachIsNotBuilt(t *testing.T) {
	files := map[string]string{"go.mod": "module ex\n\ngo 1.24\n"}
	for i := range 300 {
		name := fmt.Sprintf("p%d", i)
		files[filepath.Join(name, name+".go")] = fmt.Sprintf("package %s\n\n// N is %d.\nvar N = %d\n", name, i, i)
		files[filepath.Join(name, name+"_test.go")] = "package " + name + "\n\n" + oneTest
	}
	files["p1/p1.go"] = "package p1\n\nimport \"ex/p0\"\n\n// N is that of p0.\nvar N = p0.N\n"
	files["p7/p7_test.go"] = "package p7\n\nvar _ int = \"no\"\n\n" + oneTest
	files["p9/p9.go"] = "package p9\n\nvar N = nowhere\n"
	b := standing(t, files, false, targetsOf("p0/p0.go"))
	if want := []harness.TestID{"ex/p0.TestOne", "ex/p1.TestOne"}; !slices.Equal(b.Green, want) || len(b.Red) > 0 {
		t.Errorf("green %v, red %v; want %v", b.Green, b.Red, want)
	}
	if notes := strings.Join(b.Notes, "\n"); !strings.Contains(notes, "2 of 300 test packages can reach the change") {
		t.Errorf("notes %q", notes)
	}
}

func TestAllTestsAreBuiltWhenAskedFor(t *testing.T) {
	files := map[string]string{"go.mod": "module ex\n\ngo 1.24\n"}
	for _, name := range []string{"a", "b"} {
		files[name+"/x.go"], files[name+"/x_test.go"] = "package "+name+"\n", "package "+name+"\n\n"+oneTest
	}
	for _, c := range []struct {
		all     bool
		targets []harness.Target
		want    string
	}{
		{false, targetsOf("a/x.go"), "ex/a.TestOne"},
		{true, targetsOf("a/x.go"), "ex/a.TestOne ex/b.TestOne"},
		{false, nil, "ex/a.TestOne ex/b.TestOne"},
		{false, targetsOf("go.mod"), "ex/a.TestOne ex/b.TestOne"},
		{false, targetsOf("a/x_test.go", "+b/x.go"), "ex/a.TestOne"},
	} {
		if got := ids(standing(t, files, c.all, c.targets).Green); got != c.want {
			t.Errorf("all %v, %v: green %q, want %q", c.all, c.targets, got, c.want)
		}
	}
}

// Each test package is one that holds nothing of the change and may see it all
// the same, or may not.
func TestTestsThatLookAroundAreBuilt(t *testing.T) {
	for name, c := range map[string]struct {
		test, helper string
		near         bool
	}{
		"plain":        {test: "package b\n\n" + oneTest},
		"process":      {test: "package b\n\nimport (\n\t\"os/exec\"\n\t\"testing\"\n)\n\nfunc TestOne(t *testing.T) { _ = exec.Command }\n", near: true},
		"parent":       {test: "package b\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestOne(t *testing.T) { _, _ = os.ReadFile(\"../a/x.go\") }\n", near: true},
		"own testdata": {test: "package b\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestOne(t *testing.T) { _, _ = os.ReadFile(\"testdata/x\") }\n"},
		"helper": {test: "package b\n\n" + oneTest,
			helper: "package b\n\nimport \"runtime\"\n\n// Here is where it stands.\nfunc Here() string { _, file, _, _ := runtime.Caller(0); return file }\n", near: true},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"go.mod": "module ex\n\ngo 1.24\n", "a/x.go": "package a\n", "a/x_test.go": "package a\n\n" + oneTest,
				"b/x.go": "package b\n", "b/x_test.go": c.test}
			if c.helper != "" {
				files["b/x.go"] = c.helper
			}
			b := standing(t, files, false, targetsOf("a/x.go"))
			if got := slices.Contains(b.Green, "ex/b.TestOne"); got != c.near {
				t.Errorf("built %v, want %v: %v", got, c.near, b.Green)
			}
		})
	}
}

// A mutant of a file that changed tests reach may be caught by any test that
// holds the file.
func TestMutantsOfWhatChangedTestsReachMeetAllTheirTests(t *testing.T) {
	files := map[string]string{"go.mod": "module ex\n\ngo 1.24\n",
		"a/x.go": "package a\n", "a/x_test.go": "package a\n\n" + oneTest,
		"b/x.go": "package b\n\nimport _ \"ex/a\"\n", "b/x_test.go": "package b\n\n" + oneTest,
		"c/x.go": "package c\n", "c/x_test.go": "package c\n\n" + oneTest}
	b := standing(t, files, false, targetsOf("a/x_test.go", "+a/x.go", "+c/x.go"))
	if got := ids(b.Green); got != "ex/a.TestOne ex/b.TestOne" {
		t.Errorf("green %q", got)
	}
}

// What no test holds is shown to be unnoticed by the tests there are.
func TestAChangeThatNoTestHoldsMeetsAllTests(t *testing.T) {
	files := map[string]string{"go.mod": "module ex\n\ngo 1.24\n", "cmd/x.go": "package main\n\nfunc main() {}\n",
		"b/x.go": "package b\n", "b/x_test.go": "package b\n\n" + oneTest}
	if got := ids(standing(t, files, false, targetsOf("cmd/x.go")).Green); got != "ex/b.TestOne" {
		t.Errorf("green %q", got)
	}
}
