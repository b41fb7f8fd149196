package gotest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/change"
	"assay/harness/gotest/schema"
)

// maxBuilds bounds how often a batch is built until what does not compile is
// out of it. Everything was type checked before: the first build nearly always
// does.
const maxBuilds = 4

// build builds the binaries of every suite that holds an edited package.
func (w *warming) build(ctx context.Context) (built, error) {
	suites, settled := w.held()
	for range maxBuilds {
		results := w.compose(false)
		have, err := w.buildOnce(ctx, results, suites)
		if err != nil || len(have.failed) == 0 {
			return have, err
		}
		if !settled { // one that does not build at head either is to nobody's blame
			w.combined.lend(w.dir, have.binaries)
			if err := w.awaitBaseline(ctx); err != nil {
				return have, err
			}
			suites, settled = w.held()
			continue
		}
		if err := w.blame(ctx, suites); err != nil {
			return have, err
		}
	}
	for k := range w.variants {
		w.leave(k, "the program that holds it does not build")
	}
	return built{}, nil
}

// held returns the suites that hold a package of the batch and built at head;
// settled is false while the latter is not known.
func (w *warming) held() (all []*suite, settled bool) {
	for _, dir := range slices.Sorted(maps.Keys(w.packages)) {
		all = union(all, w.graph.holding(dir))
	}
	select {
	case <-w.baselined:
		return slices.DeleteFunc(all, func(at *suite) bool { return at.broken != "" }), true
	default:
		return all, false
	}
}

// compose composes every package. A variant that one package cannot hold is
// taken out of all.
func (w *warming) compose(bare bool) map[string]schema.Result {
	for {
		before := len(w.left)
		results := map[string]schema.Result{}
		for dir, p := range w.packages {
			own := *p
			own.Bare = bare
			result, err := schema.Compose(own, w.editing(dir))
			if err != nil {
				for k := range w.editing(dir) {
					w.leave(k, err.Error())
				}
				continue
			}
			for k, why := range result.Left {
				w.leave(k, why)
			}
			results[dir] = result
		}
		if len(w.left) == before || len(w.packages) == 1 {
			return results
		}
	}
}

// editing returns the variants that are still in and edit the package in dir.
func (w *warming) editing(dir string) map[int][]change.Edit {
	found := map[int][]change.Edit{}
	for k, edits := range w.variants {
		if _, gone := w.left[k]; gone {
			continue
		}
		if slices.ContainsFunc(edits, func(e change.Edit) bool { return filepath.ToSlash(filepath.Dir(e.Path)) == dir }) {
			found[k] = edits
		}
	}
	return found
}

// buildOnce writes the overlay and builds the suites with it.
func (w *warming) buildOnce(ctx context.Context, results map[string]schema.Result, suites []*suite) (built, error) {
	out, err := os.MkdirTemp(w.scratch, "build")
	if err != nil {
		return built{}, fmt.Errorf("make room for a build: %w", err)
	}
	files, follows, err := schema.Runtime(w.env.GOROOT)
	if err != nil {
		return built{}, err
	}
	w.follows = follows
	for _, r := range results {
		maps.Copy(files, r.Files)
	}
	overlay, err := writeOverlay(filepath.Join(out, "overlay"), files)
	if err != nil {
		return built{}, err
	}
	return w.session.build(ctx, w.dir, out, out, suites, "-overlay="+overlay)
}

// writeOverlay writes files below dir and returns the name of the overlay file
// that lays them where they belong; see `go help build`.
func writeOverlay(dir string, files map[string][]byte) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("write an overlay: %w", err)
	}
	replace := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		// The base name is kept: build constraints are read from it.
		at := filepath.Join(dir, strconv.Itoa(i), filepath.Base(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return "", fmt.Errorf("write an overlay: %w", err)
		}
		if err := os.WriteFile(at, files[name], 0o644); err != nil {
			return "", fmt.Errorf("write an overlay: %w", err)
		}
		replace[name] = at
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("write an overlay: %w", err)
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o644)
}

// errorLine matches the place of a compiler's message.
var errorLine = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`)

// blame builds the program once more without line directives and leaves out
// the variants that the compiler complains of; all of a package when it names
// none.
func (w *warming) blame(ctx context.Context, suites []*suite) error {
	results := w.compose(true)
	have, err := w.buildOnce(ctx, results, suites)
	if err != nil {
		return err
	}
	before := len(w.left)
	for _, why := range have.failed {
		for _, m := range errorLine.FindAllStringSubmatch(why.text, -1) {
			line, err := strconv.Atoi(m[2])
			if err != nil {
				continue // more digits than an int holds: no line of a file
			}
			for _, r := range results {
				for name := range r.Files {
					if strings.HasSuffix(name, string(filepath.Separator)+filepath.Base(m[1])) {
						for _, k := range r.At(name, line) {
							w.leave(k, "it does not build: "+firstLine(why.text))
						}
					}
				}
			}
		}
	}
	if len(have.failed) > 0 && len(w.left) == before {
		for k := range w.variants {
			w.leave(k, "the program that holds it does not build")
		}
	}
	return nil
}
