package prove

import (
	"fmt"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
)

// judge gives every hunk its verdict and what it rests on.
func (g *gate) judge() {
	if left := g.left + len(g.chosen) - g.ran(); left > 0 && g.p.cfg.Budget == 0 {
		g.p.notes = append(g.p.notes, fmt.Sprintf("%s: %d mutants were shown to the changed tests and %d were left; --budget runs as many as there is time for", g.now.Name, g.ran(), left))
	}
	for _, h := range g.hunks {
		r := &TestGate{Mutants: g.ran(), Left: g.left + len(g.chosen) - g.ran(), BaseProduction: g.back,
			Lost: []LostCatch{}, Moved: []MovedCatch{}, Gained: []MovedCatch{}, Gone: h.gone}
		n := catchTally{}
		for _, m := range g.chosen {
			kind := m.sort(h.affects)
			n[kind]++
			g.add(r, h, m, kind)
		}
		r.Before, r.After = n[kept]+n[moved]+n[lost]+n[doubtful], n[kept]+n[moved]+n[gained]
		g.decide(h, judgeTests(n, g.unreached), r)
	}
}

// ran counts the mutants that both sides have seen, or base's in a way that says
// nothing.
func (g *gate) ran() int {
	n := 0
	for _, m := range g.chosen {
		if m.catchFact.before.ran && (m.catchFact.after.ran || m.catchFact.before.reason != "") {
			n++
		}
	}
	return n
}

func (g *gate) add(r *TestGate, h *gatedHunk, m *gateMutant, kind catchKind) {
	its := func(s sighting) []harness.TestID {
		return slices.DeleteFunc(s.ids(), func(id harness.TestID) bool { return !h.affects(id) })
	}
	switch kind {
	case lost:
		l := LostCatch{Mutant: g.ref(m), Caught: its(m.catchFact.before), Trials: []string{}}
		for _, c := range m.catchFact.before.caught {
			if h.affects(c.ID) && l.Message == "" && c.Red != nil {
				l.Message = c.Red.Message
			}
		}
		l.Why = g.why(h, l.Caught[0])
		l.trials = g.trials(h, len(r.Lost), m)
		for _, t := range l.trials {
			l.Trials = append(l.Trials, t.ID)
		}
		r.Lost = append(r.Lost, l)
	case moved:
		r.Moved = append(r.Moved, MovedCatch{g.ref(m), its(m.catchFact.before), append(m.catchFact.after.ids(), m.wide.ids()...)})
	case gained:
		r.Gained = append(r.Gained, MovedCatch{g.ref(m), []harness.TestID{}, its(m.catchFact.after)})
	case uncaught, kept, doubtful, untold:
	}
}

func (g *gate) ref(m *gateMutant) MutantRef {
	return MutantRef{ID: m.id, File: m.Path(), Line: m.Lines.Start, Function: m.Function, Operator: m.Operator, Description: m.Description, Edit: g.p.diff(m.Edits)}
}

// why says why a test of base no longer catches what it caught.
func (g *gate) why(h *gatedHunk, id harness.TestID) string {
	if !g.now.green[id] {
		return g.fateAtHead(id)
	}
	added, before := string(h.hunk.NewText()), string(h.hunk.OldText())
	if strings.Contains(added, "xfail") && !strings.Contains(before, "xfail") {
		return "marked xfail: it may fail unnoticed"
	}
	return "it runs and stays green: what noticed this is no longer asserted"
}

// trials are the confirming runs of a loss, for replay.
func (g *gate) trials(h *gatedHunk, nth int, m *gateMutant) []TrialReport {
	var all []TrialReport
	for _, r := range m.runs {
		id := fmt.Sprintf("%s-g%d-%s", h.hunk.ID, nth+1, r.purpose)
		t := TrialReport{ID: id, Purpose: r.purpose, Language: g.now.Name, Edit: g.p.diff(m.Edits), Edits: r.edits, Setup: r.p.standing,
			Basis: r.sel.Basis, Tests: r.sel.Tests, Runs: []RunReport{runReport(r.o)}, Replay: fmt.Sprintf("assay replay %s %s", g.p.cfg.reportName(), id)}
		all = append(all, t)
	}
	return all
}

// decide gives the hunk its verdict. A support hunk was un-done like production
// code, and keeps what that said unless the tests got weaker by it.
func (g *gate) decide(h *gatedHunk, d Decision, r *TestGate) {
	g.p.gates[h.hunk] = r
	for _, s := range h.subjects {
		if s.file().Kind == change.Test || d.Reason == Weakened || g.p.cfg.TestsOnly {
			s.decision, s.settled = d, true
		}
	}
}

func (g *gate) settleAll(d Decision) {
	for _, h := range g.hunks {
		for _, s := range h.subjects {
			if s.file().Kind == change.Test || g.p.cfg.TestsOnly {
				s.decision, s.settled = d, true
			}
		}
	}
}
