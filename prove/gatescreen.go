package prove

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/conc/pool"

	"assay/change"
	"assay/harness"
)

// mostConfirmed bounds how many losses of one hunk are confirmed; one is
// enough to object, and each costs two builds and a run of every test.
const mostConfirmed = 1

// screen shows every chosen mutant to both sides, and to the other tests of
// head what only base's tests caught. A mutant of which nothing is known at base
// (its tests do not come to an end, say) is not shown to head.
func (g *gate) screen(ctx context.Context) error {
	began, patience, shown := time.Now(), g.allowance(), atomic.Int64{}
	least := int64(leastMutants + leastPerTest*len(topsOf(g.chosen, (*gateMutant).tops)))
	if err := g.each(ctx, g.past, g.chosen, "the tests of base", func(ctx context.Context, tree Tree, m *gateMutant) (err error) {
		if shown.Add(1) > least && patience > 0 && time.Since(began) > patience {
			return nil
		}
		m.catchFact.before, err = g.past.sight(ctx, g.then, tree, m.past, m.before)
		return err
	}); err != nil {
		return err
	}
	if err := g.each(ctx, g.p, g.chosen, "the tests of head", func(ctx context.Context, tree Tree, m *gateMutant) (err error) {
		if !m.catchFact.before.ran || m.catchFact.before.reason != "" {
			return nil // nothing can be said of it
		}
		m.catchFact.after, err = g.p.sight(ctx, g.now, tree, m.Edits, m.after)
		return err
	}); err != nil {
		return err
	}
	return g.widen(ctx)
}

// each runs do for every mutant, in trees of one side, one a worker: to
// put the base's tests into a tree costs more than a trial. A mutant that the
// end of ctx kept from running is left as it was.
func (g *gate) each(ctx context.Context, p *proof, mutants []*gateMutant, side string, do func(context.Context, Tree, *gateMutant) error) error {
	workers := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	g.p.event(Event{Stage: "gate", What: fmt.Sprintf("%s, %s", count(len(mutants), "mutant"), side)})
	todo := make(chan *gateMutant, len(mutants))
	for _, m := range mutants {
		todo <- m
	}
	close(todo)
	for range min(max(1, p.trees.Size()), len(mutants)) {
		workers.Go(func(ctx context.Context) error {
			tree, err := p.trees.Acquire(ctx)
			if err != nil {
				return unlessEnded(ctx, err)
			}
			defer tree.Release()
			for m := range todo {
				if ctx.Err() != nil {
					return nil
				}
				if err := do(ctx, tree, m); err != nil {
					return unlessEnded(ctx, err)
				}
			}
			return nil
		})
	}
	return workers.Wait()
}

// unlessEnded is err, or nil where that is owed to the end of ctx.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// sight runs tests with a mutant in force, prepared where that can be.
func (p *proof) sight(ctx context.Context, l *lane, tree Tree, edits []change.Edit, tests []harness.TestID) (sighting, error) {
	s, _, err := p.sightOn(ctx, prepared, l, tree, edits, harness.Selection{Basis: harness.Hit, Tests: tests})
	return s, err
}

// glimpse is a sight that ends at the first test which catches the mutant:
// whether any does is all that is asked of it.
func (p *proof) glimpse(ctx context.Context, l *lane, tree Tree, edits []change.Edit, tests []harness.TestID) (sighting, error) {
	sel := harness.Selection{Basis: harness.Hit, Tests: tests}
	if len(tests) == 0 {
		return sighting{ran: true}, nil
	}
	o, done, err := p.tryJob(ctx, l, tree, harness.Job{Dir: tree.Dir(), Edits: edits, Selection: sel, Scratch: tree.Scratch(), FirstRed: true, Brief: true})
	if err != nil {
		return sighting{}, err
	}
	if done {
		// What did not run has no say in whether the red is one.
		s, err := p.weighSight(ctx, prepared, l, tree, only(sel, o.Reported()), o)
		if err != nil || len(s.caught) > 0 || s.reason == "" {
			return s, err
		}
	}
	return p.sight(ctx, l, tree, edits, tests)
}

