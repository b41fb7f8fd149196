package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"assay/change"
	"assay/worktree"
)

func TestATreeHoldsHeadTakesAnEditAndGivesHeadBack(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "one\n", "pkg/b.txt", "two\n")
	r.commit("base")
	r.write("a.txt", "one\nmore\n", "new/c.txt", "three\n")
	r.git("rm", "-q", "pkg/b.txt")
	r.commit("head")
	c := r.change("HEAD~1..HEAD")
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	if got := filepath.Base(tree.Dir()); got != "proj" {
		t.Errorf("the tree is named %q", got)
	}
	if entries, err := os.ReadDir(filepath.Dir(tree.Dir())); err != nil || len(entries) != 1 {
		t.Errorf("beside the tree lies %v (%v)", entries, err)
	}
	before := contents(t, tree.Dir())
	for _, h := range c.Hunks() {
		if err := tree.Apply([]change.Edit{h.Undo()}); err != nil {
			t.Fatalf("%s: %v", h.Name(), err)
		}
		if same(before, contents(t, tree.Dir())) {
			t.Errorf("%s: the edit is not on disk", h.Name())
		}
		if err := tree.Restore(); err != nil {
			t.Fatalf("%s: %v", h.Name(), err)
		}
		wantSame(t, before, contents(t, tree.Dir()))
	}
	tree.Release()
}
