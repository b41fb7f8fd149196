package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/change"
	"assay/harness"
)

// errClosed is returned by what is called on a session after Close.
var errClosed = errors.New("the session of the test command is closed")

// A session is what the baseline taught about one command. Its fields are
// written by Baseline alone and only read afterwards.
type session struct {
	config Config
	argv   []string
	opts   harness.Options

	closed chan struct{} // closed by the first Close
	close  func()

	structured bool                    // the command writes reports that can be read
	green      []harness.TestID        // sorted
	excluded   map[harness.TestID]bool // red, flaky or skipped at head
	unfit      []harness.TestID        // red or flaky at head, sorted
	copies     map[harness.TestID]int  // how many testcases share the ID at head
	clean      bool                    // the command exits 0 at head
	known      map[string]bool         // lines printed at head: no edit is their cause
	limit      time.Duration
}

func newSession(config Config, argv []string, opts harness.Options) *session {
	closed := make(chan struct{})
	return &session{config: config, argv: argv, opts: opts, closed: closed, close: sync.OnceFunc(func() { close(closed) })}
}

// Close ends the runs still going.
func (s *session) Close() error {
	s.close()
	return nil
}

// endWith cancels a run when the session closes before the run's ctx ends.
func (s *session) endWith(ctx context.Context, cancel context.CancelCauseFunc) {
	select {
	case <-s.closed:
		cancel(errClosed)
	case <-ctx.Done():
	}
}

// Cover is every green test, whatever the path: a command runs whole.
func (s *session) Cover(string, change.Span) harness.Selection { return s.everything() }

// Widest is the same as Cover.
func (s *session) Widest(string) harness.Selection { return s.everything() }

// everything is baselined whenever there is any of it: each run of the
// baseline ran exactly this.
func (s *session) everything() harness.Selection {
	return harness.Selection{Basis: harness.All, Tests: slices.Clone(s.green), Baselined: len(s.green) > 0, Excluded: slices.Clone(s.unfit)}
}

// Baseline runs the command twice. A first run that leaves no readable report
// makes the command its own single test, with a note when reports were asked
// for.
func (s *session) Baseline(ctx context.Context, dir string, _ []harness.Target) (harness.Baseline, error) {
	base := harness.Baseline{Toolchain: "command " + s.config.Name(), Phase: harness.PhaseRun}
	var runs [2]attempt
	for i := range runs {
		a, err := s.attemptAtHead(ctx, dir)
		if err != nil {
			return harness.Baseline{}, err
		}
		runs[i] = a
		base.Seconds = max(base.Seconds, a.end.Duration.Seconds())
		if i == 0 {
			s.structured = len(a.cases) > 0
			base.Notes = s.notes(a)
		}
		if phase, trouble := s.headTrouble(a); trouble != "" {
			base.Phase, base.Trouble, base.Output = phase, fmt.Sprintf("run %d of 2 at head: %s", i+1, trouble), a.end.Tail
			return base, nil
		}
	}
	s.learn(&base, runs)
	base.Limit = s.limit
	return base, nil
}

// attemptAtHead is one run of the baseline, with a scratch of its own.
func (s *session) attemptAtHead(ctx context.Context, dir string) (attempt, error) {
	scratch, err := os.MkdirTemp(s.opts.Scratch, "command-")
	if err != nil {
		return attempt{}, fmt.Errorf("making a scratch directory for the test command: %w", err)
	}
	a, err := s.attempt(ctx, dir, scratch, cmp.Or(s.config.Timeout, s.opts.MaxRun))
	return a, errors.Join(err, removeScratch(scratch))
}

// headTrouble says why a run at head cannot serve as a baseline.
func (s *session) headTrouble(a attempt) (harness.Phase, string) {
	switch v := a.fault(nil); {
	case v.trouble != "":
		return v.phase, v.trouble
	case s.structured && len(a.cases) == 0:
		return harness.PhaseRun, "the command wrote no report this time: " + a.ended()
	}
	return "", ""
}

func (s *session) notes(a attempt) []string {
	var notes []string
	if len(s.opts.Flags) > 0 {
		notes = append(notes, fmt.Sprintf("the flags %s are not given to the test command; write them into it", strings.Join(s.opts.Flags, " ")))
	}
	if len(s.config.JUnit) > 0 && !s.structured {
		notes = append(notes, fmt.Sprintf("the test command wrote no JUnit report matching %s: its exit code is all there is to judge by",
			strings.Join(s.config.JUnit, ", ")))
	}
	if len(a.removed) > 0 {
		notes = append(notes, fmt.Sprintf("report files that were in the tree before the first run were removed from it (%s); if they are fixtures, narrow the junit globs",
			strings.Join(a.removed, ", ")))
	}
	if s.structured && a.end.Code != 0 && !slices.ContainsFunc(a.cases, isRed) {
		notes = append(notes, fmt.Sprintf("at head the test command exits %d though no test of its report fails", a.end.Code))
	}
	return notes
}

// learn sorts the tests by how they ended in both runs.
func (s *session) learn(base *harness.Baseline, runs [2]attempt) {
	s.excluded, s.copies, s.known = map[harness.TestID]bool{}, map[harness.TestID]int{}, map[string]bool{}
	s.clean = runs[0].end.Code == 0 && runs[1].end.Code == 0
	first, second := s.byID(runs[0]), s.byID(runs[1])
	for _, id := range union(first, second) {
		a, b := first[id], second[id]
		s.copies[id] = a.copies
		switch {
		case a.Status != b.Status || a.copies != b.copies:
			base.Flaky = append(base.Flaky, id)
			s.unfit = append(s.unfit, id)
		case a.Status == harness.Failed:
			base.Red = append(base.Red, a.Result)
			s.unfit = append(s.unfit, id)
		case a.Status == harness.Skipped:
			base.Skipped = append(base.Skipped, id)
		default:
			base.Green = append(base.Green, id)
			continue
		}
		s.excluded[id] = true
	}
	s.green = base.Green
	for _, a := range runs {
		for line := range strings.Lines(plain(a.end.Tail)) {
			s.known[strings.TrimSpace(line)] = true
		}
	}
	s.limit = cmp.Or(s.config.Timeout, max(10*max(runs[0].end.Duration, runs[1].end.Duration), s.opts.Hang))
}

func (s *session) byID(a attempt) map[harness.TestID]testcase {
	cases := a.cases
	if !s.structured {
		cases = []testcase{{Result: s.pretend(a), copies: 1}}
	}
	byID := make(map[harness.TestID]testcase, len(cases))
	for _, c := range cases {
		byID[c.ID] = c
	}
	return byID
}

func union(a, b map[harness.TestID]testcase) []harness.TestID {
	var ids []harness.TestID
	for id := range a {
		ids = append(ids, id)
	}
	for id := range b {
		if _, both := a[id]; !both {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func isRed(c testcase) bool { return c.Status == harness.Failed }
