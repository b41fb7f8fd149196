package mutatetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"assay/change"
	"assay/mutate"
)

// EachKnown calls f for every commit of a corpus file, with the directory of
// its repository and its change, as far as files end in ext. The corpus is no
// part of a checkout: ASSAY_CORPUS names its directory and ASSAY_CORPUS_REPOS
// that of the repositories, and without them nothing is called and nothing is
// claimed.
func EachKnown(t *testing.T, file, ext string, f func(k Known, repo string, c *change.Change)) {
	t.Helper()
	corpus, repos := os.Getenv("ASSAY_CORPUS"), os.Getenv("ASSAY_CORPUS_REPOS")
	if corpus == "" {
		return
	}
	known, err := Corpus(filepath.Join(corpus, file))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		c, err := Commit(k.Dir(repos), k.Parent, k.Commit, ext)
		if err != nil {
			t.Fatalf("%s %s: %v", k.Repo, k.Commit, err)
		}
		f(k, k.Dir(repos), c)
	}
}

// CheckKnown holds the notes of a commit against its ground truth, and the
// units of each hunk to tile it.
func CheckKnown(t *testing.T, k Known, c *change.Change, notes map[*change.Unit]*mutate.Note) {
	t.Helper()
	for _, h := range c.Hunks() {
		if wrong := CheckTiling(h); wrong != "" {
			t.Errorf("%s %s: %s", k.Commit[:10], h.Name(), wrong)
		}
		CheckTruth(t, k, h, notes)
	}
}

// Checkout puts a commit's files below a new directory.
func Checkout(t *testing.T, repo, commit string) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", `git -C "$1" archive "$2" | tar -x -C "$3"`, "sh", repo, commit, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// Untested are the units of everything but tests, data and documents.
func Untested(c *change.Change) []*change.Unit {
	var out []*change.Unit
	for _, h := range c.Hunks() {
		if h.File.Kind == change.Production || h.File.Kind == change.Support {
			out = append(out, h.Units...)
		}
	}
	return out
}
