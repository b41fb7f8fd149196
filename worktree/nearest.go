package worktree

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// nearest returns up to three branches and tags whose names are like name,
// nearest first. More than a third of the letters apart is not like it.
func (r *Repo) nearest(ctx context.Context, name string) ([]string, error) {
	out, err := r.git.run(ctx, nil, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil, err
	}
	type near struct {
		name     string
		distance int
	}
	var found []near
	for ref := range strings.Lines(string(out)) {
		short := strings.TrimSuffix(ref, "\n")
		for _, room := range []string{"refs/heads/", "refs/tags/", "refs/remotes/"} {
			short = strings.TrimPrefix(short, room)
		}
		d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(short))
		if _, last, ok := strings.Cut(short, "/"); ok {
			d = min(d, 1+levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(last)))
		}
		if d <= 1+len(name)/3 {
			found = append(found, near{short, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, n := range found[:min(3, len(found))] {
		names = append(names, n.name)
	}
	return names, nil
}
