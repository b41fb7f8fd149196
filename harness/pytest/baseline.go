package pytest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/change"
	"assay/harness"
)

// Baseline runs everything that can reach the targets twice, the second time
// with probes on them. When the runs load what no text names, it starts again
// with everything there is.
func (s *session) Baseline(ctx context.Context, dir string, targets []harness.Target) (harness.Baseline, error) {
	var err error
	if s.narrowed, err = s.narrow(dir, targets); err != nil {
		return harness.Baseline{}, err
	}
	b, log, err := s.twice(ctx, dir, targets)
	if why := s.narrowed.refuted(log); err == nil && why != "" {
		s.narrowed = &narrowing{why: "all tests are collected: " + why}
		b, log, err = s.twice(ctx, dir, targets)
	}
	b.Notes = append(b.Notes, s.narrowed.note(log)...)
	return b, err
}

// twice runs what is to be collected twice, the second time with probes on the targets.
// While a test ends differently with probes than in every run without, up to
// two more runs without decide whether it is flaky or the probes are to blame.
func (s *session) twice(ctx context.Context, dir string, targets []harness.Target) (harness.Baseline, *runLog, error) {
	s.broken, s.reach = nil, nil
	plain, err := s.whole(ctx, dir, request{}, nil)
	if err != nil {
		return harness.Baseline{}, &runLog{}, err
	}
	if trouble, phase := plain.trouble(); trouble != "" {
		return s.troubled(plain, trouble, phase), plain.last.log, nil
	}
	probed, err := s.whole(ctx, dir, s.watching(dir, targets), plain.crashed)
	if err != nil {
		return harness.Baseline{}, &runLog{}, err
	}
	runs := []*suite{plain}
	suspects := differences(plain, probed)
	done := probed.last.log.complete() // else it counts as no run at all
	for len(runs) < 3 && (len(suspects) > 0 || !done && len(runs) < 2) {
		again, err := s.whole(ctx, dir, request{}, plain.crashed)
		if err != nil {
			return harness.Baseline{}, &runLog{}, err
		}
		runs = append(runs, again)
		for id := range differences(plain, again) {
			delete(suspects, id)
		}
	}
	if len(suspects) > 0 || !done {
		return s.settle(runs, nil), plain.last.log, nil
	}
	return s.settle(append(runs, probed), probed), plain.last.log, nil
}

// watching is the request of the probed run.
func (s *session) watching(dir string, targets []harness.Target) request {
	var req request
	s.targets, s.absent = map[string]bool{}, map[string]bool{}
	for _, t := range targets {
		s.targets[t.Path] = true
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(t.Path))); err != nil || info.IsDir() {
			s.absent[t.Path] = true
			continue
		}
		req.Watch = append(req.Watch, t.Path)
		if isPython(t.Path) && t.Kind != change.Test {
			req.Probes = append(req.Probes, t.Path)
		}
	}
	return req
}

func isPython(path string) bool { return strings.HasSuffix(path, ".py") }

func (s *session) troubled(all *suite, trouble string, phase harness.Phase) harness.Baseline {
	return harness.Baseline{Toolchain: toolchain(all.last.log), Trouble: trouble, Phase: phase,
		Output: all.last.end.Tail, Seconds: all.seconds, Notes: notes(all.last.log, s.options), Red: all.crashed,
		Limit: s.options.Hang}
}

// settle decides what each test is at head, from the runs that count, and keeps
// the hits of the probed run; probed is nil when they cannot be trusted.
func (s *session) settle(runs []*suite, probed *suite) harness.Baseline {
	first := runs[0].last.log
	b := harness.Baseline{Toolchain: toolchain(first), Phase: harness.PhaseRun, Notes: notes(first, s.options)}
	s.know(runs)
	for _, b := range first.Broken {
		s.broken = append(s.broken, b.ID)
	}
	for _, all := range runs {
		b.Seconds, b.Peak = max(b.Seconds, all.seconds), max(b.Peak, all.peak)
	}
	b.Green, b.Flaky, b.Skipped = s.ids(green), s.ids(flaky), s.ids(skipped)
	b.Red, b.Uncollected = s.redAtHead(runs[len(runs)-1]), s.uncollected()
	s.startup = startup(runs[0])
	b.Limit = s.limit(harness.Job{Selection: harness.Selection{Tests: b.Green}})
	if probed == nil {
		b.Notes = append(b.Notes, "watching which tests reach the change alters how tests end, so every test is taken to cover it")
		return b
	}
	s.reach = newReach(s, probed)
	return b
}

