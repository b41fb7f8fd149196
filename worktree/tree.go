package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Tree is one throwaway copy of head. It is used by one goroutine at a time.
type Tree struct {
	pool         *Pool
	dir, scratch string
	index        string // the judge's index of this tree
	made         bool
	broken       bool // a Restore failed: to be made anew
	root         *os.Root
	dotgit       stamps            // of .git as it was made
	lent         map[string]stamps // by path of the loan
	known        layout
	odd          map[string]string // files that differ from head right after checkout: their blob ids
	edited       []edited          // what Apply put on disk, in order
	touched      map[string]bool   // every path ever edited
	clock        time.Time
	seen         seen // how it lay when it was last found to hold head; nil: not known
	held         seen // how it lay at the last Hold; nil: not known
}

// Dir returns the top of the tree.
func (t *Tree) Dir() string { return t.dir }

// Scratch returns a directory of this tree's own, beside it. It is not emptied
// by Restore.
func (t *Tree) Scratch() string { return t.scratch }

// Release gives the tree back to its pool. A tree that does not hold head is
// made anew before it is lent again.
func (t *Tree) Release() {
	if len(t.edited) > 0 || t.broken {
		t.made = false
	}
	t.pool.free <- t
}

// git judges the tree. It may lock: the index is ours alone.
func (t *Tree) git() git {
	return t.pool.judge.on(t.dir, t.index).with("GIT_OPTIONAL_LOCKS=1")
}

// make checks head out.
func (t *Tree) make(ctx context.Context) error {
	if err := t.guard(); err != nil {
		return err
	}
	if err := errors.Join(t.close(), removeAll(filepath.Dir(t.dir)), os.RemoveAll(t.index)); err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(t.dir, 0o755), os.MkdirAll(t.scratch, 0o755)); err != nil {
		return err
	}
	if _, err := t.git().run(ctx, nil, "read-tree", "--reset", "-u", t.pool.judge.commit); err != nil {
		return fmt.Errorf("check out %s: %w", t.pool.judge.commit, err)
	}
	t.tick() // no edit gets a time that a file was checked out at
	if err := errors.Join(t.makeDotGit(), t.lendAll()); err != nil {
		return err
	}
	var err error
	if t.root, err = os.OpenRoot(t.dir); err != nil {
		return err
	}
	t.known = t.pool.judge.layout(t.pool.loans)
	if err := t.findOdd(ctx); err != nil {
		return err
	}
	for path := range t.touched {
		if err := t.root.Chtimes(path, t.tick(), t.clock); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	t.made, t.broken, t.edited = true, false, nil
	return nil
}

func (t *Tree) close() error {
	if t.root == nil {
		return nil
	}
	err := t.root.Close()
	t.root = nil
	return err
}

// makeDotGit gives the tree a .git: the judge's refs and settings, this tree's
// index, and the judge's objects to borrow.
func (t *Tree) makeDotGit() error {
	from, to := t.pool.judge.dir, filepath.Join(t.dir, ".git")
	if err := removeAll(to); err != nil {
		return err
	}
	for _, dir := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info"} {
		if err := os.MkdirAll(filepath.Join(to, dir), 0o755); err != nil {
			return err
		}
	}
	for _, name := range []string{"HEAD", "config", "packed-refs", "shallow", "info/exclude", "info/attributes"} {
		if err := copyIfThere(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(to, "objects/info/alternates"), []byte(quoteAlternate(filepath.Join(from, "objects"))+"\n")); err != nil {
		return err
	}
	if err := copyIndex(t.index, filepath.Join(to, "index")); err != nil {
		return err
	}
	var err error
	t.dotgit, err = stampsOf(to)
	return err
}

func (t *Tree) lendAll() error {
	t.lent = map[string]stamps{}
	for _, l := range t.pool.loans {
		if err := t.lend(l); err != nil {
			return fmt.Errorf("give the tree %s of the working tree: %w", l.path, err)
		}
	}
	return nil
}

func (t *Tree) lend(l loan) error {
	to := filepath.Join(t.dir, filepath.FromSlash(l.path))
	if err := removeAll(to); err != nil { // the empty directory of a submodule, or what a test made of it
		return err
	}
	if err := l.lend(to); err != nil {
		return err
	}
	var err error
	t.lent[l.path], err = stampsOf(to)
	return err
}

// findOdd remembers which files git calls modified though it has just checked
// them out: their attributes contradict their content.
func (t *Tree) findOdd(ctx context.Context) error {
	t.odd = map[string]string{}
	listed, err := status(ctx, t.git(), "no")
	if err != nil {
		return err
	}
	for _, path := range listed {
		content, err := t.root.ReadFile(path)
		if err != nil {
			return fmt.Errorf("check out %s: %w", path, err)
		}
		t.odd[path] = blobID(t.pool.judge.format, content)
	}
	return nil
}

// guard is called before anything is written: the tree lies where this run put
// it, under a run that still has its owner, and neither is nor is in the
// user's repository.
func (t *Tree) guard() error {
	run := t.pool.run.dir
	if _, err := os.Lstat(filepath.Join(run, ownerFile)); err != nil {
		return fmt.Errorf("the run %s is closed: %w", run, err)
	}
	for _, dir := range []string{filepath.Dir(t.dir), t.dir} {
		real, err := filepath.EvalSymlinks(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if real != dir || !within(run, real) || within(t.pool.repo.root, real) {
			return fmt.Errorf("%s now leads to %s, outside the run %s: nothing is written there", dir, real, run)
		}
	}
	return nil
}

// tick returns a time for a file that no other file version of this tree has,
// in whole seconds: byte code and build caches compare no finer. It may lie
// seconds ahead.
func (t *Tree) tick() time.Time {
	next := t.clock.Add(2 * time.Second)
	if now := time.Now().Truncate(time.Second); now.After(next) {
		next = now
	}
	t.clock = next
	return next
}

func isFull(err error) bool {
	for _, sign := range []string{"No space left on device", "Disk quota exceeded", "Read-only file system"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}