// sightOn runs a selection with a mutant in force in a tree that holds what the
// proof stands on. A run that passes a limit says nothing, so that the limit is
// short, but on disk, where a loss is confirmed.
func (p *proof) sightOn(ctx context.Context, how way, l *lane, tree Tree, edits []change.Edit, sel harness.Selection) (s sighting, o harness.Outcome, err error) {
	if len(sel.Tests) == 0 {
		return sighting{ran: true}, harness.Outcome{Phase: harness.PhaseRun, Complete: true}, nil
	}
	confirming, done := how == onDisk, false
	if !confirming {
		job := harness.Job{Dir: tree.Dir(), Edits: edits, Selection: sel, Scratch: tree.Scratch(), Brief: true}
		if o, done, err = p.tryJob(ctx, l, tree, job); err != nil {
			return s, o, err
		}
	}
	if !done {
		how = onDisk
		if o, err = p.runOnDisk(ctx, l, tree, harness.Job{Dir: tree.Dir(), Edits: edits, Selection: sel, Scratch: tree.Scratch(), Brief: !confirming}); err != nil {
			return s, o, err
		}
	}
	s, err = p.weighSight(ctx, how, l, tree, sel, o)
	return s, o, err
}

// weighSight reads what a run saw. Only tests that are green in the very
// selection without the mutant count, the way it was run; where nothing was red,
// and where the harness has held it against head, nobody has to be asked that.
func (p *proof) weighSight(ctx context.Context, how way, l *lane, tree Tree, sel harness.Selection, o harness.Outcome) (sighting, error) {
	read := func(expected []harness.TestID) sighting {
		r := Evidence{Expected: expected, Kind: p.kindOf}.read(o)
		if r.reason.Of() == Proven {
			return sighting{ran: true, caught: r.killers}
		}
		return sighting{ran: true, reason: r.reason}
	}
	s := read(l.family(sel.Tests))
	if len(s.caught) == 0 || how == prepared && p.checksHead(l) {
		return s, nil
	}
	expected, err := l.expected(ctx, p, tree, sel, how)
	if err != nil {
		return sighting{}, err
	}
	return read(expected), nil
}

// confirm makes sure of losses with the mutant on disk: base's tests are red
// again, and every test of head is green.
func (g *gate) confirm(ctx context.Context) error {
	made := map[*gatedHunk]int{}
	for _, m := range g.chosen {
		if len(m.catchFact.before.caught) == 0 || len(m.catchFact.after.caught)+len(m.wide.caught) > 0 || !g.wanted(m, made) {
			continue
		}
		if err := g.confirmOne(ctx, m); err != nil {
			return err
		}
		for _, h := range g.hunks {
			if m.loss && slices.ContainsFunc(m.catchFact.before.ids(), h.affects) {
				made[h]++
			}
		}
	}
	return nil
}

// wanted reports whether some hunk of a loss still wants one confirmed.
func (g *gate) wanted(m *gateMutant, made map[*gatedHunk]int) bool {
	return slices.ContainsFunc(g.hunks, func(h *gatedHunk) bool {
		return made[h] < mostConfirmed && slices.ContainsFunc(m.catchFact.before.ids(), h.affects)
	})
}

func (g *gate) confirmOne(ctx context.Context, m *gateMutant) error {
	g.p.event(Event{Stage: "gate", What: "is it lost: " + m.Description})
	sel := harness.Selection{Basis: harness.Hit, Tests: m.before}
	again, err := g.confirmRun(ctx, m, gateRun{"before", g.past, m.past, sel, harness.Outcome{}}, g.then)
	if err != nil {
		return err
	}
	caught := slices.DeleteFunc(slices.Clone(m.catchFact.before.caught), func(r harness.Result) bool { return !slices.Contains(again.ids(), r.ID) })
	if len(caught) == 0 {
		m.catchFact.before = sighting{ran: true, reason: Flaky}
		return nil
	}
	m.catchFact.before.caught = caught
	m.wide, err = g.confirmRun(ctx, m, gateRun{"after", g.p, m.Edits, g.all.session.Widest(m.Path()), harness.Outcome{}}, g.all)
	m.loss = err == nil && len(m.wide.caught) == 0 && m.wide.reason == ""
	return err
}

// confirmRun makes one run with the mutant on disk and keeps it for the report.
func (g *gate) confirmRun(ctx context.Context, m *gateMutant, r gateRun, l *lane) (sighting, error) {
	tree, err := r.p.trees.Acquire(ctx)
	if err != nil {
		return sighting{}, err
	}
	defer tree.Release()
	s, o, err := r.p.sightOn(ctx, onDisk, l, tree, r.edits, r.sel)
	if err != nil {
		return s, err
	}
	r.o = o
	m.runs = append(m.runs, r)
	return s, nil
}

// A gateRun is one confirming run, for the report.
type gateRun struct {
	purpose string
	p       *proof
	edits   []change.Edit
	sel     harness.Selection
	o       harness.Outcome
}
