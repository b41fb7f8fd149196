package worktree

import (
	"context"
	"fmt"

	"assay/change"
)

// diffArgs are a diff-tree that shows what `git diff -M` shows when no setting
// of the user changes it, in the form that options ask for.
func diffArgs(from, to string, options ...string) []string {
	args := []string{
		"-c", "diff.renameLimit=1000", "-c", "diff.indentHeuristic=true",
		"diff-tree", "-r", "--find-renames=50%", "--diff-algorithm=myers", "--ignore-submodules=none",
		"--no-ext-diff", "--no-textconv", "--no-color", "--full-index",
	}
	return append(append(args, options...), "--end-of-options", from, to)
}

// Change reads everything that differs between two revisions that Resolve or
// Snapshot returned: files in git's order, and the hunks that
// `git diff -U0 -M` shows. Every file has at least one hunk; every hunk has
// one unit, equal to itself. Kind and Language are not set. A hunk that, put
// back, would not turn head into base is an error here, before anything relies
// on it.
func (r *Repo) Change(ctx context.Context, base, head change.Revision) (*change.Change, error) {
	g, from, to := r.git, base.Commit, head.Commit
	if head.Uncommitted {
		snap, err := r.taken(head)
		if err != nil {
			return nil, err
		}
		g, to = snap.git, snap.commit
	}
	files, err := r.changedFiles(ctx, g, from, to)
	if err != nil {
		return nil, fmt.Errorf("read the change %s..%s of %s: %w", base.Name, head.Name, r.root, err)
	}
	return &change.Change{Base: base, Head: head, Repo: r.Name(), Files: files}, nil
}

func (r *Repo) changedFiles(ctx context.Context, g git, from, to string) ([]*change.File, error) {
	list, err := g.run(ctx, nil, diffArgs(from, to, "--raw", "-z")...)
	if err != nil {
		return nil, err
	}
	entries, err := parseRaw(list)
	if err != nil {
		return nil, err
	}
	patch, err := g.run(ctx, nil, diffArgs(from, to, "--patch", "--unified=0", "--inter-hunk-context=0")...)
	if err != nil {
		return nil, err
	}
	sections, err := parsePatch(patch)
	if err != nil {
		return nil, err
	}
	if err := pair(entries, sections); err != nil {
		return nil, err
	}
	contents, err := r.contents(ctx, g, wanted(entries))
	if err != nil {
		return nil, err
	}
	files := make([]*change.File, 0, len(entries))
	for _, e := range entries {
		f, err := e.file(contents)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// pair gives each entry its section of the patch. A changed type (a file that
// became a symbolic link) is one entry and two sections, a deletion and an
// addition; it has no hunks of its own.
func pair(entries []*entry, sections []section) error {
	at := 0
	for _, e := range entries {
		n := 1
		if e.status == 'T' {
			n = 2
		}
		if at+n > len(sections) {
			return fmt.Errorf("git lists %d changed files, but its patch has only %d", len(entries), len(sections))
		}
		s := sections[at]
		at += n
		if e.status == 'T' {
			continue
		}
		if s.oldID != "" && (s.oldID != e.oldID || s.newID != e.newID) {
			return fmt.Errorf("the patch of %s is of %s..%s, not of %s..%s", e.path, s.oldID, s.newID, e.oldID, e.newID)
		}
		e.section = s
	}
	if at != len(sections) {
		return fmt.Errorf("git lists %d changed files, but its patch has %d more", len(entries), len(sections)-at)
	}
	return nil
}
