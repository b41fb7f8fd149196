package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/harness"
)

// messageSize is how much of a failure's text a Red keeps, in bytes.
const messageSize = 1 << 10

// Run runs the whole command and reports on the selected tests. With no test
// to report on, it runs nothing.
func (s *session) Run(ctx context.Context, job harness.Job) (harness.Outcome, error) {
	selected := slices.DeleteFunc(slices.Clone(job.Selection.Tests), func(id harness.TestID) bool { return s.excluded[id] })
	o := harness.Outcome{Phase: harness.PhaseRun, Complete: true, Argv: slices.Clone(s.argv), Env: fixedEnv()}
	if len(selected) == 0 {
		return o, nil
	}
	a, err := s.attempt(ctx, job.Dir, job.Scratch, cmp.Or(job.Limit, s.limit))
	if err != nil {
		return harness.Outcome{}, err
	}
	o.TimedOut, o.Signal, o.Exit = a.end.TimedOut, a.signal(), a.end.Code
	o.Duration, o.Output = a.end.Duration, a.end.Tail
	o.Strays = strays(newTree(job.Dir), s.opts.Origin, a.text())
	f := a.fault(s.known)
	o.Tests = s.results(a, f, selected)
	if f.trouble == "" {
		f = s.incomplete(a, o.Tests)
	}
	if f.trouble != "" {
		o.Phase, o.Trouble, o.Missing, o.Complete = f.phase, f.trouble, f.missing, false
	}
	return o, nil
}

// results gives each selected test its own ending, Unreported when the run
// said nothing of it or of all its copies.
func (s *session) results(a attempt, f fault, selected []harness.TestID) []harness.Result {
	byID := map[harness.TestID]testcase{}
	if s.structured || f.trouble == "" || a.end.TimedOut {
		byID = s.byID(a)
	}
	results := make([]harness.Result, 0, len(selected))
	for _, id := range selected {
		c, reported := byID[id]
		if !reported || c.Status != harness.Failed && c.copies < s.copies[id] {
			c.Result = harness.Result{ID: id, Status: harness.Unreported}
		}
		results = append(results, c.Result)
	}
	return results
}

// incomplete looks for what a finished run leaves unsaid: tests without a
// result, or a failure that is no test's.
func (s *session) incomplete(a attempt, results []harness.Result) fault {
	silent := 0
	for _, r := range results {
		if r.Status == harness.Unreported {
			silent++
		}
	}
	first := slices.IndexFunc(a.cases, isRed)
	switch {
	case silent > 0:
		return s.silence(a, silent, len(results), first)
	case s.structured && s.clean && a.end.Code != 0 && first < 0:
		return fault{harness.PhaseRun, fmt.Sprintf("the command exited %d though no test of its report failed", a.end.Code), ""}
	}
	return fault{}
}

// silence says why tests have no result. Runners report a file that does not
// load as one failed testcase in place of its tests.
func (s *session) silence(a attempt, silent, selected, firstRed int) fault {
	f := fault{harness.PhaseRun, fmt.Sprintf("%d of the %d selected tests have no result (%s)", silent, selected, a.ended()), ""}
	if silent == selected && len(a.cases) > 0 {
		f.phase = harness.PhaseCollect
	}
	if firstRed >= 0 {
		red := a.cases[firstRed]
		f.trouble += fmt.Sprintf("; %s failed: %s", red.ID, red.Red.Message)
		f.missing = red.Red.Symbol
	}
	if text := broken(a.end.Code, a.end.Tail, s.known); text.trouble != "" {
		f.trouble += "; " + text.trouble
		f.missing = cmp.Or(f.missing, text.missing)
	}
	return f
}

// pretend is the one test of a command without reports.
func (s *session) pretend(a attempt) harness.Result {
	r := harness.Result{ID: harness.TestID(s.config.Name()), Status: harness.Passed, Seconds: a.end.Duration.Seconds()}
	if a.end.TimedOut {
		r.Status = harness.Failed
		r.Red = &harness.Red{Kind: harness.RedHang, Phase: "call", Message: "the command " + strings.TrimPrefix(a.ended(), "it ")}
	} else if a.end.Code != 0 {
		r.Status = harness.Failed
		r.Red = &harness.Red{Kind: harness.RedCommand, Phase: "call", Type: fmt.Sprintf("exit %d", a.end.Code), Message: telling(plain(a.end.Tail), s.known)}
	}
	return r
}

// text is all the run said, to look for paths in.
func (a attempt) text() []string {
	all := []string{a.end.Tail}
	for _, c := range a.cases {
		all = append(all, c.text)
	}
	return all
}
