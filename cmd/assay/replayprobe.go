package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/harness"
	"assay/probe"
	"assay/prove"
)

// replayProbe makes the probe of a trial again, with the trial's edit on disk.
// What it saw is the output of the outcome.
func (p *project) replayProbe(ctx context.Context, l prove.Language, session harness.Session, tree prove.Tree, t prove.TrialReport) (harness.Outcome, error) {
	o := harness.Outcome{Phase: harness.PhaseRun, Complete: true, Argv: []string{"assay", "probe"}}
	if l.Prober == nil {
		return o, mistakef("trial %s is a probe, and %s tests are not probed", t.ID, l.Name)
	}
	if err := tree.Apply(t.Edits); err != nil {
		return o, fmt.Errorf("applying the edit of trial %s: %w", t.ID, err)
	}
	place := probe.Place{Dir: tree.Dir(), Scratch: tree.Scratch(), Session: session, Env: p.env, Flags: l.Flags}
	for _, test := range t.Tests {
		f, err := l.Prober.Probe(ctx, place, test, probe.Conditions{Stretch: true})
		if err != nil {
			return o, errors.Join(err, tree.Restore())
		}
		v, reason, _ := probe.Decide(f, probe.Conditions{})
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %s, %s\n", test, v, reason)
		for _, late := range f.Late {
			fmt.Fprintf(&b, "late: %s at %s\n", late.Module, late.At)
		}
		o.Output += b.String()
		o.Argv = append(o.Argv, string(test))
		o.Tests = append(o.Tests, harness.Result{ID: test, Status: f.Status, Red: &harness.Red{Message: f.Message}})
	}
	return o, tree.Restore()
}
