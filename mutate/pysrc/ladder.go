package pysrc

import (
	"context"
	"fmt"
	"path"

	"assay/change"
	"assay/mutate"
)

var _ mutate.Ladder = (*Source)(nil)

// Plans implements mutate.Ladder. A helper process reads head from dir and
// answers for every unit; it reads other files only when they mention a name
// that an un-doing takes away. Units of tests, and those that Study or a
// comment settled, are planned as a plain revert without being looked at;
// whole-file hunks get no plan.
func (s *Source) Plans(ctx context.Context, dir string, c *change.Change, notes map[*change.Unit]*mutate.Note) (map[*change.Unit]*mutate.Plan, error) {
	plans := map[*change.Unit]*mutate.Plan{}
	p := &planning{ids: map[*change.Unit]int{}}
	var open []*change.Unit
	for _, h := range c.Hunks() {
		for _, u := range h.Units {
			n := notes[u]
			if n == nil || h.Whole {
				continue
			}
			plans[u] = &mutate.Plan{Rung: mutate.RungRevert, Edits: []change.Edit{u.Undo()}}
			if isSource(h.File) && h.File.Kind != change.Test && n.Nothing == "" && n.Ignored == "" {
				open = append(open, u)
			}
		}
	}
	if len(open) == 0 {
		return plans, nil
	}
	err := s.plan(ctx, p.world(dir, c, notes), func(h *helper) error {
		for _, u := range open {
			if err := ctx.Err(); err != nil {
				return err
			}
			var a planAnswer
			if err := h.ask(request{Op: "plan", ID: p.ids[u]}, &a); err != nil {
				return fmt.Errorf("%s: %w", u.Hunk.Name(), err)
			}
			plans[u] = p.planOf(a)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("planning how to un-do Python source: %w", err)
	}
	return plans, nil
}

// Whole implements mutate.Ladder. A file of which every unit is given goes
// back to base as a whole, name included. Names in dropped are of test files at
// head: "tests/test_a.py::TestX::test_y", or an import.
func (s *Source) Whole(ctx context.Context, dir string, c *change.Change, units []*change.Unit) (edits []change.Edit, dropped []string, err error) {
	edits = together(c, units)
	p := &planning{}
	w := p.wholeWorld(dir, c, edits)
	if len(w.Units) == 0 {
		return edits, nil, nil
	}
	err = s.plan(ctx, w, func(h *helper) error {
		ask := request{Op: "whole"}
		for _, u := range w.Units {
			ask.IDs = append(ask.IDs, u.ID)
		}
		var a planAnswer
		if err := h.ask(ask, &a); err != nil {
			return err
		}
		edits, dropped = append(edits, a.edits()...), a.Dropped
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("planning how to un-do the whole change to Python source: %w", err)
	}
	return edits, dropped, nil
}

// plan tells a helper the change and then asks.
func (s *Source) plan(ctx context.Context, w world, ask func(*helper) error) error {
	all, err := s.listFiles()
	if err != nil {
		return fmt.Errorf("listing the project at head: %w", err)
	}
	for _, p := range all {
		if path.Ext(p) == ".py" {
			w.Paths = append(w.Paths, p)
		}
	}
	return s.with(ctx, func(h *helper) error {
		if err := h.ask(w, &struct{}{}); err != nil {
			return err
		}
		return ask(h)
	})
}

func isSource(f *change.File) bool { return f.Form == change.Text && path.Ext(f.Path) == ".py" }

// together un-does units; a file of which all are given goes back to base.
func together(c *change.Change, units []*change.Unit) []change.Edit {
	byFile := map[*change.File][]*change.Unit{}
	for _, u := range units {
		byFile[u.Hunk.File] = append(byFile[u.Hunk.File], u)
	}
	var edits []change.Edit
	for _, f := range c.Files {
		switch given := byFile[f]; {
		case len(given) > 0 && len(given) == countUnits(f):
			edits = append(edits, f.ToBase()...)
		default:
			edits = append(edits, splices(given)...)
		}
	}
	return edits
}

func splices(units []*change.Unit) []change.Edit {
	var edits []change.Edit
	for _, u := range units {
		if !u.Hunk.Whole {
			edits = append(edits, u.Undo())
		}
	}
	return edits
}

func countUnits(f *change.File) int {
	n := 0
	for _, h := range f.Hunks {
		n += len(h.Units)
	}
	return n
}
