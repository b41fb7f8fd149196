package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/change"
	"assay/harness"
	"assay/probe"
	"assay/prove"
	"assay/report"
	"assay/worktree"
)

func probeCommand() *cobra.Command {
	var f probeFlags
	cmd := &cobra.Command{
		Use:   "probe [TEST...]",
		Short: "Show that nothing is imported while a test's deadline is armed",
		Long: `probe runs the tests once to learn which of them arm a deadline (setitimer,
alarm, pytest-timeout's signal method; for Go a context's deadline or
time.AfterFunc), then each of those by itself in a fresh process, where nothing
has been loaded yet. It says of each

  held          nothing started for the first time under the deadline
  late          something did, and the preload that would fix it
  inconclusive  neither can be said, and why

The first import under a deadline is made to sleep longer than the deadline
(--armed-delay), so that what depends on a fast machine fails here and now.
TEST is a file, a directory or a node id; without any the whole suite is
looked at. It works on a copy of your working tree, uncommitted files included.

With --interrupt the deadline fires inside a late import, and the tests that
run after it in the same process and fail for that reason are named: those
given after the first TEST, else the rest of its xdist group or of the suite.

--format json prints one JSON line a test; --out saves a report. What CI is to
hold stands under [[probe]] in assay.toml.`,
		Example: "  assay probe\n  assay probe tests/inbox --plant fakeredis=6s --watch mcp.server.stdio\n  assay probe tests/test_a.py::test_one tests/test_b.py --interrupt",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return runProbe(cmd, args, &f) },
	}
	f.registerProbe(cmd.Flags())
	cmd.ValidArgsFunction = completeTests
	completeFlags(cmd)
	return cmd
}

