package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"assay/change"
	"assay/harness"
)

// A gate judges what a change does to the tests of one language: production
// code stands at head on both sides, and mutants of it are shown to the tests
// of base and to those of head (VERDICTS.md, test changes).
type gate struct {
	p    *proof
	now  *lane    // head
	past *proof   // head with the tests of base
	then *lane    // its lane
	back []string // production files that had to go back to base with the tests
	// shift brings a mutant of head into the coordinates of what past holds.
	shift shift
	hunks []*gatedHunk
	// unreached is why mutants were left out; "" when none were.
	unreached Reason
	all       *lane // every test of head, once they were asked for; now where that is not confined
	chosen    []*gateMutant
	left      int // mutants that were not run
}

// gate judges the test hunks of every language that has a mutator. When ctx
// ends it judges by what it has seen, and returns no error for that.
func (p *proof) gate(ctx context.Context) error {
	if p.cfg.NoGate {
		return nil
	}
	for _, l := range p.lanes {
		if l.under.Name != "" {
			continue // the plain environment stands for all
		}
		g := &gate{p: p, now: l, hunks: p.gatedHunks(l)}
		if len(g.hunks) == 0 {
			continue
		}
		if l.trouble != "" && !l.empty() { // where the last tests went, all that base's caught is lost
			g.settleAll(g.unusable())
			continue
		}
		if l.Mutator == nil {
			p.notes = append(p.notes, fmt.Sprintf("%s: there are no mutants of this language, so nobody can say whether its tests got weaker", l.Name))
			continue
		}
		err := g.run(ctx)
		for _, own := range []*lane{g.then, g.all} {
			if own != nil && own != l && own.session != nil {
				err = errors.Join(err, own.session.Close())
			}
		}
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("judging the changes to the %s tests: %w", l.Name, err)
		}
	}
	return nil
}

func (g *gate) run(ctx context.Context) error {
	g.hunks = slices.DeleteFunc(g.hunks, (*gatedHunk).plainlyNew)
	if len(g.hunks) == 0 {
		return nil // no test of base is touched
	}
	if err := g.openPast(ctx); err != nil {
		return err
	}
	if g.then.trouble != "" {
		g.hunks = slices.DeleteFunc(g.hunks, (*gatedHunk).onlyNew)
		g.settleAll(settle(NoKills, "the base's tests cannot be run, not even with the base's production code: "+g.then.trouble))
		return nil
	}
	for _, h := range g.hunks {
		g.affect(h)
	}
	g.hunks = slices.DeleteFunc(g.hunks, g.onlyAdded)
	if len(g.hunks) == 0 {
		return nil
	}
	err := g.show(ctx)
	g.unreached = g.cut(ctx)
	g.judge()
	return err
}

// unusable is the verdict on changed tests of which none can be used at head.
func (g *gate) unusable() Decision {
	if g.now.redAtHead() {
		return settle(BaselineRed, g.now.trouble)
	}
	return settle(troubleReason(g.now.phase()), g.now.trouble)
}

// show makes the mutants and shows them to both sides.
func (g *gate) show(ctx context.Context) error {
	if err := g.choose(ctx); err != nil {
		return err
	}
	if err := g.screen(ctx); err != nil {
		return err
	}
	return g.confirm(ctx)
}

// cut is why not every mutant was looked at.
func (g *gate) cut(ctx context.Context) Reason {
	switch {
	case ctx.Err() == nil:
		return ""
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Budget
	}
	return Interrupted
}

// testSide reports whether a file goes back to base with the tests: tests,
// what serves them, and the data they expect.
func testSide(f *change.File) bool {
	switch f.Kind {
	case change.Test, change.Support:
		return true
	case change.Data:
		return testData(f.Path)
	}
	return false
}

