package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/change"
	"assay/harness"
)

// baseline opens a lane for every language that judges something.
func (p *proof) baseline(ctx context.Context) error {
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	for _, l := range p.langs {
		targets := p.targets(l)
		if len(targets) == 0 {
			continue
		}
		for _, under := range append([]EnvSet{{}}, p.cfg.EnvSets...) {
			if err := p.baselineOf(ctx, l, under, tree, targets); err != nil {
				return err
			}
		}
	}
	return nil
}

// baselineOf opens the lane of one language in one environment. Without a
// usable baseline a further environment says nothing: it is left out.
func (p *proof) baselineOf(ctx context.Context, l Language, under EnvSet, tree Tree, targets []harness.Target) error {
	focus := p.focus(l)
	ln, err := p.open(ctx, l, under, tree, targets, focus)
	if err == nil && len(focus) > 0 && ln.trouble != "" && ln.session != nil {
		// None of the changed tests can be used: the others tell whether the
		// project is at fault, and what they still catch.
		if err = errors.Join(ln.session.Close(), tree.Restore()); err == nil {
			focus = nil
			ln, err = p.open(ctx, l, under, tree, targets, nil)
		}
	}
	if err != nil {
		return err
	}
	p.lanes = append(p.lanes, ln)
	ln.confined = len(focus) > 0
	if ln.confined {
		p.notes = append(p.notes, ln.title()+": only the tests that the change edits, or whose files it does, were counted and run; the others are asked when a catch seems lost (--all-tests runs all at once)")
	}
	if under.Name != "" && ln.trouble != "" {
		p.lanes = p.lanes[:len(p.lanes)-1]
		p.notes = append(p.notes, fmt.Sprintf("%s: left out: %s", ln.title(), ln.trouble))
		if ln.session != nil {
			err = ln.session.Close()
		}
	}
	for _, n := range ln.base.Notes {
		p.notes = append(p.notes, ln.title()+": "+n)
	}
	if err := errors.Join(err, tree.Restore()); err != nil {
		return fmt.Errorf("bringing head back after the baseline: %w", err)
	}
	return nil
}

// targets are the files of the change that a language's tests may notice.
func (p *proof) targets(l Language) []harness.Target {
	var targets []harness.Target
	for _, f := range p.change.Files {
		if !(&lane{Language: l}).serves(f) || f.Form != change.Text || f.Kind == change.Inert {
			continue
		}
		t := harness.Target{Path: f.Path, Kind: f.Kind}
		for _, h := range f.Hunks {
			t.Lines = append(t.Lines, h.New)
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 || p.cfg.NoGate || len(p.gatedHunks(&lane{Language: l})) == 0 {
		return targets
	}
	for _, f := range p.cfg.Files { // what changed tests reach is asked as well
		if f.Language == l.Name && f.Kind == change.Production && !slices.ContainsFunc(targets, func(t harness.Target) bool { return t.Path == f.Path }) {
			targets = append(targets, harness.Target{Path: f.Path, Kind: f.Kind})
		}
	}
	return targets
}
