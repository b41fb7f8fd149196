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
	together bool // its reds are green by themselves: what ran before them has a part in it
	sentence Sentence
	done     bool
}

// A mill runs mutants. Those that a harness can prepare are run without being
// put on disk; with onDisk, what survives is run once more with the edit on
// disk, as NOT_PROVEN is (VERDICTS.md).
type mill struct {
	p      *proof
	onDisk bool
	ahead  *aheadOf // the lane that is prepared already; nil for none
	done   int      // guarded by p.mu
	known  killers
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
	if err := workers.Wait(); err != nil || ctx.Err() != nil {
		return err
	}
	return m.suppressSame(ctx, all)
}

// suppressSame takes out of the survivors those that compile to the same code
// as head: they are no change.
func (m *mill) suppressSame(ctx context.Context, all []*grist) error {
	for _, l := range m.p.lanes {
		session, ok := l.session.(harness.CodeComparer)
		lived := slices.DeleteFunc(slices.Clone(all), func(g *grist) bool { return g.lane != l || !g.done || g.sentence.Fate != Lived })
		if !ok || len(lived) == 0 {
			continue
		}
		variants := make([][]change.Edit, len(lived))
		for i, g := range lived {
			variants[i] = g.Edits
		}
		tree, err := m.p.trees.Acquire(ctx)
		if err != nil {
			return err
		}
		same, err := session.SameCode(ctx, tree.Dir(), tree.Scratch(), variants)
		tree.Release()
		if err != nil {
			return fmt.Errorf("comparing what survivors compile to: %w", err)
		}
		for i, g := range lived {
			if same[i] {
				g.Suppressed, g.sentence = ruleSameCode, Sentence{Fate: Suppressed}
			}
		}
	}
	return nil
}

// ruleSameCode is the rule for mutants that the compiler makes nothing else of.
const ruleSameCode = "same code: it compiles to what head compiles to"

