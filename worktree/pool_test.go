package worktree_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/change"
	"assay/worktree"
)

func TestManyWorkersShareAPool(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "start\n", "b/c.txt", "c\n")
	r.commit("head")
	pool := r.pool(3, worktree.DefaultOptions())
	if pool.Size() != 3 {
		t.Errorf("size is %d", pool.Size())
	}
	var mu sync.Mutex
	out := map[string]bool{}
	claim := func(dir string, want bool) {
		mu.Lock()
		defer mu.Unlock()
		if out[dir] == want {
			t.Errorf("%s is lent twice", dir)
		}
		out[dir] = want
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for range 3 {
				tree, err := pool.Acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				claim(tree.Dir(), true)
				work(t, tree, fmt.Sprint("worker ", worker))
				claim(tree.Dir(), false)
				tree.Release()
			}
		})
	}
	wg.Wait()
	if len(out) > 3 {
		t.Errorf("%d trees were made", len(out))
	}
}

func work(t *testing.T, tree *worktree.Tree, text string) {
	path := filepath.Join(tree.Dir(), "a.txt")
	if got, err := os.ReadFile(path); err != nil || string(got) != "start\n" {
		t.Errorf("was lent %q %v", got, err)
	}
	if err := tree.Apply([]change.Edit{{Path: "a.txt", Start: 0, End: 5, Text: []byte(text)}}); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text+"\n" {
		t.Errorf("got %q %v, want %q", got, err, text)
	}
	if err := os.WriteFile(filepath.Join(tree.Dir(), "left"), nil, 0o600); err != nil {
		t.Error(err)
	}
	if err := tree.Restore(); err != nil {
		t.Error(err)
	}
}

func TestATreeGivenBackEditedIsLentHoldingHead(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("head")
	pool := r.pool(1, worktree.DefaultOptions())
	tree := acquire(t, pool)
	writeFile(t, filepath.Join(tree.Scratch(), "kept"), "x")
	if err := tree.Apply([]change.Edit{{Path: "a.txt", Op: change.Remove}}); err != nil {
		t.Fatal(err)
	}
	tree.Release()
	again := acquire(t, pool)
	if got := readFile(t, filepath.Join(again.Dir(), "a.txt")); got != "a\n" {
		t.Errorf("got %q", got)
	}
	if got := readFile(t, filepath.Join(again.Scratch(), "kept")); got != "x" {
		t.Errorf("the scratch directory was emptied: %q", got)
	}
}

func TestThePoolEndsWithItsContexts(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("head")
	repo, ctx := r.open(), t.Context()
	run, stop := context.WithCancel(ctx)
	opts := options(t)
	pool, err := worktree.NewPool(run, repo, head(t, r), 1, opts)
	if err != nil {
		t.Fatal(err)
	}
	tree := acquire(t, pool)
	waiting, give := context.WithCancel(ctx)
	gave := make(chan error)
	go func() {
		_, err := pool.Acquire(waiting)
		gave <- err
	}()
	give()
	if err := <-gave; !errors.Is(err, context.Canceled) {
		t.Errorf("a wait that was given up: %v", err)
	}
	stop()
	if err := tree.Apply(nil); !errors.Is(err, context.Canceled) {
		t.Errorf("apply: %v", err)
	}
	if err := tree.Restore(); !errors.Is(err, context.Canceled) {
		t.Errorf("restore: %v", err)
	}
	tree.Release()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(filepath.Dir(tree.Dir()))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run is still there (%v)", err)
	}
	if _, err := worktree.NewPool(run, repo, head(t, r), 1, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("a new pool: %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(opts.CacheDir, "runs")); err != nil || len(left) > 1 {
		t.Errorf("left %v (%v)", left, err)
	}
}

func TestAClosedPoolWritesNothing(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("head")
	pool, err := worktree.NewPool(t.Context(), r.open(), head(t, r), 2, options(t))
	if err != nil {
		t.Fatal(err)
	}
	tree := acquire(t, pool)
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	if err := tree.Apply(nil); err == nil {
		t.Error("applied an edit")
	}
	if _, err := pool.Acquire(t.Context()); err == nil {
		t.Error("made a tree")
	}
	if _, err := os.Stat(filepath.Dir(filepath.Dir(tree.Dir()))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run came back (%v)", err)
	}
}

// setuptools_scm and versioneer ask git for the last tag; a test may commit.
func TestATreeIsARepositoryThatStandsAlone(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("one")
	r.git("tag", "-a", "v1.2.3", "-m", "release")
	r.git("tag", "light")
	r.write("a.txt", "b\n")
	r.commit("two")
	r.git("remote", "add", "origin", "https://example.invalid/x.git")
	r.git("config", "user.email", "own@example.com")
	r.git("config", "alias.x", "!false")
	tree := &userRepo{t, acquire(t, r.pool(1, worktree.DefaultOptions())).Dir()}
	if got := tree.git("describe", "--dirty"); !strings.HasPrefix(got, "v1.2.3-1-g") || strings.HasSuffix(got, "dirty") {
		t.Errorf("git describe says %q", got)
	}
	if got := tree.git("remote"); got != "" {
		t.Errorf("a test could push to %q", got)
	}
	if got := tree.git("rev-parse", "HEAD"); got != r.git("rev-parse", "HEAD") {
		t.Errorf("HEAD is %s", got)
	}
	if got := tree.git("config", "--local", "user.email"); got != "own@example.com" {
		t.Errorf("user.email is %q", got)
	}
	if got := tree.git("config", "--local", "--list"); strings.Contains(got, "alias") {
		t.Errorf("the config holds %s", got)
	}
	tree.git("fsck", "--connectivity-only")
}

func TestARepositoryAtAnAwkwardPath(t *testing.T) {
	for _, name := range []string{"with space", "co:lon", "quo\"te", "hash#", "ümläut", "line\nend", "-dash", "back\\slash"} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			moved := filepath.Join(filepath.Dir(r.dir), name)
			if err := os.Rename(r.dir, moved); err != nil {
				t.Fatal(err)
			}
			r.dir = moved
			r.write("a.txt", "a\n")
			r.commit("head")
			r.write("a.txt", "b\n")
			repo := r.open()
			snap, err := repo.Snapshot(t.Context(), options(t))
			if err != nil {
				t.Fatal(err)
			}
			tree := acquire(t, newPool(t, repo, snap.Head, 1, worktree.DefaultOptions()))
			if got := readFile(t, filepath.Join(tree.Dir(), "a.txt")); got != "b\n" || filepath.Base(tree.Dir()) != name {
				t.Errorf("got %q in %s", got, tree.Dir())
			}
			if err := snap.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
