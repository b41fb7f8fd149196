package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/change"
)

// A Snapshot is the user's work tree at one moment, untracked files included
// and ignored ones not, as a commit that only assay can see.
type Snapshot struct {
	// Base is HEAD; Head is the snapshot. Repo.Change and NewPool take them
	// until Close.
	Base, Head change.Revision

	commit, objects string
	git             git // sees the user's objects and the snapshot's
	run             *run
}

// Snapshot writes the work tree as a commit into a temporary object directory.
// The user's index, stash, refs and objects are not touched: git works on a
// copy of the index. It fails with ErrCache when the cache directory of opts
// cannot be used. Close removes what it wrote.
func (r *Repo) Snapshot(ctx context.Context, opts Options) (*Snapshot, error) {
	base, err := r.revision(ctx, "HEAD", false)
	if err != nil {
		return nil, err
	}
	run, err := startRun(ctx, r, opts.CacheDir)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Base: base, Head: change.Revision{Commit: base.Commit, Name: "working tree", Uncommitted: true},
		objects: filepath.Join(run.dir, "objects"), run: run}
	if err := r.record(ctx, s); err != nil {
		return nil, errors.Join(fmt.Errorf("take a snapshot of %s: %w", r.root, err), run.close())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.snapshot = s
	return s, nil
}

// Close removes the snapshot. Changes and pools that were made from it before
// are not hurt; none can be made any more.
func (s *Snapshot) Close() error { return s.run.close() }

// record writes the commit.
func (r *Repo) record(ctx context.Context, s *Snapshot) error {
	if err := os.MkdirAll(filepath.Join(s.objects, "pack"), 0o755); err != nil {
		return err
	}
	users := filepath.Join(r.common, "objects")
	s.git = r.git.with("GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoteAlternate(s.objects))
	index := filepath.Join(s.run.dir, "index")
	if err := copyIndex(filepath.Join(r.gitDir, "index"), index); err != nil {
		return err
	}
	g := r.git.with("GIT_INDEX_FILE="+index, "GIT_OBJECT_DIRECTORY="+s.objects, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+quoteAlternate(users),
		"GIT_AUTHOR_NAME=assay", "GIT_AUTHOR_EMAIL=assay@localhost", "GIT_AUTHOR_DATE=2000-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=assay", "GIT_COMMITTER_EMAIL=assay@localhost", "GIT_COMMITTER_DATE=2000-01-01T00:00:00Z")
	differ, err := g.run(ctx, nil, "diff-files", "--name-only", "-z", "--ignore-submodules=dirty")
	if err != nil {
		return err
	}
	others, err := g.run(ctx, nil, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	var paths []string
	for _, path := range append(records(differ), records(others)...) {
		if !strings.HasSuffix(path, "/") { // a repository inside the repository is not part of it
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		if _, err := g.run(ctx, []byte(strings.Join(paths, "\x00")), "update-index", "--add", "--remove", "--replace", "-z", "--stdin"); err != nil {
			return err
		}
	}
	tree, err := g.line(ctx, "write-tree")
	if err != nil {
		return err
	}
	s.commit, err = g.line(ctx, "-c", "commit.gpgSign=false", "commit-tree", "-m", "working tree", "-p", s.Base.Commit, tree)
	return err
}

// copyIndex copies the index file with its time, by which git tells entries
// that it cannot trust. A repository whose index was deleted has none.
func copyIndex(from, to string) error {
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// taken returns the snapshot that an uncommitted head stands for.
func (r *Repo) taken(head change.Revision) (*Snapshot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.snapshot == nil || r.snapshot.Head != head {
		return nil, fmt.Errorf("no snapshot of the working tree of %s was taken for %s", r.root, head.Commit)
	}
	return r.snapshot, nil
}
