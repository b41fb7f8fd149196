package typed

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"assay/change"
)

// Check type checks the tree with edits applied, all in head coordinates, and
// returns what is wrong with it beyond what is wrong with head. The disk is
// not touched; the go command runs only for an import that nothing in the tree
// has and no Check has asked for before.
//
// An error means that the edits cannot be applied, that ctx ended, or that our
// own machinery broke. It is safe for concurrent use.
func (w *World) Check(ctx context.Context, edits []change.Edit) (Result, error) {
	snap, over, err := w.snap.with(w.universes, w.cache.file, edits)
	if err != nil {
		return Result{}, fmt.Errorf("apply edits to type check them: %w", err)
	}
	var res Result
	for _, path := range over.modules {
		res.Problems = append(res.Problems, Problem{
			Place: Place{Path: path, Line: 1, Col: 1}, Head: -1, Code: ModuleFile,
			Message: "an edit of " + path + " can change which packages there are, which is not type checked",
		})
	}
	r := newRun(ctx, w, snap)
	r.edited = over.files
	err = r.packages(over, &res)
	return res, err
}

// packages checks every node that the edits reach, production first.
func (r *run) packages(over *overlay, res *Result) error {
	r.reach = r.w.reached(over.sources)
	ids := slices.Collect(maps.Keys(r.reach))
	sortNodes(ids)
	lost := !res.Builds()
	for _, id := range ids {
		if id.test() && lost {
			res.TestsUnchecked = true
			break
		}
		if r.snap.source(id.u, id.path) == nil {
			continue
		}
		found, err := r.node(id)
		if err != nil {
			return err
		}
		lost = lost || found.lost
	}
	done := slices.Collect(maps.Keys(r.done))
	sortNodes(done)
	for _, id := range done {
		res.Problems = appendNew(res.Problems, problemsOf(id, r.done[id].fresh, r.edited))
	}
	res.Broken = r.w.brokenAmong(ids)
	res.Stats = r.stats
	return nil
}

// brokenAmong lists the packages of the nodes that do not compile at head.
func (w *World) brokenAmong(ids []nodeID) []string {
	var out []string
	for _, id := range ids {
		if in := w.head[id]; in != nil && len(in.findings) > 0 && !slices.Contains(out, id.path) {
			out = append(out, id.path)
		}
	}
	return out
}
