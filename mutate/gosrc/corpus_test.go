package gosrc

import (
	"testing"

	"assay/change"
	"assay/mutate/mutatetest"
)

// Every comment-only hunk of the corpus is settled, no hunk a test notices is,
// and the units of every hunk tile it.
func TestCorpusHunksAreSettledAsBruteForceSays(t *testing.T) {
	mutatetest.EachKnown(t, "go.jsonl", ".go", func(k mutatetest.Known, _ string, c *change.Change) {
		notes, err := Source{}.Study(t.Context(), c, c.Files)
		if err != nil {
			t.Fatal(err)
		}
		mutatetest.CheckKnown(t, k, c, notes)
	})
}
