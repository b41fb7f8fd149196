package pyprobe

import (
	"context"
	"slices"

	"assay/harness"
	"assay/probe"
)

// Discover runs the tests once with the plugin recording and nothing planted.
func (prober) Discover(ctx context.Context, p probe.Place, named []string) (probe.Discovery, error) {
	r, err := run(ctx, p, orderOf(probe.Conditions{}), harness.Guest{Collect: named})
	if err != nil {
		return probe.Discovery{}, err
	}
	var d probe.Discovery
	if len(r.outcome.Tests) == 0 {
		d.Trouble, d.Output = r.outcome.Trouble, r.outcome.Output
		if d.Trouble == "" {
			d.Trouble = "pytest collected no test"
		}
		return d, nil
	}
	if !r.outcome.Complete {
		d.Trouble, d.Output = "not every test has a result, so some that arm a deadline may be missing: "+r.outcome.Trouble, r.outcome.Output
	}
	for _, t := range r.outcome.Tests {
		found := probe.Found{Test: t.ID, Group: r.log.groups[t.ID], Status: t.Status}
		if f := r.log.facts[t.ID]; f != nil {
			found.Facts = *f
		}
		d.Tests = append(d.Tests, found)
	}
	return d, nil
}

// Probe runs one test by itself in a fresh process.
func (prober) Probe(ctx context.Context, p probe.Place, test harness.TestID, c probe.Conditions) (probe.Facts, error) {
	r, err := run(ctx, p, orderOf(c), harness.Guest{Collect: []string{fileOf(test)}, Select: []harness.TestID{test}, Limit: c.Limit})
	if err != nil {
		return probe.Facts{}, err
	}
	return r.facts(test), nil
}

// facts puts what the plugin saw of a test and how it ended together.
func (r ran) facts(test harness.TestID) probe.Facts {
	f := *r.log.of(test)
	f.Code, f.Seconds, f.TimedOut = r.outcome.Exit, r.outcome.Duration.Seconds(), r.outcome.TimedOut
	if r.log.finished {
		f.Code = r.log.code
	}
	f.Status, f.Collected = harness.Unreported, r.outcome.Phase == harness.PhaseRun && slices.Contains(r.log.order, test)
	for _, t := range r.outcome.Tests {
		if t.ID != test {
			continue
		}
		f.Status = t.Status
		if t.Red != nil {
			f.Message = message(t.Red)
		}
		if t.Red != nil && (t.Red.Kind == harness.RedExit || t.Red.Kind == harness.RedHang) {
			f.Status, f.Trouble = harness.Unreported, t.Red.Message // it never came to its end
		}
	}
	if !r.outcome.Complete && f.Status != harness.Failed || r.outcome.TimedOut {
		f.Trouble = r.outcome.Trouble
		if f.Trouble == "" {
			f.Trouble = "the process ended without a result for the test"
		}
	}
	return f
}

// message is a red in one line: its type, unless the message says it.
func message(r *harness.Red) string {
	if r.Type == "" || r.Message == "" {
		return r.Type + r.Message
	}
	return r.Type + ": " + r.Message
}
