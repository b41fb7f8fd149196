package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// climb asks each language's ladder how its units are honestly un-done. What a
// ladder finds outranks what the text of one unit said: a unit that is broken
// alone may stand with glue or with partners, and one that looks like code may
// be a proved rename.
func (p *proof) climb(ctx context.Context) error {
	for _, l := range p.plainLanes() {
		ask := p.plans[l.Name]
		if ask == nil || l.trouble != "" {
			continue
		}
		p.event(Event{Stage: "ladder", What: l.Name})
		plans, err := ask()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // hunks are then un-done alone, as without a ladder
			p.notes = append(p.notes, fmt.Sprintf("%s: hunks could only be un-done alone: %v", l.Name, err))
			continue
		}
		p.adopt(plans)
	}
	return nil
}

// notesOf are the notes of a language's units that the whole change holds, the
// settled ones included: they may be partners.
func (p *proof) notesOf(language string) map[*change.Unit]*mutate.Note {
	notes, open := map[*change.Unit]*mutate.Note{}, false
	for _, s := range p.subjects {
		if s.file().Language == language && s.read && s.revertible() {
			notes[s.unit] = s.note
			open = open || !s.settled
		}
	}
	if !open {
		return nil
	}
	return notes
}

// adopt gives the open subjects their plans, settles those that turned out to
// have nothing to prove, and couples partners.
func (p *proof) adopt(plans map[*change.Unit]*mutate.Plan) {
	byUnit := map[*change.Unit]*subject{}
	for _, s := range p.subjects {
		byUnit[s.unit] = s
	}
	for _, s := range p.subjects {
		plan := plans[s.unit]
		if plan == nil || s.settled {
			continue
		}
		s.plan = plan
		if plan.Nothing != "" {
			s.decision, s.settled = settle(Reason(plan.Nothing), orElse(plan.Note, words[Reason(plan.Nothing)])), true
		}
		for ; plan != nil; plan = plan.Else {
			for _, u := range plan.Partners {
				partner := byUnit[u]
				if partner != nil && !slices.Contains(s.coupled, partner) {
					s.coupled = append(s.coupled, partner)
				}
			}
		}
	}
}

// broken is why the subject cannot be un-done at all, by its ladder or else by
// its text.
func (s *subject) broken() (why, missing string) {
	switch {
	case s.plan == nil:
		return s.note.Broken, s.note.Missing
	case s.plan.Rung == mutate.RungNone:
		return orElse(s.plan.Why, "no honest way to un-do it was found"), s.plan.Missing
	}
	return "", ""
}

// grouped reports whether the subject is not un-done by itself, but with
// partners or in a neutral form.
func (s *subject) grouped() bool {
	return s.plan != nil && (s.plan.Rung == mutate.RungPartners || s.plan.Rung == mutate.RungNeutralise)
}

// carriers says which hunks hold a carried declaration, and their verdicts.
func (p *proof) carriers(s *subject) string {
	var by []string
	for _, u := range s.plan.Users {
		for _, other := range p.subjects {
			if other.unit == u && other != s {
				by = append(by, fmt.Sprintf("%s (%s)", other.name(), other.decision.Verdict))
			}
		}
	}
	if len(by) == 0 {
		return "a declaration without behaviour of its own; no hunk of the change uses it"
	}
	return "carried by " + strings.Join(by, ", ")
}

// undoAll is the edits that un-do all the given subjects together, and the
// tests that had to be taken out because they cannot work without the change.
func (p *proof) undoAll(ctx context.Context, dir string, all []*subject) (edits []change.Edit, dropped []string, err error) {
	var rest []*subject
	for _, s := range all {
		if p.ladderOf(s) == nil {
			rest = append(rest, s)
		}
	}
	edits = together(rest)
	for _, l := range p.plainLanes() {
		var units []*change.Unit
		for _, s := range all {
			if l.Name == s.file().Language && p.ladderOf(s) != nil {
				units = append(units, s.unit)
			}
		}
		if len(units) == 0 {
			continue
		}
		more, gone, err := l.Ladder.Whole(ctx, dir, p.change, units)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil: // it does not build without them; the run will say so
			return together(all), nil, nil
		}
		edits, dropped = append(edits, more...), append(dropped, gone...)
	}
	return edits, dropped, nil
}

// ladderOf is the ladder that knows the subject's language, or nil.
func (p *proof) ladderOf(s *subject) mutate.Ladder {
	for _, l := range p.plainLanes() {
		if l.Name == s.file().Language && l.Ladder != nil && l.trouble == "" && s.read {
			return l.Ladder
		}
	}
	return nil
}

// droppedTests are the IDs of tests that a ladder took out. A ladder names
// them as path::declaration, nested declarations divided by "::" as well.
func droppedTests(l *lane, dropped []string) map[harness.TestID]bool {
	ids := map[harness.TestID]bool{}
	namer, ok := l.session.(harness.Namer)
	if !ok {
		return ids
	}
	for _, name := range dropped {
		path, declaration, _ := strings.Cut(name, "::")
		for _, id := range namer.Named(path, strings.ReplaceAll(declaration, "::", ".")) {
			ids[id] = true
		}
	}
	return ids
}
