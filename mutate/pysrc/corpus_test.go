package pysrc

import (
	"os"
	"testing"

	"assay/change"
	"assay/mutate/mutatetest"
)

// Every comment-only hunk of the corpus is settled, no hunk a test notices is,
// and the units of every hunk tile it.
func TestCorpusHunksAreSettledAsBruteForceSays(t *testing.T) {
	mutatetest.EachKnown(t, "python.jsonl", ".py", func(k mutatetest.Known, repo string, c *change.Change) {
		s := closing(t, New(testPython(t),
			func(p string) ([]byte, error) { return mutatetest.Show(repo, k.Commit, p) },
			func() ([]string, error) { return mutatetest.List(repo, k.Commit) }))
		notes, err := s.Study(t.Context(), c, c.Files)
		if err != nil {
			t.Fatalf("%s %s: %v", k.Repo, k.Commit, err)
		}
		mutatetest.CheckKnown(t, k, c, notes)
	})
}

// testPython is the interpreter the tests run; they fail without one.
func testPython(t *testing.T) string {
	t.Helper()
	python := os.Getenv("ASSAY_TEST_PYTHON")
	if python == "" {
		t.Fatal("ASSAY_TEST_PYTHON is not set: run `make venv` and set it to .cache/venv/bin/python, or run `make test`, which does both")
	}
	return python
}
