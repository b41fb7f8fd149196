package prove

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// Bounds of a gate in mutants: so many are run when the harness prepares them,
// so many when each costs a process and perhaps a build. Beside a proof of
// production code the gate is the smaller part of what was asked, and gets
// fewer; a gate alone with a budget goes on until that is spent.
const (
	mostPrepared                = 400
	mostPlain                   = 60
	besidePrepared, besidePlain = 60, 12
	// mostVariants bounds what one preparation holds, mostSource the bytes of
	// source that mutants are made of.
	mostVariants = 1500
	mostSource   = 400_000
)

// A gateMutant is one mutant of production code before both sides.
type gateMutant struct {
	*grist
	past []change.Edit // the same in what the past holds
	// before and after are the affected tests that come by it, others the
	// other tests of head that do.
	before, after, others []harness.TestID
	catchFact
	runs []gateRun
}

// choose makes the mutants that are worth showing, best first: those that no
// test of head comes by any more, then those that few others come by; of each
// line the most telling first.
func (g *gate) choose(ctx context.Context) error {
	crop, err := g.p.crop(ctx, map[string][]mutate.Target{g.now.Name: g.fields()}, nil)
	if err != nil {
		return err
	}
	all := slices.DeleteFunc(crop, func(m *grist) bool { return m.Suppressed != "" || m.lane != g.now })
	if len(all) > mostVariants {
		g.left += len(all) - mostVariants
		all = all[:mostVariants]
	}
	var mutants []*gateMutant
	for _, m := range all {
		if past, ok := g.shift.back(m.Edits); ok {
			mutants = append(mutants, &gateMutant{grist: m, past: past})
		}
	}
	if err := g.prepare(ctx, mutants); err != nil {
		return err
	}
	for _, m := range mutants {
		g.place(m)
	}
	mutants = slices.DeleteFunc(mutants, func(m *gateMutant) bool { return len(m.before)+len(m.after) == 0 })
	g.chosen = g.bounded(ranked(mutants, g.now.Mutator.Operators()))
	return nil
}

// fields are the production files that affected tests may reach, those of the
// same directories first.
func (g *gate) fields() []mutate.Target {
	var files []*change.File
	for _, f := range g.p.cfg.Files {
		if f.Language != g.now.Name || f.Kind != change.Production {
			continue
		}
		if slices.ContainsFunc(append(g.now.session.Cover(f.Path, wholeOf(f)).Tests, g.then.session.Cover(f.Path, wholeOf(f)).Tests...), g.affectsAny) {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b *change.File) int { return cmp.Compare(g.distance(a.Path), g.distance(b.Path)) })
	var targets []mutate.Target
	size := 0
	for _, f := range files {
		if size += len(f.New); size > mostSource && len(targets) > 0 {
			g.p.notes = append(g.p.notes, fmt.Sprintf("%s: mutants were made of the %d of %d files nearest to the changed tests", g.now.Name, len(targets), len(files)))
			break
		}
		targets = append(targets, mutate.Target{Path: f.Path})
	}
	return targets
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

// prepare lets both sides make the mutants ready at once, where they can.
func (g *gate) prepare(ctx context.Context, mutants []*gateMutant) error {
	for _, side := range []struct {
		p     *proof
		l     *lane
		edits func(*gateMutant) []change.Edit
	}{{g.p, g.now, func(m *gateMutant) []change.Edit { return m.Edits }}, {g.past, g.then, func(m *gateMutant) []change.Edit { return m.past }}} {
		session, ok := side.l.session.(harness.Preparer)
		if !ok || g.p.cfg.Plain || len(mutants) == 0 {
			continue
		}
		variants := make([][]change.Edit, len(mutants))
		for i, m := range mutants {
			variants[i] = side.edits(m)
		}
		if err := side.p.prepareLane(ctx, side.l, session, variants); err != nil {
			return err
		}
	}
	return nil
}

// place finds the tests that come by a mutant on either side.
func (g *gate) place(m *gateMutant) {
	for _, id := range g.comers(g.past, g.then, m.past, g.linesBefore(m)) {
		if g.affectsAny(id) {
			m.before = append(m.before, id)
		}
	}
	for _, id := range g.comers(g.p, g.now, m.Edits, m.Lines) {
		if g.affectsAny(id) {
			m.after = append(m.after, id)
		} else {
			m.others = append(m.others, id)
		}
	}
}

// comers are the green tests that come by edits: those the session saw, else
// those that cover the lines.
func (g *gate) comers(p *proof, l *lane, edits []change.Edit, lines change.Span) []harness.TestID {
	if session, ok := l.session.(harness.Hitter); ok && !p.cfg.Plain {
		if hits, known := session.Hits(edits); known {
			return hits
		}
	}
	return l.session.Cover(edits[0].Path, lines).Tests
}

// linesBefore are the lines of a mutant in what the past holds.
func (g *gate) linesBefore(m *gateMutant) change.Span {
	f, undone := g.shift[m.Path()]
	if !undone {
		return m.Lines
	}
	return change.Span{Start: positionOf(f.Old, m.past[0].Start).Line, Lines: m.Lines.Lines}
}

// ranked orders mutants; of each line the most telling come before all the
// others.
func ranked(mutants []*gateMutant, operators []mutate.Operator) []*gateMutant {
	rank := func(m *gateMutant) int {
		switch {
		case len(m.before) > 0 && len(m.after)+len(m.others) == 0:
			return 0 // its line lost its coverage
		case len(m.before) > 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(mutants, func(a, b *gateMutant) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.others), len(b.others)))
	})
	plain := make([]mutate.Mutant, len(mutants))
	for i, m := range mutants {
		plain[i] = m.Mutant
	}
	first := map[int]bool{}
	var order []*gateMutant
	for _, i := range mutate.OnePerLine(plain, operators) {
		first[i] = true
		order = append(order, mutants[i])
	}
	for i, m := range mutants {
		if !first[i] {
			order = append(order, m)
		}
	}
	return order
}

// bounded keeps as many mutants as the gate may run.
func (g *gate) bounded(all []*gateMutant) []*gateMutant {
	_, prepares := g.now.session.(harness.Preparer)
	most := mostMutants(prepares && !g.p.cfg.Plain, !g.p.testsAlone())
	if g.p.cfg.Budget > 0 && g.p.testsAlone() || len(all) <= most {
		return all
	}
	g.left += len(all) - most
	return all[:most]
}

func mostMutants(prepared, beside bool) int {
	switch {
	case beside && prepared:
		return besidePrepared
	case beside:
		return besidePlain
	case prepared:
		return mostPrepared
	}
	return mostPlain
}

// testsAlone reports whether nothing but tests is judged.
func (p *proof) testsAlone() bool {
	return p.cfg.TestsOnly || !slices.ContainsFunc(p.subjects, func(s *subject) bool { return s.revertible() })
}
