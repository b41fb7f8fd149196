package worktree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/worktree"
)

func TestASnapshotIsTheWorkingTreeAsItIs(t *testing.T) {
	r := newRepo(t)
	r.write("same", "s\n", "edited", "a\n", "staged", "a\n", "gone", "a\n", "unstaged-rm", "a\n", "mode", "a\n", "becomes-link", "a\n", "becomes-dir", "a\n", ".gitignore", "*.log\n")
	r.commit("base")
	r.write("edited", "b\n", "staged", "index only\n")
	r.git("add", "staged")
	r.write("staged", "b\n", "new/untracked é", "n\n", "x.log", "ignored\n", "intended", "i\n", "nested/.git/HEAD", "ref: refs/heads/x\n")
	r.git("add", "-N", "intended")
	r.git("rm", "-q", "gone")
	r.remove("unstaged-rm")
	mode("mode")(r)
	link("becomes-link", "same")(r)
	r.remove("becomes-dir")
	r.write("becomes-dir/f", "f\n")
	r.git("init", "-q", "inner")
	r.write("inner/f", "another repository's\n")
	repo := r.open()
	snap, err := repo.Snapshot(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	c, err := repo.Change(t.Context(), snap.Base, snap.Head)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range c.Files {
		got = append(got, f.Path+": "+shape(f))
	}
	want := []string{
		"becomes-dir: deleted text [-1 +0,0]",
		"becomes-dir/f: added text [-0,0 +1]",
		"becomes-link: modified symlink 100644>120000 [whole]",
		"edited: modified text [-1 +1]",
		"gone: deleted text [-1 +0,0]",
		"intended: added text [-0,0 +1]",
		"mode: modified text 100644>100755 [whole]",
		"new/untracked é: added text [-0,0 +1]",
		"staged: modified text [-1 +1]",
		"unstaged-rm: deleted text [-1 +0,0]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if !c.Head.Uncommitted || c.Head.Commit != c.Base.Commit || c.Base.Commit != r.git("rev-parse", "HEAD") {
		t.Errorf("got %+v %+v", c.Base, c.Head)
	}
	pool := newPool(t, repo, snap.Head, 1, worktree.DefaultOptions())
	if err := snap.Close(); err != nil {
		t.Fatal(err)
	}
	tree := acquire(t, pool)
	for path, content := range map[string]string{"edited": "b\n", "staged": "b\n", "new/untracked é": "n\n"} {
		if got := readFile(t, filepath.Join(tree.Dir(), path)); got != content {
			t.Errorf("%s holds %q in the tree", path, got)
		}
	}
	if got := (&userRepo{t, tree.Dir()}).git("status", "--porcelain"); got != "" {
		t.Errorf("git status in the tree says %q", got)
	}
	if err := tree.Apply([]change.Edit{c.Hunks()[3].Undo()}); err != nil {
		t.Error(err)
	}
}

func TestASnapshotOfAConflictAndOfADeletedIndex(t *testing.T) {
	r := newRepo(t)
	r.write("f", "a\n", "keep", "k\n")
	base := r.commit("base")
	r.git("checkout", "-q", "-b", "other")
	r.write("f", "other\n")
	r.commit("other")
	r.git("checkout", "-q", "main")
	r.write("f", "main\n")
	r.commit("main")
	cmd := r.git("rev-parse", "other")
	r.git("config", "merge.conflictStyle", "merge")
	r.git("read-tree", "-m", base, "HEAD", cmd) // leaves f unmerged
	r.write("f", "<<<<<<<\nmain\n=======\nother\n>>>>>>>\n")
	for _, index := range []string{"unmerged", "deleted"} {
		if index == "deleted" {
			r.remove(".git/index")
		}
		repo := r.open()
		snap, err := repo.Snapshot(t.Context(), options(t))
		if err != nil {
			t.Fatal(index, err)
		}
		c, err := repo.Change(t.Context(), snap.Base, snap.Head)
		if err != nil {
			t.Fatal(index, err)
		}
		if len(c.Files) != 1 || c.Files[0].Path != "f" || !strings.HasPrefix(string(c.Files[0].New), "<<<<<<<") {
			t.Errorf("%s: got %+v", index, c.Files)
		}
		if err := snap.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAChangeAgainstASnapshotNobodyTookIsRefused(t *testing.T) {
	r := newRepo(t)
	r.commit("base")
	head := change.Revision{Commit: r.git("rev-parse", "HEAD"), Name: "working tree", Uncommitted: true}
	if _, err := r.open().Change(t.Context(), head, head); err == nil || !strings.Contains(err.Error(), "snapshot") {
		t.Errorf("got %v", err)
	}
	if _, err := worktree.NewPool(t.Context(), r.open(), head, 1, options(t)); err == nil {
		t.Error("a pool of it was made")
	}
}

func TestASnapshotTakesLargeFilesAsTheUserHasThem(t *testing.T) {
	r := newRepo(t)
	r.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n", "old.bin", "pointer-to-be")
	r.commit("base")
	ran := filepath.Join(t.TempDir(), "ran")
	r.git("config", "filter.lfs.clean", "touch "+ran+"; cat")
	r.git("config", "filter.lfs.smudge", "touch "+ran+"; cat")
	r.git("config", "filter.lfs.required", "true")
	r.write("new.bin", "content\n")
	repo := r.open()
	snap, err := repo.Snapshot(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	tree := acquire(t, newPool(t, repo, snap.Head, 1, worktree.DefaultOptions()))
	if got := readFile(t, filepath.Join(tree.Dir(), "new.bin")); got != "content\n" {
		t.Errorf("got %q", got)
	}
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a Git LFS filter was run")
	}
	if err := snap.Close(); err != nil {
		t.Error(err)
	}
}
