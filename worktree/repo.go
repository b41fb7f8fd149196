package worktree

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	gogit "github.com/go-git/go-git/v5"
)

// A Repo is the user's repository, which is only read. Its methods may be
// called concurrently.
type Repo struct {
	root    string // top of the work tree, symbolic links resolved
	gitDir  string // of this work tree
	common  string // the directory that holds objects and refs
	format  string // object format: sha1 or sha256
	shallow bool
	env     []string // the process's, scrubbed
	git     git

	mu       sync.Mutex
	blobs    *gogit.Repository // nil when go-git cannot read this repository
	snapshot *Snapshot         // the last one taken; nil before
}

// Open finds the repository whose work tree holds dir: dir may be below its
// top, or in a linked worktree. Variables such as GIT_DIR are ignored. It
// fails with ErrNoGit, ErrNotRepository, ErrBare, ErrUnborn or ErrUnsafe.
func Open(ctx context.Context, dir string) (*Repo, error) {
	env, err := Environ(ctx)
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find the repository of %s: %w", dir, err)
	}
	r := &Repo{env: env, git: git{dir: dir, env: ownEnv(env)}}
	if err := r.locate(ctx, dir); err != nil {
		return nil, err
	}
	r.git.dir = r.root
	if _, born, err := r.git.found(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return nil, err
	} else if !born {
		return nil, trouble(ctx, ErrUnborn, nil, "the repository %s has no commit yet, so there is no change to prove; make a first commit", r.root)
	}
	// go-git refuses what it does not know (SHA-256, new extensions); git
	// itself then serves the blobs, so its refusal is no error of ours.
	r.blobs, err = gogit.PlainOpenWithOptions(r.root, &gogit.PlainOpenOptions{EnableDotGitCommonDir: true})
	if err != nil || r.format != "sha1" {
		r.blobs = nil
	}
	return r, nil
}

// locate asks git where everything is. A path may hold a line end, so each is
// asked for by itself.
func (r *Repo) locate(ctx context.Context, dir string) error {
	flags, err := r.git.line(ctx, "rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--is-shallow-repository", "--show-object-format")
	if err != nil {
		return openError(ctx, dir, err)
	}
	words := strings.Fields(flags)
	if len(words) != 4 {
		return fmt.Errorf("git rev-parse in %s printed %q; assay needs git 2.31 or later", dir, flags)
	}
	if words[0] == "true" {
		return trouble(ctx, ErrBare, nil, "%s is a bare repository, which has no work tree to prove; clone it and run assay in the clone", dir)
	}
	if words[1] != "true" {
		return trouble(ctx, ErrNotRepository, nil, "%s lies inside the .git directory of a repository; run assay in its work tree", dir)
	}
	r.shallow, r.format = words[2] == "true", words[3]
	for _, place := range []struct {
		to   *string
		args []string
	}{
		{&r.root, []string{"rev-parse", "--show-toplevel"}},
		{&r.gitDir, []string{"rev-parse", "--absolute-git-dir"}},
		{&r.common, []string{"rev-parse", "--path-format=absolute", "--git-common-dir"}},
	} {
		if *place.to, err = r.git.line(ctx, place.args...); err != nil {
			return openError(ctx, dir, err)
		}
		if *place.to, err = filepath.EvalSymlinks(*place.to); err != nil {
			return fmt.Errorf("find the repository of %s: %w", dir, err)
		}
	}
	return nil
}

func openError(ctx context.Context, dir string, err error) error {
	var failed *gitError
	if !errors.As(err, &failed) {
		return trouble(ctx, ErrNotRepository, err, "could not look for a git repository in %s (%v); run assay inside a repository", dir, err)
	}
	switch {
	case strings.Contains(failed.stderr, "dubious ownership"), strings.Contains(failed.stderr, "unsafe repository"):
		return trouble(ctx, ErrUnsafe, err, "git refuses the repository of %s because another user owns it; if you trust it, run `git config --global --add safe.directory %s`", dir, dir)
	case strings.Contains(failed.stderr, "not a git repository"):
		return trouble(ctx, ErrNotRepository, err, "%s is not inside a git repository; run assay in one, or make one with `git init`", dir)
	}
	return trouble(ctx, ErrNotRepository, err, "git cannot read the repository of %s (%s); repair it, then run assay again", dir, strings.TrimSpace(failed.stderr))
}

// Root returns the top of the user's work tree: absolute, symbolic links
// resolved.
func (r *Repo) Root() string { return r.root }

// Name returns the base name of the work tree, which every throwaway tree has
// as well: Python imports a package by the name of its directory.
func (r *Repo) Name() string {
	name := filepath.Base(r.root)
	if name == string(filepath.Separator) {
		return "root"
	}
	return name
}

// Environ returns the environment of this process as the function Environ
// does.
func (r *Repo) Environ() []string { return append([]string(nil), r.env...) }

// emptyTree is the object id of a tree without entries, which git knows
// without storing it.
func (r *Repo) emptyTree() string {
	if r.format == "sha256" {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}