func runProbe(cmd *cobra.Command, args []string, f *probeFlags) (err error) {
	if err := f.checkProbe(); err != nil {
		return err
	}
	cfg := probe.Config{Attempts: f.attempts, PerSite: f.perSite}
	if cfg.Conditions, err = f.conditions(); err != nil {
		return err
	}
	ctx := cmd.Context()
	p, err := openProject(ctx, cmd.Flags(), &f.proveFlags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if cfg.Expect, err = p.cfg.expectations(); err != nil {
		return err
	}
	if cfg.Named, err = p.named(args); err != nil {
		return err
	}
	r, probeErr := p.probe(ctx, f, cfg, cmd)
	if r == nil {
		return probeErr
	}
	if err := f.writeProbes(cmd, r); err != nil {
		return errors.Join(probeErr, err)
	}
	if probeErr != nil {
		return probeErr
	}
	if code := probeCode(r, f.failOn); code != exitOK {
		return codeError{code: code}
	}
	return nil
}

// named makes the tests that the user names relative to the repository: paths
// are those of the directory in which assay was started.
func (p *project) named(args []string) ([]string, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	below, err := filepath.Rel(p.repo.Root(), here)
	if err != nil || below == "." || !filepath.IsLocal(below) {
		return args, nil
	}
	var out []string
	for _, a := range args {
		file, rest, _ := strings.Cut(a, "::")
		if _, err := os.Stat(file); err == nil && !filepath.IsAbs(file) {
			a = strings.TrimSuffix(filepath.ToSlash(filepath.Join(below, file))+"::"+rest, "::")
		}
		out = append(out, a)
	}
	return out, nil
}

// tree is what is probed: the working tree as it is, or a revision.
func (p *project) tree(ctx context.Context, at string) (prove.Trees, change.Revision, error) {
	p.cfg.Jobs = 1
	if at != "" {
		_, head, err := p.repo.Resolve(ctx, at+".."+at)
		if err != nil {
			return nil, head, err
		}
		trees, err := p.trees(ctx, head)
		return trees, head, err
	}
	var err error
	if p.snapshot, err = p.repo.Snapshot(ctx, worktree.Options{}); err != nil {
		return nil, change.Revision{}, err
	}
	trees, err := p.trees(ctx, p.snapshot.Head)
	return trees, p.snapshot.Head, err
}

// probe probes with each language that can. The report is nil only when the
// error is assay's own or the user's.
func (p *project) probe(ctx context.Context, f *probeFlags, cfg probe.Config, cmd *cobra.Command) (*prove.Report, error) {
	began := time.Now()
	trees, head, err := p.tree(ctx, f.at)
	if err != nil {
		return nil, err
	}
	langs, err := p.languages(ctx, &change.Change{}, trees)
	if err != nil {
		return nil, err
	}
	tree, err := trees.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer tree.Release()
	r := &prove.Report{Schema: prove.Schema, Tool: prove.Tool{Version: version()}, Started: began.UTC().Truncate(time.Second),
		Base: head.Commit, Head: head.Commit, Repo: p.repo.Name(), Uncommitted: head.Uncommitted,
		Claim: prove.Claim{Verdict: prove.ClaimCannotTell, Reason: "a probe judges no change"}}
	asked := 0
	for _, l := range langs {
		own := cfg
		own.Language = l.Name
		own.Named = slices.DeleteFunc(slices.Clone(cfg.Named), func(w string) bool { return l.Prober == nil || !l.Prober.Names(w) })
		if l.Prober == nil || len(own.Named) == 0 && len(cfg.Named) > 0 {
			continue
		}
		asked++
		if err := p.probeLanguage(ctx, r, f, own, l, tree, cmd); err != nil {
			r.Seconds = time.Since(began).Seconds()
			return r, err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	if asked == 0 {
		return nil, mistakef("nothing here can be probed: no Python or Go tests were found%s", forNames(cfg.Named))
	}
	return r, tree.Restore()
}

func forNames(named []string) string {
	if len(named) == 0 {
		return ""
	}
	return " for " + strings.Join(named, ", ") + "; name files, directories or node ids, relative to where you are"
}

// probeLanguage adds what one language's probes found to r.
func (p *project) probeLanguage(ctx context.Context, r *prove.Report, f *probeFlags, cfg probe.Config, l prove.Language, tree prove.Tree, cmd *cobra.Command) (err error) {
	session, err := l.Harness.Open(ctx, tree.Dir(), harness.Options{Origin: p.repo.Root(), Env: p.env, Scratch: p.pool.Scratch(), Flags: l.Flags})
	var setup *harness.SetupError
	if errors.As(err, &setup) {
		return mistakef("%s: %w", l.Name, err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	watch := f.newConsole(cmd.ErrOrStderr())
	defer watch.close()
	place := probe.Place{Dir: tree.Dir(), Scratch: tree.Scratch(), Session: session, Env: p.env, Flags: l.Flags,
		Observe: func(text string) { watch.Event(prove.Event{Stage: "probe", What: text}) }}
	var found probe.Result
	if f.interrupt != "" {
		found, err = p.interrupt(ctx, cfg, f.interrupt, l, place)
	} else {
		found, err = probe.Run(ctx, cfg, l.Prober, place)
	}
	r.Probes, r.Unprobed = append(r.Probes, found.Probes...), append(r.Unprobed, found.Unprobed...)
	r.Notes = append(r.Notes, probeNotes(l.Name, found)...)
	r.Baseline.Languages = append(r.Baseline.Languages, prove.LanguageBaseline{Name: l.Name, Tests: found.Tests,
		Trouble: found.Trouble, Output: found.Output})
	return err
}

// interrupt fires the deadline of the first test named, or of every test that
// arms one.
func (p *project) interrupt(ctx context.Context, cfg probe.Config, at string, l prove.Language, place probe.Place) (probe.Result, error) {
	by, ok := l.Prober.(probe.Interrupter)
	if !ok {
		return probe.Result{}, mistakef("--interrupt works for Python only: a deadline interrupts no %s code", l.Name)
	}
	if at == firstPoint {
		at = ""
	}
	return probe.RunInterrupts(ctx, cfg, l.Prober, by, place, at)
}

// probeNotes says what the rows do not.
func probeNotes(language string, r probe.Result) []string {
	var notes []string
	if r.Suite > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d tests run under the suite's own time-out only (%s); they were not probed (--timeouts does)", language, r.Suite, r.SuiteAt))
	}
	if r.Slow > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d tests have imports under a deadline that interrupts nothing (asyncio, future, child process); name one to see them", language, r.Slow))
	}
	if r.Trouble == "" && len(r.Probes) == 0 && len(r.Unprobed) == 0 {
		notes = append(notes, fmt.Sprintf("%s: none of the %d tests arms a deadline", language, r.Tests))
	}
	return notes
}

// writeProbes saves and renders the report.
func (f *probeFlags) writeProbes(cmd *cobra.Command, r *prove.Report) error {
	render := func(w io.Writer, format string, s report.Style) error {
		if format == "json" {
			return report.ProbeLines(w, r)
		}
		return report.ProbeTable(w, r, s)
	}
	w := cmd.OutOrStdout()
	errs := []error{f.saveOut(renderingOf(r)), f.saveFormats(render), render(w, f.format, f.style(w))}
	if f.format == "json" {
		errs = append(errs, aside(cmd.ErrOrStderr(), r))
	}
	return errors.Join(errs...)
}

// aside says on standard error what JSON lines have no place for: trouble, notes
// and tests that were not probed.
func aside(w io.Writer, r *prove.Report) error {
	var b strings.Builder
	for _, l := range r.Baseline.Languages {
		if l.Trouble != "" {
			fmt.Fprintf(&b, "%s: %s\n", l.Name, l.Trouble)
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintln(&b, n)
	}
	for _, u := range r.Unprobed {
		fmt.Fprintf(&b, "not probed: %s (%s): %s\n", u.Test, u.At, u.Why)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
