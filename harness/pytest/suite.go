package pytest

import (
	"context"
	"fmt"

	"assay/harness"
)

// manyCrashes is how many tests may end the process at head, one by one,
// before the suite is given up.
const manyCrashes = 8

// A suite is one run of everything, made in as many processes as tests ended
// one.
type suite struct {
	last    running
	crashed []harness.Result // the tests that ended a process
	seconds float64
	watch   []string
	peak    int64 // most resident memory of its processes, in bytes
}

// whole runs everything but the tests that are known to end the process, again
// without each test that turns out to.
func (s *session) whole(ctx context.Context, dir string, req request, crashed []harness.Result) (*suite, error) {
	s.narrowed.restrict(&req)
	all := &suite{crashed: append([]harness.Result(nil), crashed...), watch: req.Watch}
	for range manyCrashes + 1 {
		req.Exclude = []harness.TestID{}
		for _, r := range all.crashed {
			req.Exclude = append(req.Exclude, r.ID)
		}
		ran, err := s.launch(ctx, dir, s.options.Scratch, req, s.options.MaxRun)
		if err != nil {
			return nil, err
		}
		all.peak = max(all.peak, ran.end.Peak)
		all.last, all.seconds = ran, ran.end.Duration.Seconds()
		if ran.log.running == nil || ran.log.complete() {
			break
		}
		id := ran.log.running.ID
		all.crashed = append(all.crashed, ran.log.resultOf(id, ran.end))
	}
	return all, nil
}

// trouble says why nothing could be run, or "".
func (all *suite) trouble() (string, harness.Phase) {
	log := all.last.log
	switch {
	case !log.Collected:
		trouble, _ := all.last.collectTrouble()
		return trouble, harness.PhaseCollect
	case len(log.Tests) == 0 && len(all.crashed) == 0 && len(log.Broken) > 0:
		trouble, _ := all.last.collectTrouble()
		return trouble, harness.PhaseCollect
	case len(log.Tests) == 0 && len(all.crashed) == 0:
		return "pytest collected no tests", harness.PhaseRun
	case len(all.crashed) > manyCrashes:
		return fmt.Sprintf("%d tests end the process at head, the last being %s", len(all.crashed), all.crashed[manyCrashes].ID), harness.PhaseRun
	case !log.complete():
		return all.last.runTrouble(), harness.PhaseRun
	}
	return "", harness.PhaseRun
}

// statuses is how each test of a suite ended.
func (all *suite) statuses() map[harness.TestID]harness.Status {
	found := map[harness.TestID]harness.Status{}
	for _, t := range all.last.log.Tests {
		found[t.ID] = t.result().Status
	}
	for _, r := range all.crashed {
		found[r.ID] = r.Status
	}
	return found
}

// differences are the tests that ended differently in two suites. A test that
// only one of them has (its id holds the time, say) is none: nothing changed
// how it ends.
func differences(a, b *suite) map[harness.TestID]bool {
	x, y, differ := a.statuses(), b.statuses(), map[harness.TestID]bool{}
	for id, status := range x {
		if other, both := y[id]; both && other != status {
			differ[id] = true
		}
	}
	return differ
}
