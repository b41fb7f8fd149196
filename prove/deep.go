package prove

import (
	"context"
	"fmt"
	"slices"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// deepen runs mutants inside the hunks, at most one a line, and says of each
// hunk how many are noticed. No verdict changes by it: a hunk is PROVEN when
// its loss is noticed, and the survivors show what of it tests do not hold.
func (p *proof) deepen(ctx context.Context) error {
	if !p.cfg.Deep {
		return nil
	}
	hunks := p.worthMutants()
	fields := map[string][]mutate.Target{}
	for _, f := range p.change.Files {
		t := mutate.Target{Path: f.Path, Lines: []change.Span{}}
		for _, h := range f.Hunks {
			if hunks[h] {
				t.Lines = append(t.Lines, h.New)
			}
		}
		if len(t.Lines) > 0 {
			fields[f.Language] = append(fields[f.Language], t)
		}
	}
	for _, l := range p.langs {
		if l.Mutator == nil && len(fields[l.Name]) > 0 {
			p.notes = append(p.notes, l.Name+": assay has no mutants of this language yet, so --deep says nothing of its hunks")
		}
	}
	all, err := p.crop(ctx, fields, nil)
	if err != nil {
		return err
	}
	all = onePerLine(all)
	err = (&mill{p: p, onDisk: true}).grind(ctx, all)
	for h := range hunks {
		p.scoreHunk(h, all)
	}
	if n := len(slices.DeleteFunc(slices.Clone(all), func(g *grist) bool { return g.done })); n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d of the %d mutants of --deep were not run", n, len(all)))
	}
	return err
}

// worthMutants are the hunks whose lines some test runs, or may run: those
// that are proven, that survived as a whole, and that could only be half
// un-done, for which mutants are the way to tell whether tests hold the new
// code.
func (p *proof) worthMutants() map[*change.Hunk]bool {
	worth := map[*change.Hunk]bool{}
	for _, s := range p.subjects {
		if s.file().Kind != change.Production || s.unit.New.Lines == 0 {
			continue
		}
		switch s.decision.Reason {
		case Assertion, ErrorRed, Hang, Survived, HalfUndone, DoesNotBuild, MissingSymbol, CollectionFailed:
			worth[s.hunk] = true
		}
	}
	return worth
}

// onePerLine keeps the most telling mutant of each line, by each language's
// own order of operators.
func onePerLine(all []*grist) []*grist {
	var kept []*grist
	byLane := map[*lane][]*grist{}
	var order []*lane
	for _, g := range all {
		if byLane[g.lane] == nil {
			order = append(order, g.lane)
		}
		byLane[g.lane] = append(byLane[g.lane], g)
	}
	for _, l := range order {
		for _, i := range mutate.OnePerLine(mutantsOf(byLane[l]), l.Mutator.Operators()) {
			kept = append(kept, byLane[l][i])
		}
	}
	return kept
}

func mutantsOf(all []*grist) []mutate.Mutant {
	mutants := make([]mutate.Mutant, len(all))
	for i, g := range all {
		mutants[i] = g.Mutant
	}
	return mutants
}

// scoreHunk adds up the mutants on a hunk's lines; each that nothing notices is
// a trial of the finding, with its patch.
func (p *proof) scoreHunk(h *change.Hunk, all []*grist) {
	score := &MutantScore{Survivors: []string{}}
	within := mutate.Target{Lines: []change.Span{h.New}}
	for _, g := range all {
		if g.Path() != h.File.Path || !within.Wants(g.Lines) || !g.done {
			continue
		}
		switch g.sentence.Fate {
		case Killed:
			score.Noticed++
			score.Of++
		case Lived, Unreached:
			score.Of++
			t := p.mutantTrial(h.ID, len(score.trials), g)
			score.trials = append(score.trials, t)
			score.Survivors = append(score.Survivors, t.ID)
		}
	}
	if score.Of > 0 {
		p.deep[h] = score
	}
}

// mutantTrial is a surviving mutant as a trial: replay runs it on the widest
// selection it was seen to survive.
func (p *proof) mutantTrial(owner string, nth int, g *grist) TrialReport {
	id := fmt.Sprintf("%s-m%d", owner, nth+1)
	t := TrialReport{
		ID: id, Purpose: "mutant", Language: g.lane.Name, Edit: p.diff(g.Edits), Edits: g.Edits, Basis: g.widest.Basis,
		Tests: g.widest.Tests, Runs: []RunReport{}, Replay: fmt.Sprintf("assay replay %s %s", p.cfg.reportName(), id),
	}
	for _, runs := range [][]harness.Outcome{g.evidence.Undo, g.evidence.Confirm} {
		for _, o := range runs {
			t.Runs = append(t.Runs, runReport(o))
		}
	}
	return t
}
