package prove

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/sourcegraph/conc"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// What needs no test result is found out while the baseline runs and while the
// whole change is un-done, in another tree: plans, mutants, and builds that hold
// many edits.

// planAhead begins to ask each ladder how its units are honestly un-done. The
// functions, by language, wait for the answer; wait waits for all.
func (p *proof) planAhead(ctx context.Context) (wait func()) {
	p.plans = map[string]func() (map[*change.Unit]*mutate.Plan, error){}
	var running conc.WaitGroup
	for _, l := range p.langs {
		notes := p.notesOf(l.Name)
		if l.Ladder == nil || len(notes) == 0 {
			continue
		}
		plans := sync.OnceValues(func() (map[*change.Unit]*mutate.Plan, error) { return p.plansOf(ctx, l, notes) })
		p.plans[l.Name] = plans
		if p.trees.Size() > 1 {
			running.Go(func() { _, _ = plans() }) // who asks is told
		}
	}
	return running.Wait
}

func (p *proof) plansOf(ctx context.Context, l Language, notes map[*change.Unit]*mutate.Note) (map[*change.Unit]*mutate.Plan, error) {
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer tree.Release()
	return l.Ladder.Plans(ctx, tree.Dir(), p.change, notes)
}

// prepareAhead begins to prepare the trials. ready waits until that is done.
func (p *proof) prepareAhead(ctx context.Context) (ready func() error) {
	ready = sync.OnceValue(func() error { return p.prepare(ctx) })
	if p.trees.Size() > 1 && !p.cfg.ClaimOnly {
		go func() { _ = ready() }() // who asks is told
	}
	return ready
}

// pastsAhead begins to open the base's tests of each language whose tests are
// judged, beside the baseline of head. A gate asks for its own by pasts; wait
// waits for all and ends those that none asked for.
func (p *proof) pastsAhead(ctx context.Context) (wait func() error) {
	p.pasts = map[string]*pastAhead{}
	var running conc.WaitGroup
	for _, l := range p.langs {
		now := &lane{Language: l}
		hunks := slices.DeleteFunc(p.gatedHunks(now), (*gatedHunk).addsTests)
		if p.cfg.NoGate || l.Mutator == nil || len(hunks) == 0 || p.trees.Size() < 2 {
			continue
		}
		g := &gate{p: p, now: now}
		a := &pastAhead{open: sync.OnceValues(func() (*gate, error) {
			standing, undone := p.toBase(testSide)
			return g, g.openWith(ctx, standing, undone)
		})}
		p.pasts[l.Name] = a
		running.Go(func() { _, _ = a.open() }) // who asks is told
	}
	return func() error {
		running.Wait()
		var errs []error
		for _, a := range p.pasts {
			if g, err := a.open(); err == nil && !a.taken && g.then.session != nil {
				errs = append(errs, g.then.session.Close())
			}
		}
		return errors.Join(errs...)
	}
}

// A pastAhead is the base's tests of one language on their way.
type pastAhead struct {
	open  func() (*gate, error)
	taken bool // by a gate, which ends what it opened
}

// mutantsAhead lets the mutants of a language be made, and built, as soon as its
// session is open. It serves where all mutants are of one language: a sample is
// drawn of all. wait waits until nothing runs ahead.
func (p *proof) mutantsAhead(ctx context.Context, fields map[string][]mutate.Target, q Question) (wait func()) {
	p.crops = map[string]func() (mutate.Crop, error){}
	for _, l := range p.langs {
		p.crops[l.Name] = sync.OnceValues(func() (mutate.Crop, error) { return p.cropOf(ctx, l, fields[l.Name], q.Operators) })
	}
	var running conc.WaitGroup
	p.opened = func(l *lane) {
		session, early := l.session.(harness.EarlyPreparer)
		if !early || p.trees.Size() < 2 || p.cfg.Plain || len(fields) != 1 || len(fields[l.Name]) == 0 {
			return
		}
		p.ahead = &aheadOf{lane: l}
		release := func() {}
		if combiner, ok := l.session.(harness.Combiner); ok {
			release = combiner.Combine(ctx)
		}
		running.Go(func() {
			defer release()
			crop, err := p.crops[l.Name]()
			if err != nil {
				return // crop says so
			}
			var variants [][]change.Edit
			for _, g := range draw(gristsOf(l, crop), q, p.cfg.Budget > 0) {
				variants = append(variants, g.Edits)
			}
			if len(variants) > 0 {
				p.ahead.err = p.prepareLane(ctx, l, session, variants)
			}
		})
	}
	return running.Wait
}

// An aheadOf is a lane whose mutants are prepared ahead, and what came of it.
type aheadOf struct {
	lane *lane
	err  error
}

// gristsOf are the mutants of a crop that are to be run.
func gristsOf(l *lane, crop mutate.Crop) []*grist {
	var all []*grist
	for _, m := range crop.Mutants {
		all = append(all, &grist{Mutant: m, lane: l})
	}
	return slices.DeleteFunc(all, func(g *grist) bool { return g.Suppressed != "" })
}
