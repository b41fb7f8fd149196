package prove

import (
	"context"
	"fmt"
	"slices"

	"assay/change"
	"assay/harness"
)

// leastRepeats is how often an added test is run at head when nothing is said.
const leastRepeats = 3

func (c Config) repeat() int {
	if c.Repeat > 0 {
		return c.Repeat
	}
	return leastRepeats
}

// addedTests are the tests of declarations that stand in added lines alone.
func (p *proof) addedTests(l *lane) []harness.TestID {
	namer, ok := l.session.(harness.Namer)
	if !ok {
		return nil
	}
	var added, edited []harness.TestID
	for _, s := range p.subjects {
		switch {
		case s.file().Kind != change.Test || s.note.Nothing != "" || s.absent():
		case s.unit.Old.Lines == 0 && !slices.Contains(s.note.Defines, s.note.Declaration) && s.note.Declaration != "":
			edited = append(edited, namedBy(namer, s, []string{s.note.Declaration})...)
		case s.unit.Old.Lines == 0:
			added = append(added, namedBy(namer, s, s.note.Defines)...)
		default:
			edited = append(edited, namedBy(namer, s, append([]string{s.note.Declaration}, s.note.Defines...))...)
		}
	}
	return slices.DeleteFunc(added, func(id harness.TestID) bool { return slices.Contains(edited, id) })
}

// repeatAdded runs the added tests at head by themselves, several times: one
// that is red once is flaky, and says nothing of the change.
func (p *proof) repeatAdded(ctx context.Context) error {
	for _, l := range p.lanes {
		added := slices.DeleteFunc(p.addedTests(l), func(id harness.TestID) bool { return !l.green[id] })
		if len(added) == 0 || l.under.Name != "" {
			continue
		}
		if err := p.repeatOn(ctx, l, added); err != nil {
			return fmt.Errorf("repeating the added %s tests: %w", l.Name, err)
		}
		for i, t := range p.claim.Tests {
			if slices.Contains(added, t.ID) {
				p.claim.Tests[i].Repeats = p.cfg.repeat()
			}
		}
	}
	return nil
}

func (p *proof) repeatOn(ctx context.Context, l *lane, added []harness.TestID) error {
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	p.event(Event{Stage: "repeat", What: count(len(added), "added test") + " at head"})
	widest := l.session.Widest("")
	var tests []harness.TestID
	for _, id := range added {
		if top := selectable(widest, id); !slices.Contains(tests, top) {
			tests = append(tests, top)
		}
	}
	sel := harness.Selection{Basis: harness.All, Tests: tests}
	for range p.cfg.repeat() {
		o, err := p.run(ctx, onDisk, l, tree, nil, sel)
		if err != nil {
			return err
		}
		l.distrust(l.family(sel.Tests), o)
	}
	return nil
}

// claimByHunks asks the hunks where the whole change un-done could not say
// anything of a test because it is no program: a hunk that the ladder could
// un-do, and that the test misses, is the change that it fails without.
func (p *proof) claimByHunks() {
	for i, t := range p.claim.Tests {
		if t.Verdict != ClaimCannotTell || !unstable(Reason(t.Reason)) {
			continue
		}
		for _, s := range p.subjects {
			d := s.decision
			if d.Verdict != Proven || d.Red == nil || !slices.ContainsFunc(d.Killers, func(k harness.TestID) bool { return within(k, map[harness.TestID]bool{t.ID: true}) }) {
				continue
			}
			t.Verdict, t.Reason = FailsWithout, "without "+s.name()+"; the whole change cannot be un-done"
			t.RedKind, t.Message = string(d.Red.Kind), d.Red.Message
			p.claim.Tests[i] = t
			break
		}
	}
}

// claimWantsHunks reports whether the claim cannot be told from the whole
// change un-done, but may be from its hunks.
func (p *proof) claimWantsHunks() bool {
	return slices.ContainsFunc(p.claim.Tests, func(t ClaimTest) bool { return t.Verdict == ClaimCannotTell && unstable(Reason(t.Reason)) })
}
