package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"assay/change"
	"assay/worktree"
)

// settled restores the tree until nothing of it changed so lately that a
// further change would not show.
func settled(t *testing.T, tree *worktree.Tree) {
	t.Helper()
	for range 10_000 {
		if err := tree.Restore(); err != nil {
			t.Fatal(err)
		}
		if tree.Settled() {
			return
		}
	}
	t.Fatal("the tree never settles")
}

// hidden is what hides best from a look at names, sizes and times of
// modification.
func hidden() map[string]func(tree *userRepo) {
	return map[string]func(tree *userRepo){
		"edited it and set its time": sameTime("a.txt", "A\n"),
		"left an empty directory":    directory("empty"),
		"left an ignored file":       files("x.log", "x"),
		"removed a file":             gone("pkg/b.py"),
		"changed a link":             link("link", "run.sh"),
		"made a file a script":       chmod("a.txt", 0o755),
		"wrote in .git":              files(".git/MERGE_HEAD", "x"),
	}
}

// hiding is a repository for hidden.
func hiding(t *testing.T) *userRepo {
	t.Helper()
	r := newRepo(t)
	r.write("a.txt", "a\n", "pkg/b.py", "b\n", "run.sh", "#!/bin/sh\n", ".gitignore", "*.log\n")
	link("link", "a.txt")(r)
	r.commit("head")
	return r
}

func TestASettledTreeIsStillRestored(t *testing.T) {
	r, cases := hiding(t), hidden()
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	want, git := contents(t, tree.Dir()), everything(t, filepath.Join(tree.Dir(), ".git"))
	for name, vandal := range cases {
		t.Run(name, func(t *testing.T) {
			for range 2 { // the second time it lies as it lay before it was tidied
				settled(t, tree)
				vandal(&userRepo{t, tree.Dir()})
				if err := tree.Restore(); err != nil {
					t.Fatal(err)
				}
				wantSame(t, want, contents(t, tree.Dir()))
				wantSame(t, timeless(git), timeless(everything(t, filepath.Join(tree.Dir(), ".git"))))
			}
		})
	}
}

// A held tree lies as it lay, its edits included, until somebody writes in it.
func TestAHeldTreeTellsWhetherAnythingWasWritten(t *testing.T) {
	r := hiding(t)
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	if tree.Held() {
		t.Error("it was never held")
	}
	for name, vandal := range hidden() {
		t.Run(name, func(t *testing.T) {
			if err := tree.Apply([]change.Edit{{Path: "a.txt", End: 1, Text: []byte("b")}}); err != nil {
				t.Fatal(err)
			}
			if err := tree.Hold(); err != nil {
				t.Fatal(err)
			}
			for range 2 { // looking changes nothing
				if !tree.Held() {
					t.Error("nobody wrote in it")
				}
			}
			vandal(&userRepo{t, tree.Dir()})
			if tree.Held() {
				t.Error("what was written does not show")
			}
			if err := tree.Restore(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Without its index git would make the tree anew.
func TestNothingIsStartedForATreeThatNobodyWroteIn(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("head")
	pool := r.pool(1, worktree.DefaultOptions())
	tree := acquire(t, pool)
	settled(t, tree)
	index := filepath.Join(filepath.Dir(pool.Scratch()), "judge.git", "index-0")
	if err := os.Rename(index, index+".away"); err != nil {
		t.Fatal(err)
	}
	born := stat(t, tree.Dir())
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(born, stat(t, tree.Dir())) {
		t.Error("the tree was made anew")
	}
	if err := os.Rename(index+".away", index); err != nil {
		t.Fatal(err)
	}
	if err := tree.Apply([]change.Edit{{Path: "a.txt", Start: 0, End: 1, Text: []byte("b")}}); err != nil {
		t.Fatal(err)
	}
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(tree.Dir(), "a.txt")); got != "a\n" {
		t.Errorf("a.txt holds %q after an edit was taken back", got)
	}
}
