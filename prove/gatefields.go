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

// A coveredLine is one line of production code and the affected tests that are
// seen to execute it on either side, or are only believed to cover it.
type coveredLine struct {
	path   string
	at     int
	tests  []harness.TestID
	others int // tests of head that are not affected
	seen   bool
}

// linesPerMutant is how many covered lines are looked at for each mutant that
// may be run: of many nothing can be made.
const linesPerMutant = 4

// fields are where mutants are wanted: the lines that affected tests execute on
// either side, those that few others do first, in the files nearest to the
// tests. Lines that no test is seen on itself (they run when the file is
// imported, say) are asked for where the others are few, and where there is
// time.
func (g *gate) fields() []mutate.Target {
	var targets []mutate.Target
	var near, far []coveredLine
	for _, f := range g.nearest() {
		if !g.tellsLines(f) {
			targets = append(targets, mutate.Target{Path: f.Path})
			continue
		}
		for _, l := range g.coveredLines(f) {
			if l.seen {
				near = append(near, l)
			} else {
				far = append(far, l)
			}
		}
	}
	if !g.widens() {
		slices.SortStableFunc(near, func(a, b coveredLine) int { return cmp.Compare(a.others, b.others) })
		most := linesPerMutant * g.most(topsOf(near, coveredLine.tops))
		near = shared(near, most, coveredLine.tops)
		far = shared(far, min(mostVariants, most-len(near)), coveredLine.tops)
	}
	return append(targets, targetsOf(append(near, far...))...)
}

func (l coveredLine) tops() []string { return topNames(l.tests) }

// targetsOf are the lines by file.
func targetsOf(lines []coveredLine) []mutate.Target {
	var targets []mutate.Target
	for _, l := range lines {
		i := slices.IndexFunc(targets, func(t mutate.Target) bool { return t.Path == l.path })
		if i < 0 {
			i, targets = len(targets), append(targets, mutate.Target{Path: l.path})
		}
		targets[i].Lines = append(targets[i].Lines, change.Span{Start: l.at, Lines: 1})
	}
	return targets
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

// coveredLines are the lines of a file that affected tests cover.
func (g *gate) coveredLines(f *change.File) []coveredLine {
	var lines []coveredLine
	for n := range change.CountLines(f.New) {
		line := coveredLine{path: f.Path, at: n + 1}
		for _, l := range []*lane{g.now, g.then} {
			sel := l.session.Cover(f.Path, change.Span{Start: n + 1, Lines: 1})
			for _, id := range sel.Tests {
				switch {
				case g.affectsAny(id):
					line.tests, line.seen = append(line.tests, id), line.seen || sel.Basis == harness.Hit
				case l == g.now:
					line.others++
				}
			}
		}
		if len(line.tests) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
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