// openPast opens the tests of base: with head's production code, and when they
// do not build or collect there, with their own.
func (g *gate) openPast(ctx context.Context) error {
	if err := g.openFirst(ctx); err != nil || !g.worse() {
		return err
	}
	standing, undone := g.p.toBase(testSide)
	more, production := g.p.toBase(func(f *change.File) bool { return !testSide(f) && f.Kind != change.Inert })
	if len(production) == 0 {
		return nil
	}
	for _, f := range production {
		g.back = append(g.back, f.Path)
	}
	g.shift = shiftOf(production)
	if err := g.then.session.Close(); err != nil {
		return err
	}
	return g.openWith(ctx, append(standing, more...), append(undone, production...))
}

// openFirst opens them with head's production code, unless that was begun ahead.
func (g *gate) openFirst(ctx context.Context) error {
	ahead := g.p.pasts[g.now.Name]
	if ahead == nil {
		standing, undone := g.p.toBase(testSide)
		return g.openWith(ctx, standing, undone)
	}
	ahead.taken = true
	early, err := ahead.open()
	g.past, g.then = early.past, early.then
	return err
}

// toBase is the edits that bring the files back to base.
func (p *proof) toBase(which func(*change.File) bool) (edits []change.Edit, files []*change.File) {
	for _, f := range p.change.Files {
		if f.Form != change.Text || !which(f) || f.Status == change.Modified && string(f.Old) == string(f.New) {
			continue
		}
		edits = append(edits, f.ToBase()...)
		files = append(files, f)
	}
	return edits, files
}

// worse reports whether the base's tests do not build or collect where head's
// do.
func (g *gate) worse() bool {
	if g.then.trouble != "" {
		return g.then.session != nil
	}
	return slices.ContainsFunc(g.then.base.Uncollected, func(id harness.TestID) bool { return !slices.Contains(g.now.base.Uncollected, id) })
}

// openWith opens a session on head with edits standing in it; undone are the
// files they bring back.
func (g *gate) openWith(ctx context.Context, standing []change.Edit, undone []*change.File) error {
	g.p.event(Event{Stage: "gate", What: "the base's " + g.now.Name + " tests"})
	cfg := g.p.cfg
	cfg.Scratch = filepath.Join(cfg.Scratch, fmt.Sprintf("past-%s-%d", g.now.Name, len(g.back)))
	if err := os.MkdirAll(cfg.Scratch, 0o755); err != nil {
		return fmt.Errorf("making room for the base's tests: %w", err)
	}
	back := &change.Change{Base: g.p.change.Head, Head: g.p.change.Base, Repo: g.p.change.Repo}
	for _, f := range undone {
		back.Files = append(back.Files, reversed(f))
	}
	g.past = newProof(cfg, back, []Language{g.now.Language}, WithEdits(g.p.trees, standing), g.p.obs)
	g.past.standing = standing
	if err := g.past.study(ctx); err != nil {
		return err
	}
	tree, err := g.past.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	g.then, err = g.past.open(ctx, g.now.Language, EnvSet{}, tree, g.past.targets(g.now.Language), g.p.focus(g.now.Language))
	if err == nil {
		g.past.lanes = []*lane{g.then}
	}
	return err
}

// reversed is the file as the way back from head to base changes it.
func reversed(f *change.File) *change.File {
	r := &change.File{Path: f.OldPath, OldPath: f.Path, Status: f.Status, Form: f.Form, OldMode: f.NewMode, NewMode: f.OldMode,
		Old: f.New, New: f.Old, Kind: f.Kind, KindWhy: f.KindWhy, Language: f.Language}
	switch f.Status {
	case change.Added:
		r.Path, r.Status = f.Path, change.Deleted
	case change.Deleted:
		r.Path, r.OldPath, r.Status = f.Path, "", change.Added
	case change.Modified, change.Renamed:
	}
	for _, h := range f.Hunks {
		b := &change.Hunk{ID: h.ID, File: r, Old: h.New, New: h.Old, Whole: h.Whole}
		b.Units = []*change.Unit{{Hunk: b, Old: b.Old, New: b.New}}
		r.Hunks = append(r.Hunks, b)
	}
	return r
}
