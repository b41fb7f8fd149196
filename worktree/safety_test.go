package worktree_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/worktree"
)

// busy is a repository with a bit of everything a user may have lying about:
// staged and unstaged edits, a stash, untracked and ignored files, a linked
// worktree, a tag, node_modules.
func busy(t *testing.T) *userRepo {
	t.Helper()
	r := newRepo(t)
	r.write("a.txt", "one\n", "b.txt", "one\n", "run.sh", "#!/bin/sh\n", ".gitignore", "node_modules/\n*.log\n")
	r.commit("base")
	r.git("tag", "v1")
	r.write("a.txt", "two\n", "pkg/c.txt", "c\n")
	r.commit("head")
	r.write("b.txt", "stashed\n")
	r.git("stash", "-q")
	r.write("b.txt", "staged\n")
	r.git("add", "b.txt")
	r.write("b.txt", "edited\n", "untracked/d.txt", "d\n", "x.log", "log\n", "node_modules/dep/index.js", "1\n")
	r.git("worktree", "add", "-q", filepath.Join(filepath.Dir(r.dir), "linked"), "-b", "topic")
	r.git("config", "user.name", "user")
	return r
}

// state is everything of the repository: each byte and time below it, .git
// included, and what git says of it.
func (r *userRepo) state() map[string]string {
	r.t.Helper()
	all := everything(r.t, filepath.Dir(r.dir)) // the linked worktree as well
	for _, args := range []string{"for-each-ref", "stash list", "worktree list --porcelain", "config --list --local", "count-objects -v", "ls-files --stage --debug"} {
		all[args] = r.git(append([]string{"--no-optional-locks"}, strings.Fields(args)...)...)
	}
	return all
}

