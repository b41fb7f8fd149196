package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/change"
	"assay/prove"
	"assay/report"
)

// proveFlags are the flags of prove; doctor and demo take some of them.
type proveFlags struct {
	output
	dir         string // where to look for the repository; "" is the working directory
	config      string
	uncommitted bool
	verbose     bool
	quiet       bool
	explain     bool
	deep        bool
	keep        bool
	plain       bool
	noGate      bool
	testsOnly   bool
	claim       bool
	repeat      int
	evidence    string
	allTests    bool
	watch       bool
	files       []string
	maxHunks    int
	baseline    string // a saved report whose objections are known
	jobs        int
	budget      time.Duration
	hang        string
	python      string
	testCommand string
	junit       []string
	failOn      []string
}

// registerRun registers the flags that say how tests are run.
func (f *proveFlags) registerRun(flags *pflag.FlagSet) {
	flags.IntVar(&f.jobs, "jobs", 0, "trees at work at once (0: one per processor)")
	flags.StringVar(&f.python, "python", "", "the Python `INTERPRETER` that runs pytest (default: found as you would)")
	flags.StringVar(&f.testCommand, "test-command", "", "the `COMMAND` that tests what is neither Go nor Python")
	flags.StringSliceVar(&f.junit, "junit", nil, "`GLOB` of the JUnit XML that --test-command writes")
	flags.StringVar(&f.config, "config", "", "read the settings from `FILE` instead of assay.toml")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show each trial on standard error")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress, only the report")
	flags.DurationVar(&f.budget, "budget", 0, "stop in time, with a full report (such as 10m)")
}

