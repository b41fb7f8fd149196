// Package typed holds a Go tree type checked in memory and answers, without
// touching the disk and without a build, whether the tree still compiles with
// some edits applied: production first, then in-package and external tests.
//
// Phases. Load asks the go command which packages there are and for the export
// data of what they import from elsewhere; the tree's own packages are parsed
// and type checked from source. From then on a World is read-only and may be
// used from several goroutines: Check applies edits to an overlay of the tree
// and checks only what they can reach.
//
//   - An edit inside function bodies checks these bodies alone; one of a
//     declaration also those that could notice it, by name (partial.go).
//   - The packages that import an edited one are checked only when its API, as
//     types see it, differs (api.go, graph.go).
//   - What was checked is kept by content, up to a bound (cache.go).
//
// Limits. One platform and one set of build tags at a time, those of
// Config.Env and Config.Flags. cgo names ("C.x") are taken on trust. A go.mod,
// go.work or vendored file is never re-read: an edit of one is a Problem of
// its own code. What the compiler refuses beyond types (go:embed patterns that
// match nothing, oversized frames) is not seen.
package typed

import (
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"assay/change"
)

// Config says which tree is loaded, and how its go command is run.
type Config struct {
	Dir   string   // directory that holds head
	Env   []string // environment of the go command
	Flags []string // flags of the runner; those that select files (-tags, -race, -mod, ...) count
}

// A World is one state of a tree, type checked.
type World struct {
	universes []*universe
	snap      *snapshot
	cache     *cache
	head      map[nodeID]*instance
	broken    []Broken
	// thorough checks every body; tests compare the two ways with it.
	thorough bool
}

// A Broken package does not compile in the World itself.
type Broken struct {
	Package  string // import path
	Test     bool   // only its tests do not compile
	Problems []Problem
}

// Load reads and checks every package of every module below cfg.Dir. Packages
// that do not check are listed by Broken and are not an error. It fails when
// the go command cannot be run or cannot list a module, when a file cannot be
// read, and when ctx ends. It costs two runs of `go list` for each module or
// workspace, which compile the dependencies that are not in the build cache.
func Load(ctx context.Context, cfg Config) (*World, error) {
	dir, err := filepath.EvalSymlinks(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("find the tree to type check: %w", err)
	}
	fset := token.NewFileSet()
	universes, err := findUniverses(ctx, goTool{env: cfg.Env, flags: buildFlags(cfg.Flags)}, dir, fset)
	if err != nil {
		return nil, err
	}
	w := &World{universes: universes, cache: newCache(fset), snap: newSnapshot(dir)}
	for _, u := range universes {
		if err := w.snap.load(u, w.cache); err != nil {
			return nil, err
		}
		if err := u.prefetch(ctx, w.snap); err != nil {
			return nil, err
		}
	}
	if err := w.settle(ctx, nil); err != nil {
		return nil, err
	}
	return w, nil
}

// Base returns the World in which edits are applied for good: with the undo of
// every file of a change, the base of the change. Packages the edits do not
// reach are shared with w.
func (w *World) Base(ctx context.Context, edits []change.Edit) (*World, error) {
	next, _, err := w.snap.with(w.universes, w.cache.pinned, edits)
	if err != nil {
		return nil, err
	}
	out := &World{universes: w.universes, cache: w.cache, snap: next.flatten()}
	for _, u := range out.universes {
		if err := u.prefetch(ctx, out.snap); err != nil {
			return nil, err
		}
	}
	return out, out.settle(ctx, w.head)
}

// settle checks every package of the snapshot and keeps what it finds.
func (w *World) settle(ctx context.Context, known map[nodeID]*instance) error {
	r := newRun(ctx, w, w.snap)
	r.keep, r.known = true, known
	w.head = map[nodeID]*instance{}
	for _, id := range w.snap.nodes() {
		if _, err := r.node(id); err != nil {
			return err
		}
	}
	for id, res := range r.done {
		if res.inst != nil {
			w.head[id] = res.inst
		}
	}
	for _, id := range w.snap.nodes() {
		if in := w.head[id]; len(in.findings) > 0 {
			w.broken = append(w.broken, Broken{Package: id.path, Test: id.test(), Problems: problemsOf(id, in.findings, nil)})
		}
	}
	return nil
}

// Broken lists the packages that do not compile in w, production first.
func (w *World) Broken() []Broken { return slices.Clone(w.broken) }

// inTree reports whether the absolute directory is dir or below it, and its
// slash-separated relative path.
func inTree(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