func TestNothingOfTheUsersIsWritten(t *testing.T) {
	r := busy(t)
	cache := options(t)
	before := r.state()
	repo := r.open()
	base, head, err := repo.Resolve(t.Context(), "v1..HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Change(t.Context(), base, head); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Dirty(t.Context(), []string{"b.txt"}); err != nil {
		t.Fatal(err)
	}
	snap, err := repo.Snapshot(t.Context(), cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []change.Revision{head, snap.Head} {
		p := newPool(t, repo, of, 2, cache)
		for range 2 {
			tree := acquire(t, p)
			if err := tree.Apply([]change.Edit{{Path: "a.txt", Start: 0, End: 3, Text: []byte("x")}, {Path: "run.sh", Op: change.Remove}}); err != nil {
				t.Fatal(err)
			}
			vandalise(t, tree.Dir())
			if err := tree.Restore(); err != nil {
				t.Fatal(err)
			}
			tree.Release()
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := snap.Close(); err != nil {
		t.Fatal(err)
	}
	wantSame(t, before, r.state())
	if left, err := os.ReadDir(filepath.Join(cache.CacheDir, "runs")); err != nil || len(left) != 1 {
		t.Errorf("the runs directory still holds %v (%v)", left, err)
	}
}

// vandalise does what a test that runs git might do to the repository it finds
// itself in.
func vandalise(t *testing.T, dir string) {
	t.Helper()
	r := &userRepo{t, dir}
	r.write("b.txt", "vandal\n", "new.txt", "new\n")
	r.git("config", "user.name", "vandal")
	r.git("stash", "-q", "-u")
	r.git("tag", "vandal")
	r.git("commit", "-q", "--allow-empty", "-m", "vandal")
	r.git("branch", "vandal")
	r.git("worktree", "add", "-q", filepath.Join(t.TempDir(), "w"))
	r.git("gc", "-q", "--prune=now")
	r.write("node_modules/dep/index.js", "vandal\n")
}

func TestARunThatWasKilledIsSweptAndTheUsersRepositoryIsWhole(t *testing.T) {
	r := busy(t)
	cache := options(t).CacheDir
	before := r.state()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), "ASSAY_TEST_VICTIM="+r.dir, "ASSAY_TEST_CACHE="+cache)
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	dir, ready := strings.CutPrefix(strings.TrimSpace(line), "ready ")
	if err != nil || !ready {
		t.Fatalf("the victim said %q (%v)", line, err)
	}
	if removed, err := worktree.Sweep(t.Context(), cache); err != nil || len(removed) != 0 {
		t.Errorf("a live run was swept: %v %v", removed, err)
	}
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait() // says that it was killed
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the victim's tree went by itself: %v", err)
	}
	own := newPool(t, r.open(), head(t, r), 1, worktree.Options{CacheDir: cache})
	tree := acquire(t, own)
	removed, err := worktree.Sweep(t.Context(), cache)
	if err != nil || len(removed) != 2 { // its snapshot and its pool
		t.Errorf("swept %v (%v)", removed, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the victim's tree is still there (%v)", err)
	}
	if err := tree.Apply([]change.Edit{{Path: "a.txt", Op: change.Remove}}); err != nil {
		t.Errorf("the sweep hurt our own tree: %v", err)
	}
	wantSame(t, before, r.state())
}

func head(t *testing.T, r *userRepo) change.Revision {
	t.Helper()
	_, head, err := r.open().Resolve(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	return head
}

func TestASweepKnowsAPidThatIsUsedAgainAndForeignHosts(t *testing.T) {
	cache := options(t).CacheDir
	for name, owner := range map[string]string{
		"reused":  `{"pid":` + pid() + `,"start":12345,"host":"` + hostname(t) + `"}`,
		"gone":    `{"pid":2147483000,"start":1,"host":"` + hostname(t) + `"}`,
		"foreign": `{"pid":2147483000,"start":1,"host":"elsewhere.invalid"}`,
		"garbled": `{`,
	} {
		writeFile(t, filepath.Join(cache, "runs", name, "owner.json"), owner)
	}
	writeFile(t, filepath.Join(cache, "runs", "ownerless", "judge.git", "HEAD"), "x")
	writeFile(t, filepath.Join(cache, "other", "hits"), "not a run")
	readonly := filepath.Join(cache, "runs", "gone", "0", "locked")
	writeFile(t, filepath.Join(readonly, "f"), "x")
	if err := os.Chmod(readonly, 0o500); err != nil {
		t.Fatal(err)
	}
	removed, err := worktree.Sweep(t.Context(), cache)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, dir := range removed {
		names = append(names, filepath.Base(dir))
	}
	if got := strings.Join(names, " "); got != "garbled gone ownerless reused" {
		t.Errorf("swept %s", got)
	}
	for _, kept := range []string{"runs/foreign", "other/hits"} {
		if _, err := os.Stat(filepath.Join(cache, kept)); err != nil {
			t.Error(err)
		}
	}
	if removed, err := worktree.Sweep(t.Context(), filepath.Join(cache, "absent")); err != nil || removed != nil {
		t.Errorf("a cache that is not there: %v %v", removed, err)
	}
}

// In another process namespace the owner's number means nothing.
func TestARunWhoseLockIsHeldIsNotSwept(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("head")
	opts := options(t)
	tree := acquire(t, newPool(t, r.open(), head(t, r), 1, opts))
	run := filepath.Dir(filepath.Dir(tree.Dir()))
	writeFile(t, filepath.Join(run, "owner.json"), `{"pid":2147483000,"start":1,"host":"`+hostname(t)+`"}`)
	if removed, err := worktree.Sweep(t.Context(), opts.CacheDir); err != nil || len(removed) != 0 {
		t.Errorf("swept %v (%v)", removed, err)
	}
	if err := tree.Apply([]change.Edit{{Path: "a.txt", Op: change.Remove}}); err != nil {
		t.Error(err)
	}
}

func TestACacheDirectoryThatCannotBeUsed(t *testing.T) {
	r := newRepo(t)
	r.commit("base")
	h := head(t, r)
	before := everything(t, r.dir)
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "in the way")
	for _, dir := range []string{file, filepath.Join(file, "below"), "/proc/assay", filepath.Join(r.dir, "cache"), filepath.Join(r.dir, ".git", "cache")} {
		_, err := worktree.NewPool(t.Context(), r.open(), h, 1, worktree.Options{CacheDir: dir})
		wantError(t, err, worktree.ErrCache, dir, "ASSAY_CACHE_DIR")
		_, err = r.open().Snapshot(t.Context(), worktree.Options{CacheDir: dir})
		wantError(t, err, worktree.ErrCache, dir)
	}
	wantSame(t, before, everything(t, r.dir))
	t.Setenv("ASSAY_CACHE_DIR", "/proc/assay")
	_, err := worktree.NewPool(t.Context(), r.open(), h, 1, worktree.Options{})
	wantError(t, err, worktree.ErrCache, "/proc/assay")
}
