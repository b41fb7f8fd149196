package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Dirty returns which of the given paths differ between HEAD and the user's
// work tree, staged or not, in order. When head is HEAD a proof of these would
// speak of other bytes than the user sees: it is refused, and Snapshot is the
// way out.
func (r *Repo) Dirty(ctx context.Context, paths []string) ([]string, error) {
	listed, err := status(ctx, r.git, "all")
	if err != nil {
		return nil, fmt.Errorf("look for uncommitted edits in %s: %w", r.root, err)
	}
	var dirty []string
	for _, path := range listed {
		if slices.Contains(paths, path) {
			dirty = append(dirty, path)
		}
	}
	slices.Sort(dirty)
	return slices.Compact(dirty), nil
}

// status lists the paths that differ between HEAD, index and work tree of g.
// Submodules are left out: what lies in them is another repository's.
func status(ctx context.Context, g git, untracked string) ([]string, error) {
	out, err := g.run(ctx, nil, "status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all", "--untracked-files="+untracked)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, record := range records(out) {
		if len(record) < 4 {
			return nil, fmt.Errorf("git status has the record %q", record)
		}
		paths = append(paths, record[3:]) // after two letters and a space
	}
	return paths, nil
}

// IgnoredOnly lists what git ignores in the user's work tree, which a throwaway
// tree therefore lacks unless it is lent: collapsed by directory (then ending in
// a slash), at most max entries, byte code of Python and the like left out.
func (r *Repo) IgnoredOnly(ctx context.Context, max int) ([]string, error) {
	all, err := r.ignored(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, noise)
	return all[:min(max, len(all))], nil
}

// IgnoredOnly is that of the repository without what the trees of this pool
// were lent: for the hint when the baseline is red.
func (p *Pool) IgnoredOnly(ctx context.Context, max int) ([]string, error) {
	all, err := p.repo.ignored(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(path string) bool {
		lent := slices.ContainsFunc(p.loans, func(l loan) bool { return l.path == strings.TrimSuffix(path, "/") })
		return lent || noise(path)
	})
	return all[:min(max, len(all))], nil
}

// noise tells leftovers of tools that no test needs.
func noise(path string) bool {
	if isBytecode(path) {
		return true
	}
	for _, name := range []string{".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".coverage", ".DS_Store"} {
		if path == name || strings.TrimSuffix(path, "/") == name || strings.HasSuffix(strings.TrimSuffix(path, "/"), "/"+name) {
			return true
		}
	}
	return false
}

func isBytecode(path string) bool {
	return strings.HasSuffix(path, ".pyc") || path == "__pycache__/" || strings.HasSuffix(path, "/__pycache__/")
}

func (r *Repo) ignored(ctx context.Context) ([]string, error) {
	out, err := r.git.run(ctx, nil, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil {
		return nil, fmt.Errorf("list ignored files of %s: %w", r.root, err)
	}
	all := records(out)
	slices.Sort(all)
	// git also lists a directory that is not ignored but holds nothing else
	// than ignored ones; those follow it.
	var ignored []string
	for i, path := range all {
		if i+1 < len(all) && strings.HasSuffix(path, "/") && strings.HasPrefix(all[i+1], path) {
			continue
		}
		ignored = append(ignored, path)
	}
	return ignored, nil
}