// prepare lets each harness that can make its mutants ready at once.
func (m *mill) prepare(ctx context.Context, all []*grist) error {
	for _, l := range m.p.lanes {
		session, ok := l.session.(harness.Preparer)
		if !ok || l.trouble != "" || m.p.cfg.Plain {
			continue
		}
		if m.ahead != nil && m.ahead.lane == l {
			if m.ahead.err != nil {
				return m.ahead.err
			}
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
		if err := m.p.prepareLane(ctx, l, session, variants); err != nil {
			return err
		}
	}
	return nil
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
	if err := m.choose(ctx, g, tree); err != nil {
		return err
	}
	for step := NextOfMutant(g.evidence); step != Done; step = NextOfMutant(g.evidence) {
		if err := m.take(ctx, g, tree, step); err != nil {
			return err
		}
	}
	g.judge()
	m.known.add(g)
	return nil
}

func (g *grist) judge() { g.sentence, g.done = JudgeMutant(g.evidence), true }

func (m *mill) take(ctx context.Context, g *grist, tree Tree, step Step) error {
	e := &g.evidence
	if step != RunConfirm && step != RepeatConfirm {
		o, err := m.undo(ctx, g, tree)
		e.Undo = append(e.Undo, o)
		return err
	}
	if step == RunConfirm {
		var err error
		if e.Widest, err = g.lane.expected(ctx, m.p, tree, g.widest, prepared); err != nil {
			return err
		}
		g.widest = only(g.widest, e.Widest)
	}
	o, err := m.run(ctx, g, tree, &g.widest, &e.Widest, m.onDisk)
	e.Confirm = append(e.Confirm, o)
	return err
}

// undo runs the covering tests. A red is repeated by the tests that were red;
// when they are green by themselves, all that ran before them runs again, which
// then has to be green at head as well.
func (m *mill) undo(ctx context.Context, g *grist, tree Tree) (harness.Outcome, error) {
	e := &g.evidence
	if len(e.Undo) == 1 && len(e.Undo[0].Red()) > 0 {
		reds, expected := only(g.sel, g.redTops()), e.Expected
		if o, err := m.run(ctx, g, tree, &reds, &expected, false); err != nil || len(o.Red()) > 0 {
			return o, err
		}
		g.together = true
	}
	return m.run(ctx, g, tree, &g.sel, &e.Expected, false)
}

// redTops are the selected tests that were red, or a subtest of which was.
func (g *grist) redTops() []harness.TestID {
	selected := map[harness.TestID]bool{}
	for _, id := range g.sel.Tests {
		selected[id] = true
	}
	var tops []harness.TestID
	for _, t := range g.evidence.Undo[0].Red() {
		if top, ok := ancestor(t.ID, selected); ok {
			tops = append(tops, top)
		}
	}
	return tops
}

// run runs a selection with the mutant in force. It may end at the first red,
// which is all that is asked. That a prepared run passed a limit is taken for
// true where nothing has to be on disk: Hung is no kill. What has to be on disk
// is held against the tests that are green there as well.
func (m *mill) run(ctx context.Context, g *grist, tree Tree, sel *harness.Selection, expected *[]harness.TestID, plain bool) (harness.Outcome, error) {
	job := harness.Job{Dir: tree.Dir(), Edits: g.Edits, Selection: *sel, Scratch: tree.Scratch(), FirstRed: !g.together, Spin: true}
	if job.FirstRed {
		job.First = m.known.near(g, sel.Tests)
	}
	if !plain {
		o, done, err := m.p.tryJob(ctx, g.lane, tree, job)
		wanted := done && (!m.onDisk || !o.TimedOut)
		if wanted || err != nil {
			return o, err
		}
	}
	var err error
	if *expected, err = g.lane.expected(ctx, m.p, tree, *sel, prepared, onDisk); err != nil || len(*expected) == 0 {
		return harness.Outcome{Phase: harness.PhaseRun}, err
	}
	*sel = only(*sel, *expected)
	job.Selection = *sel
	return m.p.runOnDisk(ctx, g.lane, tree, job)
}

// choose picks the tests that a mutant is run on: those that come by it where
// the session knows them, else those that cover its lines, and then it asks
// whether any test executes these.
func (m *mill) choose(ctx context.Context, g *grist, tree Tree) (err error) {
	session, e := g.lane.session, &g.evidence
	g.sel, g.widest = session.Cover(g.Path(), g.Lines), session.Widest(g.Path())
	m.narrow(g)
	e.Direct, e.Basis, e.RedAtHead = len(g.sel.Tests), g.sel.Basis, len(g.sel.Excluded)
	for _, id := range g.lane.base.Uncollected {
		if slices.Contains(g.sel.Excluded, id) {
			e.Hidden = append(e.Hidden, id)
		}
	}
	if len(g.sel.Tests) == 0 && e.RedAtHead > 0 {
		return nil // what covers it is red at head
	}
	switch {
	case e.Basis == harness.Hit && e.Direct == 0:
		e.Reach = ReachNo
	case e.Basis != harness.Hit:
		err = g.askReach(ctx, tree)
	}
	if err != nil || e.Reach == ReachNo {
		return err
	}
	if e.Direct == 0 {
		g.sel = g.widest
	}
	e.Wide = !m.onDisk && (e.Basis == harness.Hit || len(g.sel.Tests) == len(g.widest.Tests))
	if m.p.checksHead(g.lane) {
		e.Expected = g.lane.family(g.sel.Tests)
		return nil
	}
	e.Expected, err = g.lane.expected(ctx, m.p, tree, g.sel, prepared)
	g.sel = only(g.sel, e.Expected)
	return err
}

// checksHead reports whether prepared runs of a lane are held against head by the
// harness.
func (p *proof) checksHead(l *lane) bool {
	_, checks := l.session.(harness.HeadChecker)
	return checks && !p.cfg.Plain
}

// only leaves out of a selection the tests that are not expected to be green: a
// run that ends at the first red must not end at theirs.
func only(sel harness.Selection, expected []harness.TestID) harness.Selection {
	kept := slices.DeleteFunc(slices.Clone(sel.Tests), func(id harness.TestID) bool { return !slices.Contains(expected, id) })
	if len(kept) < len(sel.Tests) {
		sel.Tests, sel.Baselined = kept, false
	}
	return sel
}

// narrow takes the tests that come by the mutant where the session knows them.
func (m *mill) narrow(g *grist) {
	session, ok := g.lane.session.(harness.Hitter)
	if m.p.cfg.Plain || !ok {
		return
	}
	hits, known := session.Hits(g.Edits)
	if !known {
		return
	}
	same := len(hits) == len(g.sel.Tests) && !slices.ContainsFunc(hits, func(id harness.TestID) bool { return !slices.Contains(g.sel.Tests, id) })
	if !same {
		g.sel.Tests, g.sel.Baselined = hits, false
	}
	g.sel.Basis = harness.Hit
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
