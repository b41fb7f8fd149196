package worktree_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/worktree"
)

// wantError holds that an error is of a kind, and one sentence that names each
// of the words.
func wantError(t *testing.T, err, kind error, words ...string) {
	t.Helper()
	var known *worktree.Error
	if !errors.Is(err, kind) || !errors.As(err, &known) {
		t.Fatalf("got %v, want one that is %v", err, kind)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("not one sentence: %q", err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	open := func(dir string) error {
		_, err := worktree.Open(t.Context(), dir)
		return err
	}
	plain := t.TempDir()
	wantError(t, open(plain), worktree.ErrNotRepository, plain, "git init")
	bare := newRepo(t, "--bare")
	wantError(t, open(bare.dir), worktree.ErrBare, bare.dir, "clone")
	unborn := newRepo(t)
	wantError(t, open(unborn.dir), worktree.ErrUnborn, unborn.dir, "commit")
	wantError(t, open(filepath.Join(unborn.dir, ".git")), worktree.ErrNotRepository, ".git directory")
	broken := newRepo(t)
	writeFile(t, filepath.Join(broken.dir, ".git/config"), "[core\n")
	wantError(t, open(broken.dir), worktree.ErrNotRepository, "config")
}

func TestOpenNamesARefusalOfAnotherOwner(t *testing.T) {
	r := newRepo(t)
	r.commit("base")
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // git's own switch for its tests of this
	_, err := worktree.Open(t.Context(), r.dir)
	wantError(t, err, worktree.ErrUnsafe, "safe.directory", r.dir)
}

func TestOpenWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := worktree.Open(t.Context(), ".")
	wantError(t, err, worktree.ErrNoGit, "PATH")
}

func TestOpenEndsWithItsContext(t *testing.T) {
	r := newRepo(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := worktree.Open(ctx, r.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestOpenFromBelowAndFromALinkedWorktree(t *testing.T) {
	r := newRepo(t)
	r.write("deep/er/f", "a\n")
	r.commit("base")
	below, err := worktree.Open(t.Context(), filepath.Join(r.dir, "deep", "er"))
	if err != nil || below.Root() != r.dir || below.Name() != "proj" {
		t.Fatalf("got %v %v", below, err)
	}
	linked := &userRepo{t, filepath.Join(filepath.Dir(r.dir), "linked")}
	r.git("worktree", "add", "-q", linked.dir, "-b", "topic")
	linked.write("deep/er/f", "b\n")
	linked.commit("head")
	if got := linked.open(); got.Root() != linked.dir || got.Name() != "linked" {
		t.Errorf("got %s %s", got.Root(), got.Name())
	}
	c := linked.change("")
	if len(c.Files) != 1 || c.Base.Name != "main" || c.Files[0].Path != "deep/er/f" {
		t.Errorf("got %+v", c)
	}
	tree := acquire(t, linked.pool(1, worktree.DefaultOptions()))
	if got := readFile(t, filepath.Join(tree.Dir(), "deep/er/f")); got != "b\n" {
		t.Errorf("got %q", got)
	}
}

func TestResolveRanges(t *testing.T) {
	r := newRepo(t)
	one := r.commit("one")
	r.git("tag", "v1")
	two := r.commit("two")
	r.git("checkout", "-q", "-b", "topic", one)
	three := r.commit("three")
	empty := "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	for _, c := range []struct{ spec, base, head string }{
		{"", one, three},
		{"v1", one, three},
		{"main", two, three},
		{"main..topic", two, three},
		{"main...topic", one, three},
		{"main...", one, three},
		{"..main", three, two},
		{"HEAD~1..HEAD", one, three},
		{one[:8] + ".." + three[:8], one, three},
		{"4b825dc..HEAD", empty, three},
		{":/three..main", three, two},
	} {
		base, head, err := r.open().Resolve(t.Context(), c.spec)
		if err != nil || base.Commit != c.base || head.Commit != c.head {
			t.Errorf("%q: got %s %s %v, want %s %s", c.spec, base.Commit, head.Commit, err, c.base, c.head)
		}
	}
	r.git("checkout", "-q", "--detach")
	if base, head, err := r.open().Resolve(t.Context(), ""); err != nil || base.Commit != one || head.Commit != three {
		t.Errorf("detached: got %v %v %v", base, head, err)
	}
}

func TestTheEmptyTreeIsABase(t *testing.T) {
	r := newRepo(t)
	r.write("f", "a\n", "g", "b\n")
	r.commit("root")
	if c := r.change("4b825dc..HEAD"); len(c.Files) != 2 || shape(c.Files[0]) != "added text [-0,0 +1]" {
		t.Errorf("got %+v", c.Files)
	}
}

func TestTheDefaultBaseIsThatOfTheRemoteTheBranchFollows(t *testing.T) {
	upstream := newRepo(t)
	upstream.commit("one")
	upstream.git("branch", "-m", "trunk")
	r := &userRepo{t, filepath.Join(filepath.Dir(upstream.dir), "clone")}
	upstream.git("clone", "-q", "-o", "there", upstream.dir, r.dir)
	_, _, err := r.open().Resolve(t.Context(), "")
	wantError(t, err, worktree.ErrDefaultBranch, "there/trunk", "HEAD~1..HEAD", "--uncommitted")
	r.git("checkout", "-q", "-b", "topic", "--track", "there/trunk")
	r.commit("two")
	base, head, err := r.open().Resolve(t.Context(), "")
	if err != nil || base.Name != "there/trunk" || base.Commit == head.Commit {
		t.Errorf("got %v %v %v", base, head, err)
	}
}

func TestResolveSaysWhatIsWrong(t *testing.T) {
	r := newRepo(t)
	root := r.commit("one")
	r.git("branch", "feature/parser")
	r.git("tag", "v1.2.0")
	resolve := func(spec string) error {
		_, _, err := r.open().Resolve(t.Context(), spec)
		return err
	}
	wantError(t, resolve(""), worktree.ErrDefaultBranch, "main", "HEAD~1..HEAD", "--uncommitted")
	wantError(t, resolve("mian"), worktree.ErrUnknownRevision, `"mian"`, "main")
	wantError(t, resolve("parsr..HEAD"), worktree.ErrUnknownRevision, "feature/parser")
	wantError(t, resolve("HEAD..v1.20"), worktree.ErrUnknownRevision, "v1.2.0")
	wantError(t, resolve("completely-else"), worktree.ErrUnknownRevision, "git branch -a")
	wantError(t, resolve("--help"), worktree.ErrUnknownRevision, "--help")
	wantError(t, resolve("HEAD~1..HEAD"), worktree.ErrUnknownRevision, "4b825dc..HEAD")
	wantError(t, resolve("mian~1"), worktree.ErrUnknownRevision, "did you mean main")
	wantError(t, resolve(strings.Repeat("ab", 20)), worktree.ErrUnknownRevision, "git fetch")
	r.git("checkout", "-q", "--orphan", "island")
	r.commit("island")
	wantError(t, resolve("main...HEAD"), worktree.ErrNoBase, "main..HEAD")
	r.git("branch", "-D", "-q", "main")
	wantError(t, resolve(""), worktree.ErrNoBase, "BASE..HEAD")
	if err := resolve(root + "..HEAD"); err != nil {
		t.Error(err)
	}
}

func TestAShallowCloneThatLacksTheBaseSaysSo(t *testing.T) {
	r := newRepo(t)
	one := r.commit("one")
	r.commit("two")
	r.git("checkout", "-q", "-b", "topic", one)
	r.write("f", "a\n")
	r.commit("three")
	clone := &userRepo{t, filepath.Join(filepath.Dir(r.dir), "clone")}
	r.git("clone", "-q", "--depth=1", "--no-single-branch", "file://"+r.dir, clone.dir)
	clone.git("remote", "set-head", "origin", "main")
	for _, spec := range []string{"HEAD~1..HEAD", one + "..HEAD", "origin/main...HEAD", ""} {
		_, _, err := clone.open().Resolve(t.Context(), spec)
		wantError(t, err, worktree.ErrShallow, "--deepen", "--unshallow")
	}
	single := &userRepo{t, filepath.Join(filepath.Dir(r.dir), "single")}
	r.git("clone", "-q", "--depth=1", "--branch=topic", "file://"+r.dir, single.dir)
	_, _, err := single.open().Resolve(t.Context(), "origin/main")
	wantError(t, err, worktree.ErrUnknownRevision, "shallow", "--unshallow", "set-branches")
	clone.git("fetch", "-q", "--unshallow")
	if c := clone.change("HEAD~1..HEAD"); len(c.Files) != 1 {
		t.Errorf("got %v", c.Files)
	}
}

func TestAShallowCloneIsLent(t *testing.T) {
	r := newRepo(t)
	r.commit("zero")
	r.write("f", "a\n")
	r.commit("one")
	r.write("f", "b\n")
	r.commit("two")
	clone := &userRepo{t, filepath.Join(filepath.Dir(r.dir), "clone")}
	r.git("clone", "-q", "--depth=2", "file://"+r.dir, clone.dir)
	c := clone.change("HEAD~1..HEAD")
	tree := acquire(t, clone.pool(1, worktree.DefaultOptions()))
	if got := (&userRepo{t, tree.Dir()}).git("rev-list", "--count", "HEAD"); got != "2" {
		t.Errorf("git in the tree sees %s commits", got)
	}
	if len(c.Files) != 1 {
		t.Errorf("got %v", c.Files)
	}
}

// A hook runs with variables that lead every git command into its repository.
func TestTheVariablesOfAHookAreScrubbed(t *testing.T) {
	hook := newRepo(t)
	hook.write("hook", "x\n")
	hook.commit("hook")
	r := newRepo(t)
	r.write("f", "a\n")
	r.commit("base")
	r.write("f", "b\n")
	r.commit("head")
	want := shape(r.change("HEAD~1..HEAD").Files[0])
	t.Setenv("GIT_DIR", filepath.Join(hook.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", hook.dir)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(hook.dir, ".git", "index.lock"))
	t.Setenv("GIT_OBJECT_DIRECTORY", filepath.Join(hook.dir, ".git", "objects"))
	t.Setenv("GIT_PREFIX", "sub/")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.bare")
	t.Setenv("GIT_CONFIG_VALUE_0", "true")
	before := everything(t, hook.dir)
	if got := shape(r.change("HEAD~1..HEAD").Files[0]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	repo := r.open()
	snap, err := repo.Snapshot(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	tree := acquire(t, newPool(t, repo, snap.Head, 1, options(t)))
	if err := tree.Apply(nil); err != nil {
		t.Fatal(err)
	}
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "rev-parse", "--show-toplevel")
	cmd.Dir, cmd.Env = tree.Dir(), repo.Environ()
	if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != tree.Dir() {
		t.Errorf("a test that runs git in the tree works in %s (%v)", out, err)
	}
	if err := snap.Close(); err != nil {
		t.Error(err)
	}
	for _, kv := range repo.Environ() {
		if strings.HasPrefix(kv, "GIT_DIR=") || strings.HasPrefix(kv, "GIT_CONFIG_") && os.Getenv("GIT_CONFIG_GLOBAL") == "" {
			t.Errorf("%s is passed on", kv)
		}
	}
	wantSame(t, before, everything(t, hook.dir))
}

func TestDirtyNamesUncommittedEdits(t *testing.T) {
	r := newRepo(t)
	r.write("staged", "a\n", "edited", "a\n", "clean", "a\n", "gone", "a\n", "unasked", "a\n", "with space/é", "a\n")
	r.commit("base")
	r.write("staged", "b\n")
	r.git("add", "staged")
	r.write("edited", "b\n", "unasked", "b\n", "untracked", "b\n", "with space/é", "b\n")
	r.remove("gone")
	got, err := r.open().Dirty(t.Context(), []string{"clean", "staged", "edited", "gone", "untracked", "with space/é", "absent"})
	if want := "edited gone staged untracked with space/é"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %q %v, want %q", got, err, want)
	}
}
