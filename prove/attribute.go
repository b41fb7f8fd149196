package prove

import (
	"fmt"
	"slices"

	"assay/harness"
	"assay/mutate"
)

// attribute takes PROVEN back from units that could only be un-done with
// partners when one partner, un-done without them, accounts for every red: the
// group is noticed, but nothing says that this piece of it is. Decisions are
// compared as they were judged, so that the order does not matter.
func (p *proof) attribute() {
	explained := map[*subject]*subject{}
	for _, s := range p.subjects {
		if s.waits() {
			if by := p.explains(s); by != nil {
				explained[s] = by
			}
		}
	}
	for _, s := range p.subjects {
		by := explained[s]
		if by == nil {
			continue
		}
		s.decision = settle(HalfUndone, fmt.Sprintf(
			"it can only be un-done with %d partners, and %s alone accounts for every red", len(s.plan.Partners), by.name()))
		p.changed(s)
	}
}

// waits reports whether attribute may still take PROVEN back.
func (s *subject) waits() bool {
	return s.decision.Verdict == Proven && s.plan != nil && s.plan.Rung == mutate.RungPartners
}

// needs reports whether the subject mentions what another one of its file
// defines: without its own text nothing uses that any more, so that its red
// speaks for both.
func (s *subject) needs(other *subject) bool {
	return s.file() == other.file() && slices.ContainsFunc(other.note.Defines, func(defined string) bool {
		return slices.ContainsFunc(s.note.Uses, func(used string) bool { return lastPart(used) == lastPart(defined) })
	})
}

// unused reports that un-doing other takes every use of what s defines away
// with it, one at least: what is left of s does nothing then, so that the red
// is that of both.
func (p *proof) unused(s, other *subject) bool {
	if other.plan == nil || len(s.unit.OldText()) > 0 {
		return false
	}
	users := 0
	for _, v := range p.subjects {
		switch {
		case v == s || !v.needs(s):
		case v == other || slices.Contains(other.plan.Partners, v.unit):
			users++
		default:
			return false
		}
	}
	return users > 0
}

// explains returns a partner of s that is PROVEN by an un-doing without s and
// notices at least what s does, or nil.
func (p *proof) explains(s *subject) *subject {
	for _, other := range p.subjects {
		if !slices.Contains(s.plan.Partners, other.unit) || other.decision.Verdict != Proven {
			continue
		}
		if other.plan != nil && slices.Contains(other.plan.Partners, s.unit) || other.needs(s) || p.unused(s, other) {
			continue
		}
		more := slices.ContainsFunc(s.decision.Killers, func(id harness.TestID) bool {
			return !slices.Contains(other.decision.Killers, id)
		})
		if !more {
			return other
		}
	}
	return nil
}
