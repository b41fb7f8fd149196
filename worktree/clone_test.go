package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"assay/change"
	"assay/worktree"
)

// undoOnce un-does the last commit of twoCommits in a tree and looks.
func (r *userRepo) undoOnce() {
	r.t.Helper()
	c := r.change("HEAD~1..HEAD")
	tree := acquire(r.t, r.pool(1, worktree.DefaultOptions()))
	if err := tree.Apply([]change.Edit{c.Hunks()[0].Undo()}); err != nil {
		r.t.Fatal(err)
	}
	if got := readFile(r.t, filepath.Join(tree.Dir(), "f")); got != "a\n" {
		r.t.Errorf("undone, f holds %q", got)
	}
	if err := tree.Restore(); err != nil {
		r.t.Fatal(err)
	}
}

// twoCommits is a repository whose last commit turns f from a to b.
func twoCommits(t *testing.T) *userRepo {
	t.Helper()
	r := newRepo(t)
	r.write("f", "a\n")
	r.commit("base")
	r.write("f", "b\n")
	r.commit("head")
	return r
}

// The base's blobs are not there yet; git fetches them when it is asked.
func TestAPartialCloneIsReadAndLent(t *testing.T) {
	r := twoCommits(t)
	r.git("config", "uploadpack.allowFilter", "true")
	clone := &userRepo{t, filepath.Join(filepath.Dir(r.dir), "partial")}
	r.git("clone", "-q", "--filter=blob:none", "file://"+r.dir, clone.dir)
	clone.undoOnce()
}

func TestACloneThatBorrowsObjectsIsReadAndLent(t *testing.T) {
	r := twoCommits(t)
	clone := &userRepo{t, filepath.Join(filepath.Dir(r.dir), "shared")}
	r.git("clone", "-q", "--shared", r.dir, clone.dir)
	clone.undoOnce()
}

func TestPackedObjectsAreRead(t *testing.T) {
	r := twoCommits(t)
	r.git("gc", "-q")
	r.git("pack-refs", "--all")
	r.undoOnce()
}

func TestASubmoduleIsARepositoryOfItsOwn(t *testing.T) {
	lib := twoCommits(t)
	r := newRepo(t)
	r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "sub")
	r.commit("head")
	(&userRepo{t, filepath.Join(r.dir, "sub")}).undoOnce()
}

// Settings of the user's whole account that would lead git astray.
func TestSettingsOfTheAccountDoNotMatter(t *testing.T) {
	r := twoCommits(t)
	ran := filepath.Join(t.TempDir(), "ran")
	hooks := t.TempDir()
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "fsmonitor"} {
		writeFile(t, filepath.Join(hooks, hook), "#!/bin/sh\ntouch "+ran+"\n")
		if err := os.Chmod(filepath.Join(hooks, hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	global := filepath.Join(t.TempDir(), "gitconfig")
	writeFile(t, global, "[safe]\n\tbareRepository = explicit\n[core]\n\thooksPath = "+hooks+"\n\tfsmonitor = "+hooks+"/fsmonitor\n\tsplitIndex = true\n"+
		"[init]\n\ttemplateDir = "+hooks+"\n\tdefaultObjectFormat = sha256\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = false\n[status]\n\tshort = false\n\trelativePaths = true\n[advice]\n\tdetachedHead = true\n")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	r.undoOnce()
	r.write("f", "c\n")
	before := everything(t, r.dir)
	snap, err := r.open().Snapshot(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := snap.Close(); err != nil {
		t.Error(err)
	}
	wantSame(t, before, everything(t, r.dir))
	if _, err := os.Stat(ran); err == nil {
		t.Error("a hook was run")
	}
}
