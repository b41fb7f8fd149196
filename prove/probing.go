package prove

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"assay/change"
	"assay/harness"
	"assay/probe"
)

// mostProbes is how many tests that arm a deadline are probed for a proof. Each
// costs a fresh process at head, and one more for each hunk it may notice.
const mostProbes = 12

// A probing is the probes of a lane at head, made once when a hunk first asks.
type probing struct {
	once   sync.Once
	probes []probe.Probe
	more   int // tests that arm a deadline and were left out
	err    error
}

// probed asks whether a probe notices a support hunk that no test does: a test
// whose deadline nothing is late for at head, twice late with the hunk un-done.
// Nothing is asked under further sets of variables, in a language without probes, in a tree without a word of
// deadlines, and of a hunk that cannot be un-done.
func (p *proof) probed(ctx context.Context, s *subject) (Decision, error) {
	for _, l := range p.plainLanes() {
		why, _ := s.broken()
		if l.Prober == nil || l.trouble != "" || why != "" || !l.serves(s.file()) {
			continue
		}
		d, err := p.probedWith(ctx, s, l)
		if err != nil || d.Verdict == Proven || d.Reason == HalfUndone {
			return d, err
		}
	}
	return Decision{}, nil
}

func (p *proof) probedWith(ctx context.Context, s *subject, l *lane) (Decision, error) {
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return Decision{}, err
	}
	defer tree.Release()
	l.probing.once.Do(func() { l.probing.err = p.probeHead(ctx, l, tree) })
	if l.probing.err != nil {
		return Decision{}, l.probing.err
	}
	for _, one := range l.probing.probes {
		if one.Verdict != probe.Held {
			continue
		}
		first, err := p.lateness(ctx, s, l, tree, one.Test, s.undo(), "probe")
		if err != nil {
			return Decision{}, err
		}
		if first == "" {
			continue
		}
		again, err := p.lateness(ctx, s, l, tree, one.Test, s.undo(), "probe")
		if err != nil {
			return Decision{}, err
		}
		if again != "" {
			return p.concludeLate(ctx, s, l, tree, one.Test, first)
		}
	}
	return Decision{}, nil
}

// concludeLate is the decision on a hunk whose un-doing makes a test late. It
// holds to PROVEN 5 as any red does: what the hunk is coupled with, or the
// whole change when no test notices it, un-done together must be late as well.
func (p *proof) concludeLate(ctx context.Context, s *subject, l *lane, tree Tree, test harness.TestID, what string) (Decision, error) {
	var groups [][]*subject
	if len(s.coupled) > 0 {
		groups = append(groups, append([]*subject{s}, s.coupled...))
	}
	if p.whole != nil && p.whole.Result == "green" {
		groups = append(groups, p.revertible())
	}
	for _, g := range groups {
		late, err := p.lateness(ctx, s, l, tree, test, together(g), "component")
		if err != nil {
			return Decision{}, err
		}
		if late == "" {
			return settle(HalfUndone, "alone its loss makes "+string(test)+" late; with what belongs to it, it could vanish unnoticed"), nil
		}
	}
	return Decision{Verdict: Proven, Reason: LateImport, Killers: []harness.TestID{test},
		Detail: "without it, under a deadline: " + what}, nil
}

// revertible are the subjects that the control of the whole un-does.
func (p *proof) revertible() []*subject {
	return slices.DeleteFunc(slices.Clone(p.subjects), func(s *subject) bool { return !s.revertible() })
}

// probeHead discovers and probes at head.
func (p *proof) probeHead(ctx context.Context, l *lane, tree Tree) error {
	worth, err := l.Prober.Suspects(tree.Dir())
	if err != nil || !worth {
		return err
	}
	p.event(Event{Stage: "probe", What: "tests that arm a deadline"})
	place := p.place(l, tree)
	r, err := probe.Run(ctx, probe.Config{Most: mostProbes, Language: l.Name}, l.Prober, place)
	l.probing.probes, l.probing.more = r.Probes, len(r.Unprobed)
	if restored := tree.Restore(); err == nil && restored != nil {
		err = fmt.Errorf("bringing head back after probing: %w", restored)
	}
	return err
}

func (p *proof) place(l *lane, tree Tree) probe.Place {
	return probe.Place{Dir: tree.Dir(), Scratch: tree.Scratch(), Session: l.session, Env: p.cfg.Env, Flags: l.Flags}
}

// lateness probes one test with edits on disk, its deadlines stretched, and says
// what is late: "" when nothing is, or when it could not be said.
func (p *proof) lateness(ctx context.Context, s *subject, l *lane, tree Tree, test harness.TestID, edits []change.Edit, purpose string) (string, error) {
	if err := tree.Apply(edits); err != nil {
		return "", ctx.Err() // a tree that does not take the edits shows nothing; the trials say so
	}
	f, err := l.Prober.Probe(ctx, p.place(l, tree), test, probe.Conditions{Stretch: true})
	if restored := tree.Restore(); err == nil && restored != nil {
		err = fmt.Errorf("bringing head back after a probe: %w", restored)
	}
	if err != nil {
		return "", err
	}
	sel := harness.Selection{Basis: harness.All, Tests: []harness.TestID{test}}
	o := harness.Outcome{Phase: harness.PhaseRun, Complete: f.Trouble == "", Trouble: f.Trouble, Exit: f.Code,
		Tests: []harness.Result{{ID: test, Status: f.Status, Red: &harness.Red{Message: f.Message}}}}
	s.trials = p.addRun(s.trials, trialOf{s.id(), purpose, l.Name, l.under.Name, edits, sel}, o)
	run := &s.trials[len(s.trials)-1].Runs
	verdict, _, detail := probe.Decide(f, probe.Conditions{})
	if verdict != probe.Late || f.Status != harness.Passed {
		return "", nil // what a test that fails imports on its way says nothing of the hunk
	}
	for _, late := range f.Late {
		(*run)[len(*run)-1].Late = append((*run)[len(*run)-1].Late, late.Module)
	}
	return detail, nil
}

// noteProbes tells of tests that arm a deadline and were not probed.
func (p *proof) noteProbes() {
	for _, l := range p.lanes {
		if l.probing.more > 0 {
			p.notes = append(p.notes, fmt.Sprintf("%s: %d tests that arm a deadline were not probed; assay probe looks at all", l.Name, l.probing.more))
		}
	}
}
