package gotest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/harness"
)

// Run builds the test binaries of the selection, unless those of the same
// edits are kept, and runs them one after another. When one does not build,
// nothing is run.
func (s *session) Run(ctx context.Context, job harness.Job) (harness.Outcome, error) {
	parts, strangers := s.split(job.Selection.Tests)
	have, err := s.binariesFor(ctx, job.Dir, job.Edits, job.Scratch, suitesOf(parts))
	if err != nil {
		return harness.Outcome{}, err
	}
	o := harness.Outcome{Phase: harness.PhaseRun, Complete: true}
	for _, p := range parts {
		if why, failed := have.failed[p.suite]; failed {
			o = why.outcome()
			s.describe(&o, parts)
			return o, nil
		}
	}
	for _, id := range strangers {
		o.Complete = false
		o.Tests = append(o.Tests, harness.Result{ID: id, Status: harness.Unreported})
	}
	for _, p := range parts {
		if err := s.runPart(ctx, job, p, have.binaries[p.suite], &o); err != nil {
			return harness.Outcome{}, err
		}
	}
	s.describe(&o, parts)
	return o, nil
}

// A portion is what a selection takes of one suite.
type portion struct {
	suite *suite
	tests []string // selected, without import path
	whole bool     // all that is green at the top level is selected
}

// split divides a selection by suite, in its order. strangers belong to none.
func (s *session) split(ids []harness.TestID) (parts []portion, strangers []harness.TestID) {
	for _, id := range ids {
		at := s.graph.suite(id)
		if at == nil || at.broken != "" {
			strangers = append(strangers, id)
			continue
		}
		i := slices.IndexFunc(parts, func(p portion) bool { return p.suite == at })
		if i < 0 {
			parts = append(parts, portion{suite: at})
			i = len(parts) - 1
		}
		parts[i].tests = append(parts[i].tests, strings.TrimPrefix(string(id), at.importPath+"."))
	}
	for i, p := range parts {
		parts[i].whole = !slices.ContainsFunc(p.suite.head.tops(), func(top string) bool { return !slices.Contains(p.tests, top) })
	}
	return parts, strangers
}

func suitesOf(parts []portion) []*suite {
	all := make([]*suite, len(parts))
	for i, p := range parts {
		all[i] = p.suite
	}
	return all
}

// patterns returns what to run and what to leave out. Without a pattern
// everything runs; what was not selected is then not reported.
func (p portion) patterns() (run, skip pattern, err error) {
	skip, ok := matching(p.suite.head.excluded())
	if !ok {
		return "", "", fmt.Errorf("run the tests of %s: too many red tests to name in one argument", p.suite.importPath)
	}
	if p.whole {
		return p.suite.only, skip, nil
	}
	if run, ok = matching(p.tests); !ok {
		run = ""
	}
	return run, skip, nil
}

func (s *session) runPart(ctx context.Context, job harness.Job, p portion, binary string, o *harness.Outcome) error {
	x, err := s.execution(job, p, binary)
	if err != nil {
		return err
	}
	r, err := s.exec(ctx, x)
	if err != nil {
		return err
	}
	p.collect(r, o)
	return nil
}

// execution is how a job runs its portion of one binary.
func (s *session) execution(job harness.Job, p portion, binary string) (execution, error) {
	run, skip, err := p.patterns()
	limit := job.Limit
	if limit == 0 {
		limit = s.limit([]*suite{p.suite})
		if job.Brief {
			limit += harness.BriefLimit - s.opts.Hang
		}
	}
	return execution{suite: p.suite, binary: binary, dir: job.Dir, scratch: job.Scratch, run: run, skip: skip, limit: limit}, err
}

// collect adds what a binary reported to the outcome.
func (p portion) collect(r ran, o *harness.Outcome) {
	unreported := 0
	for _, name := range p.tests {
		result := r.result(p.suite, name)
		if result.Status == harness.Unreported {
			unreported++
		}
		o.Tests = append(o.Tests, result)
	}
	for _, at := range r.order {
		if p.selects(at.name) {
			o.Tests = append(o.Tests, r.result(p.suite, at.name))
		}
	}
	trouble := r.trouble
	if trouble == "" && r.finished && r.end.Code != 0 && len(r.failures) == 0 && !p.suite.head.oddEnd {
		trouble = fmt.Sprintf("the test binary of %s exited with code %d after every test had passed", p.suite.importPath, r.end.Code)
	}
	if trouble == "" && unreported > 0 {
		trouble = fmt.Sprintf("%d selected tests of %s said nothing", unreported, p.suite.importPath)
	}
	o.Complete = o.Complete && trouble == ""
	if o.Trouble == "" {
		o.Trouble = trouble
	}
	o.TimedOut = o.TimedOut || r.hung
	if o.Signal == "" {
		o.Signal = r.end.Signal
	}
	if o.Exit == 0 {
		o.Exit = r.end.Code
	}
	o.Duration += r.end.Duration
	o.Output = tail(o.Output + r.end.Tail)
}

// selects reports whether a test that is not selected by its own name is a
// subtest of one that is.
func (p portion) selects(name string) bool {
	return !slices.Contains(p.tests, name) &&
		slices.ContainsFunc(above(name), func(parent string) bool { return slices.Contains(p.tests, parent) })
}

// result is how one test ended. A test that began and never ended is
// unreported, unless the end of the binary is its doing.
func (r ran) result(at *suite, name string) harness.Result {
	res := harness.Result{ID: at.id(name), Status: harness.Unreported, Seconds: r.seconds(name)}
	if red := cmp.Or(r.of[name], r.every); red != nil {
		res.Status, res.Red = harness.Failed, red
		return res
	}
	one := r.tests[name]
	if one == nil {
		return res
	}
	switch one.state {
	case passed:
		res.Status = harness.Passed
	case skipped:
		res.Status = harness.Skipped
	case running, paused, failed: // failed tests are all in r.of
	}
	return res
}

// describe gives the outcome the go test command that does the same. It is not
// what was run: a person has no use for the path of a kept binary.
func (s *session) describe(o *harness.Outcome, parts []portion) {
	argv := append([]string{"go", "test", "-vet=off", "-count=1"}, s.flags.build...)
	for _, flag := range s.flags.run {
		argv = append(argv, "-"+strings.TrimPrefix(flag, "-test."))
	}
	names, skips, pkgs := map[string]bool{}, map[string]bool{}, []string{}
	whole := true
	for _, p := range parts {
		whole = whole && p.whole
		pkgs = append(pkgs, p.suite.importPath)
		for _, name := range p.tests {
			names[name] = true
		}
		for _, name := range p.suite.head.excluded() {
			skips[name] = true
		}
	}
	someOnly := slices.ContainsFunc(parts, func(p portion) bool { return p.suite.only != "" })
	if run, ok := matching(slices.Collect(maps.Keys(names))); ok && (!whole || someOnly) {
		argv = append(argv, "-run="+string(run))
	}
	if skip, ok := matching(slices.Collect(maps.Keys(skips))); ok && skip != "" {
		argv = append(argv, "-skip="+string(skip))
	}
	o.Argv = append(argv, pkgs...)
}
