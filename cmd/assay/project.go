package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"assay/change"
	"assay/prove"
	"assay/worktree"
)

// A project is the user's repository opened for one command: its settings and
// the environment that everything runs in. close frees what it holds.
type project struct {
	repo     *worktree.Repo
	cfg      Config
	env      []string
	snapshot *worktree.Snapshot // set with --uncommitted
	pool     *worktree.Pool     // set by trees
	keep     bool               // leave the trees to assay clean
}

// openProject opens the repository of the flags' directory, sweeps away what
// killed runs left, and reads the settings.
func openProject(ctx context.Context, flags *pflag.FlagSet, f *proveFlags) (*project, error) {
	repo, err := worktree.Open(ctx, f.dir)
	if err != nil {
		return nil, err
	}
	cfg, err := readConfig(repo.Root(), f.config)
	if err != nil {
		return nil, err
	}
	cfg.overlay(flags, f)
	if err := cfg.check(theFlags); err != nil {
		return nil, err
	}
	if _, err := worktree.Sweep(ctx, ""); err != nil {
		return nil, err
	}
	return &project{repo: repo, cfg: cfg, env: repo.Environ(), keep: f.keep}, nil
}

func (p *project) close() error {
	var errs []error
	if p.pool != nil && !p.keep {
		errs = append(errs, p.pool.Close())
	}
	if p.snapshot != nil {
		errs = append(errs, p.snapshot.Close())
	}
	return errors.Join(errs...)
}

// change reads the change that spec names, or with uncommitted the working
// tree against HEAD. It refuses a change to files that carry uncommitted
// edits: their verdicts would speak of other bytes than the user sees.
func (p *project) change(ctx context.Context, spec string, uncommitted bool) (*change.Change, error) {
	if uncommitted {
		return p.uncommitted(ctx, spec)
	}
	if spec == "" {
		spec = p.cfg.Base
	}
	base, head, err := p.repo.Resolve(ctx, spec)
	if err != nil {
		return nil, err
	}
	c, err := p.repo.Change(ctx, base, head)
	if err != nil {
		return nil, err
	}
	return c, p.refuseDirty(ctx, c)
}

func (p *project) uncommitted(ctx context.Context, spec string) (c *change.Change, err error) {
	if spec != "" {
		return nil, mistakef("--uncommitted proves the working tree against HEAD and takes no revision, but %q was given", spec)
	}
	if p.snapshot, err = p.repo.Snapshot(ctx, worktree.Options{}); err != nil {
		return nil, err
	}
	return p.repo.Change(ctx, p.snapshot.Base, p.snapshot.Head)
}

func (p *project) refuseDirty(ctx context.Context, c *change.Change) error {
	_, head, err := p.repo.Resolve(ctx, "HEAD..HEAD")
	if err != nil || head.Commit != c.Head.Commit {
		return err
	}
	var paths []string
	for _, f := range c.Files {
		paths = append(paths, f.Path)
	}
	dirty, err := p.repo.Dirty(ctx, paths)
	if err != nil || len(dirty) == 0 {
		return err
	}
	more := ""
	if len(dirty) > 5 {
		more = fmt.Sprintf(" and %d more", len(dirty)-5)
	}
	return mistakef("these files of the change carry uncommitted edits: %s%s; commit or stash them, or prove what you have with assay prove --uncommitted",
		strings.Join(dirty[:min(5, len(dirty))], ", "), more)
}

// at is one tree of a single revision, without a change, and the languages
// that the revision holds.
func (p *project) at(ctx context.Context, name string) (prove.Trees, []prove.Language, error) {
	_, head, err := p.repo.Resolve(ctx, name+".."+name)
	if err != nil {
		return nil, nil, err
	}
	p.cfg.Jobs = 1
	trees, err := p.trees(ctx, head)
	if err != nil {
		return nil, nil, err
	}
	langs, err := p.languages(ctx, &change.Change{}, trees)
	return trees, langs, err
}

// trees makes the pool of throwaway trees that hold head.
func (p *project) trees(ctx context.Context, head change.Revision) (prove.Trees, error) {
	size := p.cfg.Jobs
	if size == 0 {
		size = runtime.NumCPU()
	}
	opts := worktree.DefaultOptions()
	opts.Link = append(opts.Link, p.cfg.Link...)
	opts.Copy = append(opts.Copy, p.cfg.Copy...)
	pool, err := worktree.NewPool(ctx, p.repo, head, size, opts)
	if err != nil {
		return nil, err
	}
	p.pool = pool
	return lender{pool}, nil
}

// lender is a pool as package prove wants to see it.
type lender struct{ *worktree.Pool }

// Acquire lends a tree.
func (l lender) Acquire(ctx context.Context) (prove.Tree, error) { return l.Pool.Acquire(ctx) }