func proveCommand() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "prove [BASE[..HEAD]]",
		Short: "Say of each hunk of a change whether a test notices that it is gone",
		Long: `prove un-does each hunk of a change in a throwaway tree, reruns the tests that
cover it and gives a verdict with the evidence.

Without an argument the change is that of the current branch since it left the
default branch. BASE is compared with HEAD; BASE..HEAD are compared directly,
BASE...HEAD from their merge base. --uncommitted proves the working tree,
untracked files included, against HEAD.`,
		Example: "  assay prove\n  assay prove HEAD~1..HEAD --out report.json\n  assay prove --uncommitted --explain\n  assay prove origin/main --budget 10m --fail-on not_proven",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.watch {
				return checkedWatch(cmd, first(args), &f)
			}
			return runProve(cmd, first(args), &f)
		},
	}
	flags := cmd.Flags()
	f.registerFormats(flags)
	f.registerRun(flags)
	flags.BoolVar(&f.uncommitted, "uncommitted", false, "prove the working tree against HEAD")
	flags.BoolVar(&f.explain, "explain", false, "show the kind of every file and why, and the tests chosen for each hunk")
	flags.BoolVar(&f.deep, "deep", false, "run mutants of each hunk as well, at most one a line, and say how many are noticed")
	flags.BoolVar(&f.keep, "keep", false, "keep the throwaway trees and say where they are (assay clean removes them)")
	flags.BoolVar(&f.plain, "plain", false, "put the edit of every trial on disk and build it alone: slower, to the same verdicts")
	flags.BoolVar(&f.testsOnly, "tests-only", false, "judge only what the change does to tests: whether they catch what they caught")
	flags.BoolVar(&f.claim, "claim", false, "say only what the added and edited tests do without the change; exit 1 when they all pass without it")
	flags.IntVar(&f.repeat, "repeat", 3, "run added tests `N` times at head; each must be green every time")
	flags.StringVar(&f.evidence, "evidence", "", "leave in `DIR` what the verdicts rest on: report, patches, output of each red, environment, a block for the pull request")
	flags.BoolVar(&f.noGate, "no-gate", false, "do not judge what the change does to tests")
	flags.BoolVar(&f.allTests, "all-tests", false, "run every test, also those that cannot reach the change")
	flags.StringSliceVar(&f.files, "files", nil, "only the changed files that match `GLOB`")
	flags.IntVar(&f.maxHunks, "max-hunks", 0, "try at most `N` hunks, production code first (0: all)")
	flags.StringVar(&f.baseline, "baseline", "", "object only to what the saved report `FILE` does not have already")
	flags.StringVar(&f.hang, "hang", "proven", "what a test that hangs twice, alone, says: proven or inconclusive")
	flags.StringSliceVar(&f.failOn, "fail-on", nil, "what gives a non-zero exit: a list of not_proven, inconclusive, baseline_red, claim, none (default "+defaultFailOn+")")
	flags.BoolVar(&f.watch, "watch", false, "prove what is not committed, and what changed again whenever files are saved")
	completions(cmd)
	return cmd
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// runProve proves the change that spec names and writes the report, also the
// one of a proof that was cut short.
func runProve(cmd *cobra.Command, spec string, f *proveFlags) (err error) {
	earlier, err := f.checkRun()
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	p, err := openProject(ctx, cmd.Flags(), f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	c, err := p.change(ctx, spec, f.uncommitted)
	if err != nil {
		return err
	}
	if err := only(c, f.files); err != nil {
		return err
	}
	watch := f.newConsole(cmd.ErrOrStderr())
	r, proveErr := p.prove(ctx, c, f, watch)
	watch.close()
	if r == nil {
		return proveErr
	}
	if earlier != nil {
		r.Compare(earlier)
	}
	if err := f.finish(cmd, p, r); err != nil {
		return errors.Join(proveErr, err)
	}
	if proveErr != nil {
		return proveErr
	}
	code := verdictCode(r, p.cfg.FailOn)
	if f.claim {
		code = claimCode(r)
	}
	if code != exitOK {
		return codeError{code: code}
	}
	return nil
}

// checkRun refuses flags that cannot be meant before any work is done, and
// reads the earlier report of --baseline.
func (f *proveFlags) checkRun() (earlier *prove.Report, err error) {
	switch {
	case f.maxHunks < 0:
		return nil, mistakef("--max-hunks %d: give the number of hunks to try, 0 for all", f.maxHunks)
	case f.quiet && f.verbose:
		return nil, mistakef("--quiet and --verbose cannot both be meant; give one of them")
	case f.claim && f.testsOnly:
		return nil, mistakef("--claim and --tests-only ask different questions; give one of them")
	case f.testsOnly && f.noGate:
		return nil, mistakef("--tests-only asks nothing but what --no-gate leaves out; give one of them")
	case f.repeat < 0:
		return nil, mistakef("--repeat %d: give how often an added test is run at head", f.repeat)
	}
	if err := checkEvidence(f.evidence); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil || f.baseline == "" {
		return nil, err
	}
	return loadReport(f.baseline)
}

// prove runs the proof. The report is nil only when the error is assay's own.
func (p *project) prove(ctx context.Context, c *change.Change, f *proveFlags, watch prove.Observer) (*prove.Report, error) {
	trees, err := p.trees(ctx, c.Head)
	if err != nil {
		return nil, err
	}
	langs, err := p.languages(ctx, c, trees)
	if err != nil {
		return nil, err
	}
	classify(c, p.cfg.Kinds, langs)
	var files []*change.File
	if !f.noGate && !f.claim && changesTests(c) {
		if files, err = p.headFiles(ctx, trees, langs); err != nil {
			return nil, err
		}
	}
	return prove.Run(ctx, prove.Config{
		Version: version(), Origin: p.repo.Root(), Env: p.env, EnvSets: p.cfg.envSets(), Scratch: p.pool.Scratch(),
		Budget: time.Duration(p.cfg.Budget), MaxHunks: f.maxHunks, HangInconclusive: p.cfg.Hang == "inconclusive", ReportName: f.reportName(),
		Deep: f.deep, Plain: f.plain, AllTests: f.allTests,
		NoGate: f.noGate, TestsOnly: f.testsOnly, Files: files, ClaimOnly: f.claim, Repeat: f.repeat,
	}, c, langs, trees, watch)
}

// finish adds what only the command line knows to the report and writes it.
func (f *proveFlags) finish(cmd *cobra.Command, p *project, r *prove.Report) error {
	// The hint is looked up also after an interrupt, which ended cmd's context.
	if err := p.ignoredHint(context.WithoutCancel(cmd.Context()), r); err != nil {
		return err
	}
	if f.keep {
		r.Notes = append(r.Notes, "the trees are kept in "+filepath.Dir(p.pool.Scratch())+" until assay clean or the next assay prove")
	}
	if len(f.files) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("only the files that match --files %q were looked at", f.files))
	}
	if f.explain && f.format == "table" {
		w := cmd.OutOrStdout()
		if err := report.Explain(w, r, f.style(w)); err != nil {
			return err
		}
	}
	if f.evidence != "" {
		if err := report.WriteEvidence(f.evidence, r); err != nil {
			return mistakef("cannot write the evidence to %s: %w", f.evidence, err)
		}
	}
	if f.claim && f.format == "table" {
		w := cmd.OutOrStdout()
		return errors.Join(f.save(r), report.Claim(w, r, f.style(w)))
	}
	return f.write(cmd, r)
}
