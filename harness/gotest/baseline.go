package gotest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/harness"
)

// maxRounds bounds how often a suite is run at head until what is left of it
// is green twice in a row; each round takes out at least one test.
const maxRounds = 40

// Baseline builds every suite and runs each at head until what is left of it
// is green twice in a row.
func (s *session) Baseline(ctx context.Context, dir string, targets []harness.Target) (harness.Baseline, error) {
	defer s.baselineDone.Do(func() { close(s.baselined) })
	b := harness.Baseline{Toolchain: s.env.GOVERSION, Phase: harness.PhaseRun, Limit: s.limit(s.graph.suites), Notes: slices.Clone(s.notes)}
	if s.trouble != "" {
		b.Trouble, b.Phase, b.Output = "no module of the tree can be listed", harness.PhaseBuild, s.trouble
		return b, nil
	}
	scratch, err := os.MkdirTemp(s.opts.Scratch, "baseline")
	if err != nil {
		return b, fmt.Errorf("make room for the baseline: %w", err)
	}
	left, err := s.settleLent(ctx, scratch)
	if err != nil {
		return b, err
	}
	output, err := s.settleBuilt(ctx, dir, scratch, left)
	if err != nil {
		return b, err
	}
	s.sum(&b)
	b.Notes = append(b.Notes, s.targetNotes(targets)...)
	if len(b.Green) == 0 {
		b.Trouble, b.Phase = s.noTests()
		b.Output = tail(strings.Join(output, "\n"))
	}
	return b, nil
}

// settleBuilt builds suites and settles those that do build. It returns what the
// compiler said of the others.
func (s *session) settleBuilt(ctx context.Context, dir, scratch string, suites []*suite) (output []string, err error) {
	if len(suites) == 0 {
		return nil, nil
	}
	have, err := s.binariesFor(ctx, dir, nil, scratch, suites)
	if err != nil {
		return nil, err
	}
	var whole []execution
	for _, at := range suites {
		at.broken = ""
		if why, failed := have.failed[at]; failed {
			at.broken = why.text
			output = append(output, why.text)
			continue
		}
		whole = append(whole, execution{suite: at, binary: have.binaries[at], dir: dir})
	}
	return output, s.settleAll(ctx, scratch, whole)
}

// settleAll settles the suite of each execution.
func (s *session) settleAll(ctx context.Context, scratch string, whole []execution) error {
	return s.each(len(whole), func(i int) error {
		x := whole[i]
		var err error
		if x.scratch, err = os.MkdirTemp(scratch, "suite"); err != nil {
			return fmt.Errorf("make room for the baseline: %w", err)
		}
		return s.settle(ctx, x)
	})
}

// settle runs one suite, whole, until what is left of it is green twice in a
// row.
func (s *session) settle(ctx context.Context, x execution) error {
	at := x.suite
	st := &at.head
	*st = standing{red: map[string]harness.Result{}, flaky: map[string]bool{}, opened: map[string]bool{}}
	for range maxRounds {
		first, err := s.headRun(ctx, x)
		if err != nil {
			return err
		}
		second, err := s.headRun(ctx, x)
		if err != nil {
			return err
		}
		if !st.take(at, first, second) {
			// A binary that died of nobody's fault that can be told has no
			// tests that could be used.
			at.broken = cmp.Or(first.trouble, second.trouble)
			st.keep(first, second)
			return nil
		}
	}
	at.broken = fmt.Sprintf("another test fails in each of %d runs", 2*maxRounds)
	return nil
}

// headRun runs one suite at head without what is excluded so far.
func (s *session) headRun(ctx context.Context, x execution) (ran, error) {
	skip, ok := matching(x.suite.head.excluded())
	if !ok {
		return ran{}, fmt.Errorf("run the tests of %s at head: too many red tests to name in one argument", x.suite.importPath)
	}
	x.skip, x.log = skip, filepath.Join(x.scratch, "opened.log")
	x.run = x.suite.only
	x.limit = cmp.Or(s.opts.MaxRun, headLimit)
	r, err := s.exec(ctx, x)
	if err != nil {
		return r, err
	}
	opened, err := readTestLog(x.log, x.dir, filepath.Join(x.dir, filepath.FromSlash(x.suite.dir)))
	if err != nil {
		return r, err
	}
	maps.Copy(x.suite.head.opened, opened)
	return r, nil
}

// headLimit bounds a run of one suite at head, as `go test` does by default.
const headLimit = 10 * time.Minute

// sum adds up the suites.
func (s *session) sum(b *harness.Baseline) {
	for _, at := range s.graph.suites {
		st := at.head
		if at.broken != "" {
			b.Uncollected = append(b.Uncollected, harness.TestID(at.importPath))
			b.Red = append(b.Red, harness.Result{ID: harness.TestID(at.importPath), Status: harness.Failed,
				Red: &harness.Red{Kind: harness.RedSyntax, Phase: "setup", Type: "build", Message: clip(at.broken)}})
			b.Notes = append(b.Notes, fmt.Sprintf("the tests of %s cannot be used at head: %s", at.importPath, firstLine(at.broken)))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(st.green)) {
			b.Green = append(b.Green, at.id(name))
		}
		for _, name := range slices.Sorted(maps.Keys(st.red)) {
			b.Red = append(b.Red, st.red[name])
		}
		for _, name := range slices.Sorted(maps.Keys(st.flaky)) {
			b.Flaky = append(b.Flaky, at.id(name))
		}
		for _, name := range slices.Sorted(maps.Keys(st.skipped)) {
			b.Skipped = append(b.Skipped, at.id(name))
		}
		if st.oddEnd {
			b.Notes = append(b.Notes, fmt.Sprintf("the test binary of %s fails at head though no test does; its exit code is not read", at.importPath))
		}
		b.Seconds += st.seconds
	}
	b.Limit = s.limit(s.graph.suites)
}

// noTests says why a baseline has no green test.
func (s *session) noTests() (trouble string, phase harness.Phase) {
	broken := 0
	for _, at := range s.graph.suites {
		if at.broken != "" {
			broken++
		}
	}
	switch n := len(s.graph.suites); {
	case n == 0:
		return "no package of the tree has tests", harness.PhaseRun
	case broken == n:
		return "no test package of the tree can be built or run: " + firstLine(s.graph.suites[0].broken), harness.PhaseBuild
	default:
		return "no test of the tree is green at head", harness.PhaseRun
	}
}

// limit is how long the tests of suites may take: ten times what they took at
// head, and Options.Hang above that, which leaves room for a busy machine.
func (s *session) limit(suites []*suite) time.Duration {
	seconds := 0.0
	for _, at := range suites {
		seconds += at.head.seconds
	}
	return s.opts.Hang + time.Duration(10*seconds*float64(time.Second))
}

// firstLine returns the first line of s that says something: the go command
// heads what it prints with the package, "# example.com/m".
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			return line
		}
	}
	return strings.TrimSpace(s)
}

func tail(s string) string { return s[max(0, len(s)-harness.TailSize):] }
