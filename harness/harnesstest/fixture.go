// Package harnesstest holds the suite that every harness must pass.
//
// A harness describes a small project of its own language as a Fixture and
// calls Run. The suite writes the project, opens a session on it, and breaks
// it in every way that has made some tool of this kind give a wrong answer: a
// failing assertion, a crash, a text that does not build, a hang, a process
// that ends with code 0 in the middle, an edit that nothing notices.
package harnesstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

// The variables that the suite sets in the environment of every process.
const (
	// StateVar names a directory that outlives single runs. A flaky test keeps
	// there what makes it alternate.
	StateVar = "HARNESSTEST_STATE"
	// StartedVar names a file. The hanging edit writes the number of its
	// process there, in decimal and with a line end, before it hangs.
	StartedVar = "HARNESSTEST_STARTED"
)

// A Fixture is a small project in the language of a harness. Parts that a
// harness cannot have are left at their zero value, and nothing is then asked
// about them.
type Fixture struct {
	Harness harness.Harness
	Files   map[string]string // the project at head, by slash-separated path
	Env     []string          // nil means this process's own environment
	Target  harness.Target    // a production file and the lines that Edits change

	Green   []harness.TestID // exactly the tests that are green at head
	Red     harness.TestID   // a test that fails at head
	Flaky   harness.TestID   // a test that alternates, with a file in StateVar
	Skipped harness.TestID   // a test that skips itself at head

	Assertion Break // an assertion fails
	Panic     Break // an error, exception or panic in production code
	NoBuild   Break // does not compile, import or collect
	Hang      Break // does not end; writes StartedVar first
	Exit      Break // ends the process with code 0 inside the test
	Unnoticed Break // changes what no test looks at

	// HangUnnamed is true of a harness that sees a whole run hang and cannot
	// know in which test.
	HangUnnamed bool
}

// A Break is an edit of one file and what it must lead to.
type Break struct {
	Path     string
	Old, New string          // Old occurs exactly once in the file
	Test     harness.TestID  // the test that must be red
	Kind     harness.RedKind // how; "" for NoBuild and Unnoticed
	Phase    harness.Phase   // where a NoBuild stops
	Missing  string          // the symbol that a NoBuild names, if any
}

func (b Break) edit(t *testing.T, files map[string]string) change.Edit {
	t.Helper()
	text := files[b.Path]
	at := strings.Index(text, b.Old)
	if at < 0 || strings.Count(text, b.Old) != 1 {
		t.Fatalf("the text to replace must occur once in %s: %q", b.Path, b.Old)
	}
	return change.Edit{Path: b.Path, Start: at, End: at + len(b.Old), Text: []byte(b.New)}
}

// write puts the files of the fixture under a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// onDisk applies the edit in dir until the test ends.
func onDisk(t *testing.T, dir string, files map[string]string, e change.Edit) {
	t.Helper()
	head := []byte(files[e.Path])
	text, err := change.Apply(head, []change.Edit{e})
	if err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(dir, filepath.FromSlash(e.Path))
	if err := os.WriteFile(full, text, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.WriteFile(full, head, 0o644); err != nil {
			t.Error(err)
		}
	})
}
