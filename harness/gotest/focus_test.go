package gotest_test

import (
	"os"
	"testing"
	"time"

	"assay/harness"
	"assay/harness/gotest"
)

// A session that is confined to files runs their packages alone, and of these
// the tests that are named where every file names some.
func TestASessionConfinedToTestFiles(t *testing.T) {
	two := "\nfunc TestTwo(t *testing.T) {}\n"
	files := map[string]string{"go.mod": "module ex\n\ngo 1.24\n",
		"a/x.go": "package a\n", "a/x_test.go": "package a\n\n" + oneTest + two, "a/y_test.go": "package a\n\nimport \"testing\"\n\nfunc TestThree(t *testing.T) {}\n\nfunc helper() {}\n",
		"b/x.go": "package b\n\nimport _ \"ex/a\"\n", "b/x_test.go": "package b\n\n" + oneTest}
	for name, c := range map[string]struct {
		focus []harness.Focus
		want  string
	}{
		"no bounds":            {nil, "ex/a.TestOne ex/a.TestThree ex/a.TestTwo ex/b.TestOne"},
		"a test of a file":     {[]harness.Focus{{Path: "a/x_test.go", Tests: []string{"TestOne"}}}, "ex/a.TestOne"},
		"tests of two files":   {[]harness.Focus{{Path: "a/x_test.go", Tests: []string{"TestTwo"}}, {Path: "a/y_test.go", Tests: []string{"TestThree"}}}, "ex/a.TestThree ex/a.TestTwo"},
		"a file as a whole":    {[]harness.Focus{{Path: "a/x_test.go"}}, "ex/a.TestOne ex/a.TestThree ex/a.TestTwo"},
		"a helper of a file":   {[]harness.Focus{{Path: "a/y_test.go", Tests: []string{"helper"}}}, "ex/a.TestOne ex/a.TestThree ex/a.TestTwo"},
		"a test and a package": {[]harness.Focus{{Path: "a/x_test.go", Tests: []string{"TestOne"}}, {Path: "b/x_test.go"}}, "ex/a.TestOne ex/b.TestOne"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for path, text := range files {
				write(t, dir, path, []byte(text))
			}
			session, err := gotest.New().Open(t.Context(), dir, harness.Options{Origin: dir, Env: os.Environ(), Scratch: t.TempDir(), Hang: 3 * time.Second, Focus: c.focus})
			if err != nil {
				t.Fatal(err)
			}
			b, err := session.Baseline(t.Context(), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := ids(b.Green); got != c.want {
				t.Errorf("green %q, want %q", got, c.want)
			}
		})
	}
}
