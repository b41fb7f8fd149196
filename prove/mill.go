package prove

import (
	"context"
	"fmt"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// A grist is one mutant on its way: what it is, what is learned and what
// became of it.
type grist struct {
	mutate.Mutant
	id       string
	lane     *lane
	evidence Evidence
	sel      harness.Selection // of its covering tests
	widest   harness.Selection
	sentence Sentence
	done     bool
}

// A mill runs mutants. Those that a harness can prepare are run without being
// put on disk; with onDisk, what survives is run once more with the edit on
// disk, as NOT_PROVEN is (VERDICTS.md).
type mill struct {
	p      *proof
	onDisk bool
	done   int // guarded by p.mu
}

// grind runs all the mutants, one tree a worker, and gives each its sentence.
// When ctx ends, those not reached keep the zero sentence and are not done.
func (m *mill) grind(ctx context.Context, all []*grist) error {
	if err := m.prepare(ctx, all); err != nil {
		return err
	}
	workers := pool.New().WithMaxGoroutines(max(1, m.p.trees.Size())).WithContext(ctx).WithCancelOnError().WithFirstError()
	for _, g := range all {
		workers.Go(func(ctx context.Context) error {
			if ctx.Err() != nil {
				return nil
			}
			err := m.try(ctx, g)
			if ctx.Err() != nil {
				return nil // the run was cut short and says nothing
			}
			if err != nil {
				return fmt.Errorf("running mutant %s: %w", g.id, err)
			}
			m.tell(g, len(all))
			return nil
		})
	}
	return workers.Wait()
}

// prepare lets each harness that can make its mutants ready at once.
func (m *mill) prepare(ctx context.Context, all []*grist) error {
	for _, l := range m.p.lanes {
		preparer, ok := l.session.(harness.Preparer)
		if !ok || l.trouble != "" {
			continue
		}
		var variants [][]change.Edit
		for _, g := range all {
			if g.lane == l {
				variants = append(variants, g.Edits)
			}
		}
		if len(variants) == 0 {
			continue
		}
		m.p.event(Event{Stage: "prepare", What: fmt.Sprintf("%d %s mutants", len(variants), l.Name)})
		if err := m.prepareLane(ctx, preparer, variants); err != nil {
			return fmt.Errorf("preparing the %s mutants: %w", l.Name, err)
		}
	}
	return nil
}

func (m *mill) prepareLane(ctx context.Context, preparer harness.Preparer, variants [][]change.Edit) error {
	tree, err := m.p.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	return preparer.Prepare(ctx, tree.Dir(), variants)
}

// try gathers the facts of one mutant and judges them.
func (m *mill) try(ctx context.Context, g *grist) error {
	g.evidence = Evidence{Kind: m.p.kindOf}
	if g.lane.trouble != "" {
		g.evidence.Trouble, g.evidence.Phase = g.lane.trouble, g.lane.phase()
		g.judge()
		return nil
	}
	tree, err := m.p.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	if err := g.choose(ctx, tree); err != nil {
		return err
	}
	for step := NextOfMutant(g.evidence); step != Done; step = NextOfMutant(g.evidence) {
		if err := m.take(ctx, g, tree, step); err != nil {
			return err
		}
	}
	g.judge()
	return nil
}

func (g *grist) judge() { g.sentence, g.done = JudgeMutant(g.evidence), true }

func (m *mill) take(ctx context.Context, g *grist, tree Tree, step Step) error {
	e := &g.evidence
	sel, into, plain := g.sel, &e.Undo, false
	if step == RunConfirm || step == RepeatConfirm {
		sel, into, plain = g.widest, &e.Confirm, m.onDisk
	}
	o, err := m.run(ctx, g, tree, sel, plain)
	if err == nil {
		*into = append(*into, o)
	}
	return err
}

// run runs a selection with the mutant in force. It may end at the first red,
// which is all that is asked.
func (m *mill) run(ctx context.Context, g *grist, tree Tree, sel harness.Selection, plain bool) (harness.Outcome, error) {
	job := harness.Job{Dir: tree.Dir(), Edits: g.Edits, Selection: sel, Scratch: tree.Scratch(), FirstRed: true}
	if preparer, ok := g.lane.session.(harness.Preparer); ok && !plain {
		o, done, err := preparer.Try(ctx, job)
		if restored := tree.Restore(); err == nil && restored != nil {
			err = fmt.Errorf("bringing head back after a mutant: %w", restored)
		}
		if done || err != nil {
			return o, err
		}
	}
	return m.p.runJob(ctx, g.lane, tree, job)
}

// choose picks the tests that a mutant is run on, and asks whether any test
// executes its lines where the choice does not say so.
func (g *grist) choose(ctx context.Context, tree Tree) (err error) {
	session, e := g.lane.session, &g.evidence
	g.sel, g.widest = session.Cover(g.Path(), g.Lines), session.Widest(g.Path())
	e.Direct, e.Basis, e.RedAtHead = len(g.sel.Tests), g.sel.Basis, len(g.sel.Excluded)
	for _, id := range g.lane.base.Uncollected {
		if slices.Contains(g.sel.Excluded, id) {
			e.Hidden = append(e.Hidden, id)
		}
	}
	if len(g.sel.Tests) == 0 && e.RedAtHead > 0 {
		return nil // what covers it is red at head
	}
	if e.Basis != harness.Hit || e.Direct == 0 {
		if err := g.askReach(ctx, tree); err != nil || e.Reach == ReachNo {
			return err
		}
	}
	if e.Direct == 0 {
		g.sel = g.widest
	}
	if e.Expected, err = g.lane.expected(ctx, tree, g.sel); err != nil {
		return err
	}
	e.Widest, err = g.lane.expected(ctx, tree, g.widest)
	return err
}

func (g *grist) askReach(ctx context.Context, tree Tree) error {
	g.evidence.Reach = ReachUnknown
	r, ok := g.lane.session.(harness.Reach)
	if !ok {
		return nil
	}
	hit, known, err := r.Reached(ctx, tree.Dir(), g.Path(), g.Lines)
	switch {
	case err != nil:
		return fmt.Errorf("asking which lines tests execute: %w", err)
	case known && hit:
		g.evidence.Reach = ReachYes
	case known:
		g.evidence.Reach = ReachNo
	}
	return nil
}

// tell lets the observer hear of a mutant that was judged.
func (m *mill) tell(g *grist, total int) {
	r := m.p.mutantReport(g)
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	m.done++
	m.p.obs.Event(Event{Stage: "mutant", What: g.id, Done: m.done, Total: total, Mutant: &r})
}
