package prove

import (
	"context"
	"slices"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// A gateMutant is one mutant of production code before both sides.
type gateMutant struct {
	*grist
	past []change.Edit // the same in what the past holds
	// before and after are the affected tests that come by it, others the
	// other tests of head that do.
	before, after, others []harness.TestID
	distant               bool // no test is seen on its lines: see mostDistant
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
	all = g.perLineFirst(all)
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

// spread takes n of them, evenly.
func spread(all []int, n int) []int {
	if len(all) <= n {
		return all
	}
	kept := make([]int, n)
	for i := range kept {
		kept[i] = all[i*len(all)/n]
	}
	return kept
}

// perLineFirst keeps what one preparation holds, a mutant of each line before
// the others.
func (g *gate) perLineFirst(all []*grist) []*grist {
	most := lineVariants
	if g.widens() {
		most = mostVariants
	}
	if len(all) <= most {
		return all
	}
	g.left += len(all) - most
	plain := make([]mutate.Mutant, len(all))
	for i, m := range all {
		plain[i] = m.Mutant
	}
	kept := mutate.OnePerLine(plain, g.now.Mutator.Operators())
	kept = spread(kept, most)
	for i := 0; len(kept) < most; i++ {
		if !slices.Contains(kept, i) {
			kept = append(kept, i)
		}
	}
	order := make([]*grist, len(kept))
	for i, k := range kept {
		order[i] = all[k]
	}
	return order
}

// prepare lets both sides make the mutants ready at once, where they can.
func (g *gate) prepare(ctx context.Context, mutants []*gateMutant) error {
	for _, side := range []struct {
		p     *proof
		l     *lane
		edits func(*gateMutant) []change.Edit
	}{{g.p, g.now, func(m *gateMutant) []change.Edit { return m.Edits }}, {g.past, g.then, func(m *gateMutant) []change.Edit { return m.past }}} {
		session, ok := side.l.session.(harness.Preparer)
		if !ok || g.p.cfg.Plain || len(mutants) == 0 || side.l.empty() {
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
	then, seenThen := g.comers(g.past, g.then, m.past, g.linesBefore(m))
	now, seenNow := g.comers(g.p, g.now, m.Edits, m.Lines)
	m.distant = !seenThen && !seenNow
	for _, id := range then {
		if g.affectsAny(id) {
			m.before = append(m.before, id)
		}
	}
	for _, id := range now {
		if g.affectsAny(id) {
			m.after = append(m.after, id)
		} else {
			m.others = append(m.others, id)
		}
	}
}

// comers are the green tests that come by edits: those the session saw, else
// those that cover the lines. seen is false when that is only believed of them.
func (g *gate) comers(p *proof, l *lane, edits []change.Edit, lines change.Span) (ids []harness.TestID, seen bool) {
	if session, ok := l.session.(harness.Hitter); ok && !p.cfg.Plain {
		if hits, known := session.Hits(edits); known {
			return hits, true
		}
	}
	sel := l.session.Cover(edits[0].Path, lines)
	return sel.Tests, sel.Basis == harness.Hit
}

// linesBefore are the lines of a mutant in what the past holds.
func (g *gate) linesBefore(m *gateMutant) change.Span {
	f, undone := g.shift[m.Path()]
	if !undone {
		return m.Lines
	}
	return change.Span{Start: positionOf(f.Old, m.past[0].Start).Line, Lines: m.Lines.Lines}
}
