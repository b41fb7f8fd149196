package prove

import (
	"context"
	"fmt"
	"slices"

	"assay/change"
	"assay/harness"
)

// Where nothing but tests is judged, only the test files of the change are run
// at first, on both sides. The other tests of head are asked when a catch seems
// to be lost.

// focus is what a language's sessions are confined to; nil for no bounds. It
// takes a change that edits test files and nothing else that tests may go by,
// and leaves each in its place: then every test that the change has a say in
// lies in them, or loads them.
func (p *proof) focus(l Language) []harness.Focus {
	if !p.cfg.TestsOnly || p.cfg.AllTests || l.Mutator == nil {
		return nil
	}
	var files []harness.Focus
	for _, f := range p.change.Files {
		switch {
		case f.Kind == change.Test && f.Language == l.Name && f.Status == change.Modified && f.Form == change.Text:
			files = append(files, harness.Focus{Path: f.Path, Tests: p.insideTests(f)})
		case testSide(f):
			return nil
		}
	}
	return files
}

// insideTests are the tests of a file inside which all that changes stands; nil
// when something else changes, or a test comes or goes.
func (p *proof) insideTests(f *change.File) []string {
	var names []string
	for _, s := range p.subjects {
		if s.file() != f || s.note.Nothing != "" {
			continue
		}
		if !isTestName(s.note.Declaration) || len(s.note.Defines) > 0 {
			return nil
		}
		names = append(names, s.note.Declaration)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// suspect reports whether the affected tests of head no longer catch the mutant.
func (m *gateMutant) suspect() bool {
	return len(m.catchFact.before.caught) > 0 && len(m.catchFact.after.caught) == 0
}

// widen shows the mutants that seem to be lost to the other tests of head, until
// one catches them.
func (g *gate) widen(ctx context.Context) error {
	suspects := slices.DeleteFunc(slices.Clone(g.chosen), func(m *gateMutant) bool { return !m.suspect() })
	if len(suspects) == 0 {
		return nil
	}
	if err := g.openAll(ctx); err != nil {
		return err
	}
	if g.all.trouble != "" && !g.all.empty() {
		for _, m := range suspects {
			m.wide = sighting{ran: true, reason: troubleReason(g.all.phase())}
		}
		return nil
	}
	if err := g.readyAll(ctx, suspects); err != nil {
		return err
	}
	return g.each(ctx, g.p, suspects, "the other tests of head", func(ctx context.Context, tree Tree, m *gateMutant) (err error) {
		m.wide, err = g.p.glimpse(ctx, g.all, tree, m.Edits, m.others)
		return err
	})
}

// openAll opens a session of every test of head, where the first is confined.
func (g *gate) openAll(ctx context.Context) error {
	g.all = g.now
	if !g.now.confined {
		return nil
	}
	tree, err := g.p.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	g.all, err = g.p.open(ctx, g.now.Language, EnvSet{}, tree, g.p.targets(g.now.Language), nil)
	if restored := tree.Restore(); err == nil && restored != nil {
		err = fmt.Errorf("bringing head back after the other tests ran: %w", restored)
	}
	return err
}

// readyAll prepares suspects for the session of every test and finds which of
// these come by them.
func (g *gate) readyAll(ctx context.Context, suspects []*gateMutant) error {
	if g.all == g.now {
		return nil
	}
	if session, ok := g.all.session.(harness.Preparer); ok && !g.p.cfg.Plain {
		var variants [][]change.Edit
		for _, m := range suspects {
			variants = append(variants, m.Edits)
		}
		if err := g.p.prepareLane(ctx, g.all, session, variants); err != nil {
			return err
		}
	}
	for _, m := range suspects {
		ids, _ := g.comers(g.p, g.all, m.Edits, m.Lines)
		m.others = slices.DeleteFunc(slices.Clone(ids), g.affectsAny)
	}
	return nil
}
