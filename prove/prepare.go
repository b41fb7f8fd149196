package prove

import (
	"context"
	"fmt"
	"slices"

	"assay/change"
	"assay/harness"
)

// prepare hands each session that can take them the edits of all the trials
// that are to come, so that each costs no build and no start-up of its own. A
// verdict never rests on that alone where it says that nothing noticed: the
// confirming run has the edits on disk (VERDICTS.md, NOT_PROVEN).
func (p *proof) prepare(ctx context.Context) error {
	if p.cfg.Plain {
		return nil
	}
	for _, l := range p.lanes {
		session, ok := l.session.(harness.Preparer)
		variants := p.variants(l)
		if !ok || len(variants) == 0 {
			continue
		}
		if err := p.prepareLane(ctx, l, session, variants); err != nil {
			return err
		}
	}
	return nil
}

// prepareLane hands a session variants in a tree of its own.
func (p *proof) prepareLane(ctx context.Context, l *lane, session harness.Preparer, variants [][]change.Edit) error {
	p.event(Event{Stage: "prepare", What: l.Name})
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	err = session.Prepare(ctx, tree.Dir(), variants)
	if restored := tree.Restore(); err == nil && restored != nil {
		err = fmt.Errorf("bringing head back: %w", restored)
	}
	if err != nil {
		return fmt.Errorf("preparing the %s trials: %w", l.Name, err)
	}
	return nil
}

// variants are the sets of edits that a lane's trials may need.
func (p *proof) variants(l *lane) [][]change.Edit {
	var all [][]change.Edit
	if l.trouble != "" {
		return nil
	}
	for _, s := range p.order() {
		if why, _ := s.broken(); why != "" || !l.serves(s.file()) {
			continue
		}
		all = append(all, s.undo())
		for next := s.next(); next != nil; next = next.Else {
			if len(next.Edits) > 0 {
				all = append(all, next.Edits)
			}
		}
		if plant, emptied := s.control(); len(plant) > 0 && !emptied {
			all = append(all, plant)
		}
		if len(s.coupled) > 0 {
			all = append(all, s.component())
		}
	}
	return all
}

// tryPrepared runs prepared edits. done is false when they have to be on disk.
// A run that passed a limit is made again there: whether a test hangs is only
// said of the real thing.
func (p *proof) tryPrepared(ctx context.Context, l *lane, tree Tree, edits []change.Edit, sel harness.Selection) (o harness.Outcome, done bool, err error) {
	o, done, err = p.tryJob(ctx, l, tree, harness.Job{Dir: tree.Dir(), Edits: edits, Selection: sel, Scratch: tree.Scratch()})
	return o, done && !o.TimedOut, err
}

// tryJob runs a job whose edits may have been prepared; done is false when they
// have to be on disk.
func (p *proof) tryJob(ctx context.Context, l *lane, tree Tree, job harness.Job) (o harness.Outcome, done bool, err error) {
	session, ok := l.session.(harness.Preparer)
	if p.cfg.Plain || !ok {
		return o, false, nil
	}
	o, done, err = session.Try(ctx, job)
	if restored := tree.Restore(); err == nil && restored != nil {
		err = fmt.Errorf("bringing head back after a trial: %w", restored)
	}
	if err == nil && done {
		err = outcomeDiskFull(o)
	}
	return o, done, err
}

// narrow keeps the tests of the first selection that come by the place of the
// un-doing, where the session knows them.
func (b *bench) narrow() {
	session, ok := b.lane.session.(harness.Hitter)
	if b.p.cfg.Plain || !ok {
		return
	}
	hits, known := session.Hits(b.subject.undo())
	if !known {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(b.sel.Tests), func(id harness.TestID) bool { return !slices.Contains(hits, id) })
	if len(kept) == 0 {
		return // what is red at head may come by it: nothing was learned
	}
	if len(kept) < len(b.sel.Tests) {
		b.sel.Tests, b.sel.Baselined = kept, false
	}
	b.sel.Basis = harness.Hit
}