// startup is what a process took beside its tests.
func startup(all *suite) time.Duration {
	took := all.last.end.Duration
	for _, t := range all.last.log.Tests {
		took -= time.Duration(t.Seconds * float64(time.Second))
	}
	return max(took, 0)
}

// know sets the tests of the session from the runs that count.
func (s *session) know(runs []*suite) {
	s.tests, s.byID = nil, map[harness.TestID]*known{}
	var found []map[harness.TestID]harness.Status
	for _, all := range runs {
		found = append(found, all.statuses())
		for _, t := range all.last.log.Tests {
			s.learn(t.ID, t.File, t.Seconds)
			s.byID[t.ID].written = t.Written
		}
		for _, r := range all.crashed {
			file, _, _ := strings.Cut(string(r.ID), "::")
			s.learn(r.ID, file, r.Seconds)
		}
	}
	for _, t := range s.tests {
		t.state = stateOf(t.id, found)
	}
}

// learn adds a test, or the longer time that it took.
func (s *session) learn(id harness.TestID, file string, seconds float64) {
	t := s.byID[id]
	if t == nil {
		t = &known{id: id, number: len(s.tests), file: file}
		s.byID[id] = t
		s.tests = append(s.tests, t)
	}
	t.seconds = max(t.seconds, seconds)
}

func stateOf(id harness.TestID, runs []map[harness.TestID]harness.Status) state {
	status := runs[0][id]
	for _, other := range runs[1:] {
		if other[id] != status {
			return flaky
		}
	}
	switch status {
	case harness.Passed:
		return green
	case harness.Skipped:
		return skipped
	case harness.Failed:
		return red
	}
	return flaky // it was not even reported the same way
}

// redAtHead are the tests that are red, why, and the files that do not collect.
func (s *session) redAtHead(all *suite) []harness.Result {
	var reds []harness.Result
	for _, b := range all.last.log.Broken {
		red := b.Red
		reds = append(reds, harness.Result{ID: harness.TestID(b.ID), Status: harness.Failed, Red: &red})
	}
	crashed := map[harness.TestID]harness.Result{}
	for _, r := range all.crashed {
		crashed[r.ID] = r
	}
	for _, id := range s.ids(red) {
		if r, ok := crashed[id]; ok {
			reds = append(reds, r)
			continue
		}
		reds = append(reds, all.last.log.resultOf(id, all.last.end))
	}
	return reds
}

func toolchain(l *runLog) string {
	if l.Python == "" {
		return "python"
	}
	return fmt.Sprintf("python %s, pytest %s", l.Python, l.Pytest)
}

// notes are what a user should know of how the suite was run.
func notes(l *runLog, o harness.Options) []string {
	var out []string
	if len(l.Dropped) > 0 {
		out = append(out, "switched off for these runs: "+strings.Join(l.Dropped, ", "))
	}
	if text := harness.Getenv(o.Env, "PYTEST_ADDOPTS"); text != "" {
		out = append(out, fmt.Sprintf("PYTEST_ADDOPTS=%q was dropped", text))
	}
	for _, b := range l.Broken {
		out = append(out, fmt.Sprintf("%s does not collect at head: %s", b.ID, b.Red.Message))
	}
	for _, stray := range l.Strays {
		out = append(out, fmt.Sprintf("tests import %s, which is not the copy under proof", stray))
	}
	return out
}
