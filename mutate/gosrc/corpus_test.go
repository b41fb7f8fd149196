package gosrc

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
	known, err := mutatetest.Corpus(filepath.Join(corpus, "go.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		c, err := mutatetest.Commit(k.Dir(repos), k.Parent, k.Commit, ".go")
		if err != nil {
			t.Fatal(err)
		}
		notes, err := Source{}.Study(context.Background(), c, c.Files)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range c.Hunks() {
			if wrong := mutatetest.CheckTiling(h); wrong != "" {
				t.Errorf("%s %s: %s", k.Commit[:10], h.Name(), wrong)
			}
			mutatetest.CheckTruth(t, k, h, notes)
		}
	}
}
