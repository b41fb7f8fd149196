package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/bmatcuk/doublestar/v4"

	"assay/change"
)

// Options say where throwaway trees live and which ignored files of the user's
// tree they get. Patterns are globs as doublestar reads them; one without a
// slash matches a base name anywhere, as in .gitignore.
type Options struct {
	CacheDir string // "" for the usual one, see CacheDir
	// Link patterns are linked into each tree, or copied when small.
	Link []string
	// Copy patterns are always copied.
	Copy []string
	// Keep patterns are ignored directories that stay in a tree when it is
	// restored though a run made them: build caches that are too dear to make
	// anew. Every other leftover goes.
	Keep []string
}

// DefaultOptions links what package managers install, copies the version
// modules that setuptools-scm and hatch-vcs write into a package when it is
// installed, and keeps what build tools cache.
func DefaultOptions() Options {
	return Options{
		Copy: []string{"_version.py", "version.py"},
		Link: []string{"node_modules", ".venv", "venv"},
		Keep: []string{"target", "node_modules", ".venv", "venv", ".tox", ".nox", ".gradle"},
	}
}

// A Pool lends trees that hold head. They are made when first needed. Its
// methods may be called concurrently.
type Pool struct {
	ctx   context.Context // of the run: Apply and Restore end with it
	repo  *Repo
	run   *run
	judge *judge
	loans []loan     // what each tree gets of the user's ignored files
	opts  Options    //
	free  chan *Tree // all slots that are not out; trees in it may be unmade
}

// NewPool prepares size trees of head, which Resolve or Snapshot returned. Every
// git process and every Apply and Restore of its trees ends when ctx does. It
// fails with ErrCache when the cache directory cannot be used. Close removes
// everything.
func NewPool(ctx context.Context, repo *Repo, head change.Revision, size int, opts Options) (*Pool, error) {
	if size < 1 {
		return nil, fmt.Errorf("a pool of %d trees cannot lend any", size)
	}
	for _, pattern := range opts.Keep {
		if !doublestar.ValidatePattern(pattern) {
			return nil, badPattern(pattern)
		}
	}
	g, commit, objects := repo.git, head.Commit, ""
	if head.Uncommitted {
		snap, err := repo.taken(head)
		if err != nil {
			return nil, err
		}
		g, commit, objects = snap.git, snap.commit, snap.objects
	}
	run, err := startRun(ctx, repo, opts.CacheDir)
	if err != nil {
		return nil, err
	}
	p := &Pool{ctx: ctx, repo: repo, run: run, opts: opts, free: make(chan *Tree, size)}
	if err := p.prepare(g, commit, objects, size); err != nil {
		return nil, errors.Join(cacheOr(ctx, run.dir, err), run.close())
	}
	return p, nil
}

func (p *Pool) prepare(g git, commit, objects string, size int) (err error) {
	if p.judge, err = newJudge(p.ctx, p.repo, g, p.run, commit, objects); err != nil {
		return err
	}
	if p.loans, err = p.repo.loans(p.ctx, p.judge, p.opts); err != nil {
		return err
	}
	if err := os.Mkdir(p.Scratch(), 0o755); err != nil {
		return err
	}
	for i := range size {
		slot := strconv.Itoa(i)
		p.free <- &Tree{
			touched: map[string]bool{},
			pool:    p,
			dir:     filepath.Join(p.run.dir, slot, p.repo.Name()),
			scratch: filepath.Join(p.run.dir, "t"+slot),
			index:   filepath.Join(p.run.dir, "judge.git", "index-"+slot),
		}
	}
	return nil
}

// Size returns how many trees can be out at once.
func (p *Pool) Size() int { return cap(p.free) }

// Scratch returns a directory that lives as long as the pool, for what outlives
// one trial.
func (p *Pool) Scratch() string { return filepath.Join(p.run.dir, "shared") }

// Acquire waits for a free tree, until ctx ends, and returns it holding head.
func (p *Pool) Acquire(ctx context.Context) (*Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case t := <-p.free:
		if t.made {
			return t, nil
		}
		if err := t.make(ctx); err != nil {
			p.free <- t
			return nil, cacheOr(ctx, p.run.dir, err)
		}
		return t, nil
	}
}

// Close ends every process that has its TMPDIR in the pool, and removes the
// trees and everything else of the pool, also trees that are still out.
func (p *Pool) Close() error { return p.run.close() }

// cacheOr gives an error of the file system (full, read-only) the form that
// tells the user what to do.
func cacheOr(ctx context.Context, dir string, err error) error {
	var disk *os.PathError
	if errors.As(err, &disk) || isFull(err) {
		return cacheError(ctx, dir, err)
	}
	return err
}
