package worktree

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"assay/change"
)

// Resolve returns the two sides of a change as the user names it:
//
//	""            merge base of HEAD with the default branch, and HEAD
//	BASE          BASE and HEAD
//	BASE..HEAD    the two, compared directly, as git diff does
//	BASE...HEAD   their merge base, and HEAD
//
// BASE may be the id of the empty tree (4b825dc…), to compare with nothing. It
// fails with ErrUnknownRevision, naming the nearest branches and tags, with
// ErrShallow when a shallow clone ends before the revision, with
// ErrDefaultBranch when nothing lies beyond the default branch, and with
// ErrNoBase when there is no default branch or no merge base.
func (r *Repo) Resolve(ctx context.Context, spec string) (base, head change.Revision, err error) {
	if spec == "" {
		return r.resolveDefault(ctx)
	}
	left, right, merge := split(spec)
	if head, err = r.revision(ctx, right, false); err != nil {
		return base, head, err
	}
	if base, err = r.revision(ctx, left, !merge); err != nil || !merge {
		return base, head, err
	}
	base.Commit, err = r.mergeBase(ctx, base, head)
	return base, head, err
}

// split cuts a range; a side left out is HEAD, as in git.
func split(spec string) (left, right string, merge bool) {
	left, right, merge = strings.Cut(spec, "...")
	if !merge {
		left, right, _ = strings.Cut(spec, "..")
	}
	if left == "" {
		left = "HEAD"
	}
	if right == "" {
		right = "HEAD"
	}
	return left, right, merge
}

// revision resolves one name to a commit or, where a tree will do, to the
// empty tree.
func (r *Repo) revision(ctx context.Context, name string, tree bool) (change.Revision, error) {
	if tree && len(name) >= 7 && strings.HasPrefix(r.emptyTree(), name) {
		return change.Revision{Commit: r.emptyTree(), Name: name}, nil
	}
	// In two steps, for ":/text^{commit}" is a search for that text.
	object, err := r.git.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
	commit := ""
	if err == nil {
		commit, err = r.git.line(ctx, "rev-parse", "--verify", "--quiet", object+"^{commit}")
	}
	var failed *gitError
	if errors.As(err, &failed) {
		return change.Revision{}, r.unknown(ctx, name, err)
	}
	return change.Revision{Commit: commit, Name: name}, err
}

var (
	hexID    = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
	ancestor = regexp.MustCompile(`^(.+?)([~^][0-9~^]*)$`)
)

// unknown says why a name does not resolve.
func (r *Repo) unknown(ctx context.Context, name string, cause error) error {
	parent := ancestor.FindStringSubmatch(name)
	if parent != nil {
		if _, err := r.revision(ctx, parent[1], false); err != nil {
			return err
		}
	}
	switch id := hexID.MatchString(name); {
	case r.shallow && (id || parent != nil):
		return trouble(ctx, ErrShallow, cause, "this clone is shallow and ends before %s; fetch more history with `git fetch --deepen=50` or all of it with `git fetch --unshallow`", name)
	case parent != nil:
		return trouble(ctx, ErrUnknownRevision, cause, "%s does not exist: the history of %s ends before it; to compare with nothing use the empty tree, `%.7s..%s`",
			name, parent[1], r.emptyTree(), parent[1])
	case id:
		return trouble(ctx, ErrUnknownRevision, cause, "there is no commit %s in %s; fetch it with `git fetch`, or check the id", name, r.root)
	}
	names, err := r.nearest(ctx, name)
	if err != nil {
		return err
	}
	hint := "`git branch -a` lists what there is"
	if len(names) > 0 {
		hint = "did you mean " + strings.Join(names, ", ") + "?"
	}
	if r.shallow {
		hint += " (the clone is shallow and may have been made without it: `git fetch --unshallow` gets all of the history, and of a clone of one branch `git remote set-branches origin '*'` before that gets the others)"
	}
	return trouble(ctx, ErrUnknownRevision, cause, "there is no branch, tag or commit %q in %s; %s", name, r.root, hint)
}

func (r *Repo) mergeBase(ctx context.Context, base, head change.Revision) (string, error) {
	commit, found, err := r.git.found(ctx, "merge-base", base.Commit, head.Commit)
	switch {
	case err != nil:
		return "", err
	case !found && r.shallow:
		return "", trouble(ctx, ErrShallow, nil, "this clone is shallow and ends before the merge base of %s and %s; fetch more history with `git fetch --deepen=50` or all of it with `git fetch --unshallow`", base.Name, head.Name)
	case !found:
		return "", trouble(ctx, ErrNoBase, nil, "%s and %s have no common ancestor; name both sides, as in `%s..%s`", base.Name, head.Name, base.Name, head.Name)
	}
	return commit, nil
}

func (r *Repo) resolveDefault(ctx context.Context) (base, head change.Revision, err error) {
	if head, err = r.revision(ctx, "HEAD", false); err != nil {
		return base, head, err
	}
	name, err := r.defaultBranch(ctx)
	if err != nil {
		return base, head, err
	}
	if base, err = r.revision(ctx, name, false); err != nil {
		return base, head, err
	}
	base.Name = strings.TrimPrefix(strings.TrimPrefix(name, "refs/heads/"), "refs/remotes/")
	if base.Commit, err = r.mergeBase(ctx, base, head); err != nil {
		return base, head, err
	}
	if base.Commit == head.Commit {
		err = trouble(ctx, ErrDefaultBranch, nil, "HEAD has no commit beyond the default branch (%s), so there is no change to prove; name one, as in `assay prove HEAD~1..HEAD`, or prove what is not committed with `assay prove --uncommitted`", base.Name)
	}
	return base, head, err
}

// defaultBranch returns the full name of the first that exists: HEAD of the
// remote the current branch follows, then origin's, then the usual names.
func (r *Repo) defaultBranch(ctx context.Context) (string, error) {
	candidates := []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"}
	branch, attached, err := r.git.found(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil {
		return "", err
	}
	if attached {
		remote, set, err := r.git.found(ctx, "config", "--get", "branch."+branch+".remote")
		if err != nil {
			return "", err
		}
		if set && remote != "." {
			candidates = append([]string{"refs/remotes/" + remote + "/HEAD"}, candidates...)
		}
	}
	for _, name := range candidates {
		if _, found, err := r.git.found(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}"); err != nil {
			return "", err
		} else if !found {
			continue
		}
		target, symbolic, err := r.git.found(ctx, "symbolic-ref", "--quiet", name)
		if symbolic {
			name = target
		}
		return name, err
	}
	return "", trouble(ctx, ErrNoBase, nil, "found no default branch in %s (tried origin/HEAD, origin/main, origin/master, main and master); name the base, as in `assay prove BASE..HEAD`", r.root)
}
