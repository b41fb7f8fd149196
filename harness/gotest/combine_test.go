package gotest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest"
)

const doubled = "package a\n\n// Double doubles.\nfunc Double(n int) int { return n * 2 }\n"

func doubleTest(more string) string {
	return "package a\n\nimport \"testing\"\n\nfunc TestDouble(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Fatal(\"not twice\")\n\t}\n}\n" + more
}

// Each project is measured with its baseline on the binaries that hold the
// variant, and by a session that builds for itself; builds is whether the first
// had to build any of its own.
func TestABaselineOnWhatHoldsTheVariantsIsThatOfPlainBinaries(t *testing.T) {
	for name, c := range map[string]struct {
		files   map[string]string
		variant string
		builds  bool
	}{
		"green": {files: map[string]string{"a/a_test.go": doubleTest("")}, variant: "n * 3"},
		"a red and a green test": {files: map[string]string{"a/a_test.go": doubleTest("\nfunc TestRed(t *testing.T) { t.Fatal(\"red\") }\n")},
			variant: "n * 3", builds: true},
		"a test that builds the tree": {files: map[string]string{"a/a_test.go": strings.Replace(doubleTest("\nfunc TestBuilds(t *testing.T) {\n\tif out, err := exec.Command(\"go\", \"vet\", \".\").CombinedOutput(); err != nil {\n\t\tt.Fatal(string(out))\n\t}\n}\n"),
			"import \"testing\"", "import (\n\t\"os/exec\"\n\t\"testing\"\n)", 1)}, variant: "n * 3"},
		"a package that does not build": {files: map[string]string{"a/a_test.go": doubleTest(""),
			"b/b.go": "package b\n\nimport _ \"ex/a\"\n\nvar N = nowhere\n", "b/b_test.go": "package b\n\n" + oneTest}, variant: "n * 3"},
		"a variant that no binary holds": {files: map[string]string{"a/a_test.go": doubleTest("")}, variant: "nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, scratch := t.TempDir(), t.TempDir()
			c.files["go.mod"], c.files["a/a.go"] = "module ex\n\ngo 1.24\n", doubled
			for file, text := range c.files {
				write(t, dir, file, []byte(text))
			}
			at := strings.Index(doubled, "n * 2")
			variant := []change.Edit{{Path: "a/a.go", Start: at, End: at + len("n * 2"), Text: []byte(c.variant)}}
			want := standing(t, c.files, false, targetsOf("a/a.go"))
			got := combined(t, dir, scratch, variant)
			if ids(got.Green) != ids(want.Green) || len(got.Red) != len(want.Red) || len(got.Uncollected) != len(want.Uncollected) || got.Trouble != want.Trouble {
				t.Errorf("got %+v, want %+v", got, want)
			}
			built, err := filepath.Glob(filepath.Join(scratch, "go", "bin", "*", "*", "*"))
			if err != nil || len(built) > 0 != c.builds {
				t.Errorf("plain binaries %v (%v), want any: %v", built, err, c.builds)
			}
		})
	}
}

// combined runs a baseline beside the preparation of one variant.
func combined(t *testing.T, dir, scratch string, variant []change.Edit) harness.Baseline {
	t.Helper()
	session, err := gotest.New().Open(t.Context(), dir, harness.Options{
		Origin: dir, Env: os.Environ(), Scratch: scratch, Hang: 3 * time.Second, Targets: targetsOf("a/a.go")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}()
	combiner, ok := session.(harness.Combiner)
	if !ok {
		t.Fatal("the session combines nothing")
	}
	release := combiner.Combine(t.Context())
	prepared := make(chan error, 1)
	go func() {
		defer release()
		prepared <- combiner.Prepare(t.Context(), dir, [][]change.Edit{variant})
	}()
	b, err := session.Baseline(t.Context(), dir, targetsOf("a/a.go"))
	if err := <-prepared; err != nil {
		t.Error(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}
