package prove

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// fields are where mutants are wanted: the lines that affected tests execute on
// either side, in the files nearest to them first. Lines that no test is seen on
// itself (they run when the file is imported, say) are asked for where the others
// are few, and where there is time.
func (g *gate) fields() []mutate.Target {
	var near, all []mutate.Target
	lines := 0
	for _, f := range g.nearest() {
		if !g.tellsLines(f) {
			near, all = append(near, mutate.Target{Path: f.Path}), append(all, mutate.Target{Path: f.Path})
			lines += change.CountLines(f.New)
			continue
		}
		on, around := g.coveredLines(f)
		if len(on) > 0 {
			near = append(near, mutate.Target{Path: f.Path, Lines: on})
		}
		all = append(all, mutate.Target{Path: f.Path, Lines: append(around, on...)})
		lines += len(on)
	}
	if g.widens() || lines < mostPrepared {
		return all
	}
	return near
}

// nearest are the production files that affected tests may reach, those of the
// same directories first, as many as mutants may be made of.
func (g *gate) nearest() []*change.File {
	var files []*change.File
	for _, f := range g.p.cfg.Files {
		if f.Language == g.now.Name && f.Kind == change.Production && (g.covers(g.now, f.Path, wholeOf(f)) || g.covers(g.then, f.Path, wholeOf(f))) {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b *change.File) int { return cmp.Compare(g.distance(a.Path), g.distance(b.Path)) })
	size := 0
	for i, f := range files {
		if size += len(f.New); size > mostSource && i > 0 {
			g.p.notes = append(g.p.notes, fmt.Sprintf("%s: mutants were made of the %d of %d files nearest to the changed tests", g.now.Name, i, len(files)))
			return files[:i]
		}
	}
	return files
}

// covers reports whether an affected test is believed to cover the lines.
func (g *gate) covers(l *lane, path string, lines change.Span) bool {
	return slices.ContainsFunc(l.session.Cover(path, lines).Tests, g.affectsAny)
}

// tellsLines reports whether both sessions know which lines of the file tests
// execute. A file that stands at base with the tests has other lines there.
func (g *gate) tellsLines(f *change.File) bool {
	if _, undone := g.shift[f.Path]; undone {
		return false
	}
	for _, l := range []*lane{g.now, g.then} {
		if b := l.session.Cover(f.Path, wholeOf(f)).Basis; b != harness.Hit && b != harness.ImportTime {
			return false
		}
	}
	return true
}

// coveredLines are the lines that affected tests are seen to execute, and those
// that they are only believed to cover.
func (g *gate) coveredLines(f *change.File) (on, around []change.Span) {
	for n := range change.CountLines(f.New) {
		line := change.Span{Start: n + 1, Lines: 1}
		seen, believed := false, false
		for _, l := range []*lane{g.now, g.then} {
			sel := l.session.Cover(f.Path, line)
			if slices.ContainsFunc(sel.Tests, g.affectsAny) {
				seen, believed = seen || sel.Basis == harness.Hit, true
			}
		}
		switch {
		case seen:
			on = append(on, line)
		case believed:
			around = append(around, line)
		}
	}
	return on, around
}

func wholeOf(f *change.File) change.Span {
	return change.Span{Start: 1, Lines: change.CountLines(f.New)}
}

// distance is 0 for a file beside a changed test, 1 for any other.
func (g *gate) distance(file string) int {
	for _, h := range g.hunks {
		if path.Dir(h.hunk.File.Path) == path.Dir(file) {
			return 0
		}
	}
	return 1
}

func (g *gate) affectsAny(id harness.TestID) bool {
	return slices.ContainsFunc(g.hunks, func(h *gatedHunk) bool { return h.affects(id) })
}
