package prove

import (
	"context"
	"fmt"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"assay/change"
	"assay/harness"
)

// mostConfirmed bounds how many losses of one hunk are confirmed; one is
// enough to object, and each costs two builds and a run of every test.
const mostConfirmed = 1

// screen shows every chosen mutant to both sides, and to the other tests of
// head what only base's tests caught.
func (g *gate) screen(ctx context.Context) error {
	if err := g.each(ctx, "the tests of base", func(ctx context.Context, m *gateMutant) (err error) {
		m.catchFact.before, err = g.past.sight(ctx, prepared, g.then, m.past, m.before)
		return err
	}); err != nil {
		return err
	}
	return g.each(ctx, "the tests of head", func(ctx context.Context, m *gateMutant) (err error) {
		if m.catchFact.after, err = g.p.sight(ctx, prepared, g.now, m.Edits, m.after); err != nil {
			return err
		}
		if len(m.catchFact.before.caught) > 0 && len(m.catchFact.after.caught) == 0 {
			m.wide, err = g.p.sight(ctx, prepared, g.now, m.Edits, m.others)
		}
		return err
	})
}

// each runs do for every chosen mutant, one tree a worker. A mutant that the
// end of ctx kept from running is left as it was.
func (g *gate) each(ctx context.Context, side string, do func(context.Context, *gateMutant) error) error {
	workers := pool.New().WithMaxGoroutines(max(1, g.p.trees.Size())).WithContext(ctx).WithCancelOnError().WithFirstError()
	g.p.event(Event{Stage: "gate", What: fmt.Sprintf("%s, %s", count(len(g.chosen), "mutant"), side)})
	for _, m := range g.chosen {
		workers.Go(func(ctx context.Context) error {
			if ctx.Err() != nil {
				return nil
			}
			if err := do(ctx, m); err != nil && ctx.Err() == nil {
				return err
			}
			return nil
		})
	}
	return workers.Wait()
}

// sight runs tests with a mutant in force, in a tree of its own. Only tests
// that are green in the very selection without it count.
func (p *proof) sight(ctx context.Context, how way, l *lane, edits []change.Edit, tests []harness.TestID) (sighting, error) {
	if len(tests) == 0 {
		return sighting{ran: true}, nil
	}
	sel := harness.Selection{Basis: harness.Hit, Tests: tests}
	s, _, err := p.sightOn(ctx, how, l, edits, sel)
	return s, err
}

func (p *proof) sightOn(ctx context.Context, how way, l *lane, edits []change.Edit, sel harness.Selection) (s sighting, o harness.Outcome, err error) {
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return s, o, err
	}
	defer tree.Release()
	expected, err := l.expected(ctx, p, tree, sel, onDisk, prepared)
	if err != nil {
		return s, o, err
	}
	if len(expected) == 0 {
		return sighting{ran: true}, o, nil
	}
	if o, err = p.run(ctx, how, l, tree, edits, sel); err != nil {
		return s, o, err
	}
	r := Evidence{Expected: expected, Kind: p.kindOf}.read(o)
	s = sighting{ran: true, reason: r.reason}
	if r.reason.Of() == Proven {
		s.caught, s.reason = r.killers, ""
	}
	return s, o, nil
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
	again, o, err := g.past.sightOn(ctx, onDisk, g.then, m.past, sel)
	if err != nil {
		return err
	}
	m.runs = append(m.runs, gateRun{"before", g.past, m.past, sel, o})
	caught := slices.DeleteFunc(slices.Clone(m.catchFact.before.caught), func(r harness.Result) bool { return !slices.Contains(again.ids(), r.ID) })
	if len(caught) == 0 {
		m.catchFact.before = sighting{ran: true, reason: Flaky}
		return nil
	}
	m.catchFact.before.caught = caught
	widest := g.now.session.Widest(m.Path())
	m.wide, o, err = g.p.sightOn(ctx, onDisk, g.now, m.Edits, widest)
	if err != nil {
		return err
	}
	m.runs = append(m.runs, gateRun{"after", g.p, m.Edits, widest, o})
	m.loss = len(m.wide.caught) == 0 && m.wide.reason == ""
	return nil
}

// A gateRun is one confirming run, for the report.
type gateRun struct {
	purpose string
	p       *proof
	edits   []change.Edit
	sel     harness.Selection
	o       harness.Outcome
}
