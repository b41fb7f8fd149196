package pytest

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/harness"
)

// A session is one project at head. Its fields but warmth are set by Open and
// Baseline and only read afterwards.
type session struct {
	python  string
	options harness.Options
	plugin  plugin

	tests    []*known // in the order of collection
	byID     map[harness.TestID]*known
	reach    *reach        // nil when no hits can be trusted
	startup  time.Duration // what a process took in the baseline beside its tests
	targets  map[string]bool
	absent   map[string]bool // targets that head does not have
	broken   []string        // what does not collect at head
	narrowed *narrowing
	warmth   warmth
}

// A known is a test of the baseline.
type known struct {
	id      harness.TestID
	number  int // in the order of collection
	file    string
	written place
	seconds float64
	state   state
}

// A state is what a test is at head.
type state int

// The states. Only green tests are ever selected.
const (
	green state = iota
	red
	flaky
	skipped
)

// leastHang is the least limit of one test when the options name none
// (VERDICTS.md, PROVEN 4).
const leastHang = 10 * time.Second

// hangFactor is how many times its baseline a selection may take, as
// VERDICTS.md has it.
const hangFactor = 10

// Start-up may take longer than in the baseline on a busier machine: by
// startGrace always, by startSlack at most.
const (
	startGrace = 2 * time.Second
	startSlack = 30 * time.Second
)

// Run runs the selected tests in job.Dir in a fresh process, or in a fork of one
// that has loaded nothing of the project (see bare.go). First only the
// files that hold them are collected; when that does not find every selected
// test, and nothing failed to collect, everything is collected once.
func (s *session) Run(ctx context.Context, job harness.Job) (harness.Outcome, error) {
	limit := s.allowance() + s.limit(job)
	req := request{Select: job.Selection.Tests, Files: s.files(job.Selection.Tests), Broken: s.broken, FirstRed: job.FirstRed, First: job.First, Terse: terse(job)}
	req.Strict = req.Files != nil
	req.patience = s.patience(job)
	if req.Select == nil {
		req.Select = []harness.TestID{} // nil would mean everything
	}
	ran, err := s.fresh(ctx, job, req, limit)
	if err != nil {
		return harness.Outcome{}, err
	}
	if req.Strict && ran.log.Missing > 0 && len(ran.newlyBroken(s.broken)) == 0 && !ran.end.TimedOut {
		req.Files, req.Strict = nil, false
		s.narrowed.restrict(&req)
		if ran, err = s.fresh(ctx, job, req, limit); err != nil {
			return harness.Outcome{}, err
		}
	}
	ran.log.Broken = ran.newlyBroken(s.broken)
	o := outcome(ran, job.Selection.Tests)
	o.Argv = s.command(job.Selection.Tests)
	return o, nil
}

// limit is how long the tests of a job may take.
func (s *session) limit(job harness.Job) time.Duration {
	if job.Limit > 0 {
		return job.Limit
	}
	var took float64
	for _, id := range job.Selection.Tests {
		if t := s.byID[id]; t != nil {
			took += t.seconds
		}
	}
	return max(s.leastLimit(job), time.Duration(hangFactor*took*float64(time.Second)))
}

func (s *session) leastLimit(job harness.Job) time.Duration {
	if job.Brief {
		return harness.BriefLimit
	}
	return s.options.Hang
}

// terse reports whether nobody reads what a run prints: where only whether
// anything notices is asked, the red of each test says enough.
func terse(job harness.Job) bool { return job.FirstRed || job.Brief }

// patience says how long each test of a job may take by itself.
func (s *session) patience(job harness.Job) (p patience) {
	if job.Limit > 0 {
		return p
	}
	p.clock = s.testLimit(cmp.Or(s.leastLimit(job), leastHang))
	if job.Spin {
		p.processor = s.testLimit(harness.SpinLimit)
	}
	return p
}

// testLimit allows each test ten times what it took, and no less than least.
func (s *session) testLimit(least time.Duration) func(harness.TestID) time.Duration {
	return func(id harness.TestID) time.Duration {
		var took float64
		if t := s.byID[id]; t != nil {
			took = t.seconds
		}
		return max(least, time.Duration(hangFactor*took*float64(time.Second)))
	}
}

// allowance is how long a process may take beside its tests.
func (s *session) allowance() time.Duration {
	return s.startup + min((hangFactor-1)*s.startup, startSlack) + startGrace
}

// files returns the files that hold the tests, in the order of collection; nil
// when one is not known, which makes pytest collect everything.
func (s *session) files(ids []harness.TestID) []string {
	wanted := map[string]bool{}
	for _, id := range ids {
		t := s.byID[id]
		if t == nil || t.file == "" {
			return nil
		}
		wanted[t.file] = true
	}
	var files []string
	for _, t := range s.tests {
		if wanted[t.file] {
			wanted[t.file] = false
			files = append(files, filepath.FromSlash(t.file))
		}
	}
	return files
}

// manyTests is how many node ids a command line for people may name.
const manyTests = 20

// command is how a person runs the same tests: the files when they are many.
func (s *session) command(ids []harness.TestID) []string {
	argv := []string{s.python, "-m", "pytest"}
	if len(ids) > manyTests {
		return append(argv, s.files(ids)...)
	}
	for _, id := range ids {
		argv = append(argv, string(id))
	}
	return argv
}

// Named returns the tests of a function, method or class of a test file:
// "test_trim", "TestLexer.test_trim", "TestLexer"; also those that a class
// inherits from it.
func (s *session) Named(path, declaration string) []harness.TestID {
	var ids []harness.TestID
	for _, t := range s.tests {
		if t.place().within(path, declaration) || t.written.within(path, declaration) {
			ids = append(ids, t.id)
		}
	}
	return ids
}

// InFile returns the tests whose ids say that they are written in the file,
// and those inherited from it.
func (s *session) InFile(path string) []harness.TestID {
	var ids []harness.TestID
	for _, t := range s.tests {
		if t.file == path || t.written.File == path {
			ids = append(ids, t.id)
		}
	}
	return ids
}

// place is where the id of a test says that it stands.
func (t *known) place() place {
	rest, ok := strings.CutPrefix(string(t.id), t.file+"::")
	if !ok {
		return place{}
	}
	name, _, _ := strings.Cut(rest, "[")
	return place{t.file, strings.ReplaceAll(name, "::", ".")}
}

// within reports whether a place is that of a declaration or inside it.
func (p place) within(path, declaration string) bool {
	return p.File == path && (p.Name == declaration || strings.HasPrefix(p.Name, declaration+"."))
}

// ids returns the tests in the given states, in the order of collection.
func (s *session) ids(want ...state) []harness.TestID {
	var ids []harness.TestID
	for _, t := range s.tests {
		if slices.Contains(want, t.state) {
			ids = append(ids, t.id)
		}
	}
	return ids
}
