package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/harness"
	"assay/prove"
	"assay/report"
)

func replayCommand() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "replay REPORT TRIAL|HUNK",
		Short: "Run one trial of a saved report again and show its patch and output",
		Long: `replay makes the tree of the report's head anew, applies the exact edit that
the trial recorded, runs the tests that it ran, and prints the patch, what the
tests did and what they printed. A HUNK, named as in the table (shop/price.go:14),
stands for the first trial of it. REPORT is a saved report or a directory that
--evidence wrote, also on another machine: run it in a repository that has the
report's commits. It exits 0 when the trial could be run again, whatever the tests say.`,
		Example:           "  assay prove --out report.json\n  assay replay report.json 0123456789ab-1\n  assay replay report.json shop/price.go:14",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: completeTrials,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runReplay(cmd, args[0], args[1], &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.python, "python", "", "the Python `INTERPRETER` that runs pytest")
	flags.StringVar(&f.testCommand, "test-command", "", "the `COMMAND` that the report was made with")
	flags.StringSliceVar(&f.junit, "junit", nil, "`GLOB` of the JUnit XML that --test-command writes")
	flags.StringVar(&f.config, "config", "", "read the settings from `FILE` instead of assay.toml")
	return cmd
}

func runReplay(cmd *cobra.Command, file, id string, f *proveFlags) (err error) {
	ctx := cmd.Context()
	r, err := loadReport(reportIn(file))
	if err != nil {
		return err
	}
	trial, err := findTrial(r, id)
	if err != nil {
		return err
	}
	if r.Uncommitted {
		return mistakef("%s is a report of uncommitted work, which no commit holds any more; commit it, prove the commit and replay that", file)
	}
	p, err := openProject(ctx, cmd.Flags(), f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	trees, langs, err := p.at(ctx, r.Head)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(langs, func(l prove.Language) bool { return l.Name == trial.Language })
	if at < 0 {
		return mistakef("trial %s ran the tests of %q, which this repository has none of; was it made with --test-command?", id, trial.Language)
	}
	if len(trial.Setup) > 0 {
		trees = prove.WithEdits(trees, trial.Setup)
	}
	o, err := p.replay(ctx, langs[at], trees, trial)
	if err != nil {
		return err
	}
	return showReplay(cmd.OutOrStdout(), trial, o)
}

// findTrial finds a trial by its ID, in the findings and in the control of the
// whole change, or the first one of a hunk.
func findTrial(r *prove.Report, id string) (prove.TrialReport, error) {
	var all []prove.TrialReport
	if r.Whole != nil {
		all = append(all, r.Whole.Trials...)
	}
	var known []string
	for i := range r.Findings {
		f := &r.Findings[i]
		all = append(all, f.Trials...)
		if name := report.Name(f); len(f.Trials) > 0 {
			known = append(known, name)
			if id == name || id == f.ID {
				return f.Trials[0], nil
			}
		} else if id == name || id == f.ID {
			return prove.TrialReport{}, mistakef("no test was run for %s (%s %s), so there is nothing to run again", name, f.Verdict, f.Reason)
		}
	}
	for _, t := range all {
		if t.ID == id {
			return t, nil
		}
		known = append(known, t.ID)
	}
	return prove.TrialReport{}, mistakef("the report has no trial or hunk %q%s", id, nearest(id, "it has", known))
}

// replay runs one trial in a fresh tree. The baseline comes first, as it did
// in the proof: it is what tells a harness which tests to leave out.
func (p *project) replay(ctx context.Context, l prove.Language, trees prove.Trees, t prove.TrialReport) (o harness.Outcome, err error) {
	tree, err := trees.Acquire(ctx)
	if err != nil {
		return o, err
	}
	defer tree.Release()
	env, err := p.environ(t.Env)
	if err != nil {
		return o, err
	}
	session, err := l.Harness.Open(ctx, tree.Dir(), harness.Options{Origin: p.repo.Root(), Env: env, Scratch: p.pool.Scratch()})
	var setup *harness.SetupError
	if errors.As(err, &setup) {
		return o, userError{err}
	}
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	if t.Purpose == "probe" {
		return p.replayProbe(ctx, l, session, tree, t)
	}
	base, err := session.Baseline(ctx, tree.Dir(), nil)
	if err != nil {
		return o, err
	}
	if base.Trouble != "" {
		return o, mistakef("the tests at head cannot be run any more: %s", base.Trouble)
	}
	if err := errors.Join(tree.Restore(), tree.Apply(t.Edits)); err != nil {
		return o, fmt.Errorf("applying the edit of trial %s: %w", t.ID, err)
	}
	o, err = session.Run(ctx, harness.Job{
		Dir: tree.Dir(), Edits: t.Edits, Scratch: tree.Scratch(),
		Selection: harness.Selection{Basis: t.Basis, Tests: t.Tests},
	})
	return o, errors.Join(err, tree.Restore())
}

// environ is the environment of a named set, or the plain one.
func (p *project) environ(name string) ([]string, error) {
	if name == "" {
		return p.env, nil
	}
	var known []string
	for _, e := range p.cfg.envSets() {
		if e.Name == name {
			return slices.Concat(p.env, e.Env), nil
		}
		known = append(known, e.Name)
	}
	return nil, mistakef("the trial ran under the [[env]] set %q, which assay.toml does not have%s", name, nearest(name, "its sets", known))
}

// showReplay prints the patch, how each test that failed ended, and what the
// runner printed.
func showReplay(w io.Writer, t prove.TrialReport, o harness.Outcome) error {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	say("trial %s (%s, %s)\n", t.ID, t.Purpose, t.Language)
	if t.Edit == "" {
		say("no edit: head itself\n")
	}
	out.WriteString(t.Edit)
	say("\n$ %s", strings.Join(o.Argv, " "))
	say("%d tests ran, %d red, phase %s%s", o.Ran(), len(o.Red()), o.Phase, incomplete(o))
	for _, test := range o.Red() {
		say("RED %s", test.ID)
		if test.Red != nil && test.Red.Message != "" {
			say("    %s", strings.ReplaceAll(strings.TrimRight(test.Red.Message, "\n"), "\n", "\n    "))
		}
	}
	if o.Trouble != "" {
		say("%s", o.Trouble)
	}
	if o.Output != "" {
		say("\n%s", strings.TrimRight(o.Output, "\n"))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func incomplete(o harness.Outcome) string {
	if o.Complete {
		return ""
	}
	return ", not complete"
}
