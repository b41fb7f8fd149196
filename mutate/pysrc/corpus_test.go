package pysrc

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"assay/mutate/mutatetest"
)

// Every comment-only hunk of the corpus is settled, no hunk a test notices is,
// and the units of every hunk tile it.
func TestCorpusHunksAreSettledAsBruteForceSays(t *testing.T) {
	corpus, repos := os.Getenv("ASSAY_CORPUS"), os.Getenv("ASSAY_CORPUS_REPOS")
	if corpus == "" {
		return // the corpus is not part of a checkout; make accuracy names it
	}
	known, err := mutatetest.Corpus(filepath.Join(corpus, "python.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		dir := k.Dir(repos)
		c, err := mutatetest.Commit(dir, k.Parent, k.Commit, ".py")
		if err != nil {
			t.Fatal(err)
		}
		s := closing(t, New(testPython(t),
			func(p string) ([]byte, error) { return mutatetest.Show(dir, k.Commit, p) },
			func() ([]string, error) { return mutatetest.List(dir, k.Commit) }))
		notes, err := s.Study(context.Background(), c, c.Files)
		if err != nil {
			t.Fatalf("%s %s: %v", k.Repo, k.Commit, err)
		}
		for _, h := range c.Hunks() {
			if wrong := mutatetest.CheckTiling(h); wrong != "" {
				t.Errorf("%s %s: %s", k.Commit[:10], h.Name(), wrong)
			}
			mutatetest.CheckTruth(t, k, h, notes)
		}
	}
}

// testPython is the interpreter the tests run; they fail without one.
func testPython(t *testing.T) string {
	t.Helper()
	python := os.Getenv("ASSAY_TEST_PYTHON")
	if python == "" {
		t.Fatal("set ASSAY_TEST_PYTHON to a Python 3.8 or later to run the tests of package pysrc")
	}
	return python
}
