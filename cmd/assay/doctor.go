package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/harness"
	"assay/prove"
	"assay/worktree"
)

func doctorCommand() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether this repository can be proven at all",
		Long: `doctor checks what a proof stands on: the repository and its default base, the
languages and what runs their tests, whether the tests are green in a throwaway
tree of HEAD, and whether that tree's own code is what they import. It exits 0
when every language can prove something and 4 when one cannot.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.python, "python", "", "the Python `INTERPRETER` that runs pytest")
	flags.StringVar(&f.testCommand, "test-command", "", "the `COMMAND` that tests what is neither Go nor Python")
	flags.StringSliceVar(&f.junit, "junit", nil, "`GLOB` of the JUnit XML that --test-command writes")
	flags.StringVar(&f.config, "config", "", "read the settings from `FILE` instead of assay.toml")
	return cmd
}

// A checklist prints one line a check and remembers whether one failed.
type checklist struct {
	w      io.Writer
	failed bool
	err    error // the first failure to print
}

func (c *checklist) print(mark, format string, args ...any) {
	if _, err := fmt.Fprintf(c.w, "%-5s "+format+"\n", append([]any{mark}, args...)...); err != nil && c.err == nil {
		c.err = err
	}
}

func (c *checklist) ok(format string, args ...any)   { c.print("ok", format, args...) }
func (c *checklist) note(format string, args ...any) { c.print("note", format, args...) }
func (c *checklist) fail(format string, args ...any) {
	c.failed = true
	c.print("FAIL", format, args...)
}

func runDoctor(cmd *cobra.Command, f *proveFlags) (err error) {
	ctx, list := cmd.Context(), &checklist{w: cmd.OutOrStdout()}
	p, err := openProject(ctx, cmd.Flags(), f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	list.ok("repository: %s, at %s", p.repo.Name(), p.repo.Root())
	if err := p.checkBase(ctx, list); err != nil {
		return err
	}
	if err := p.checkLanguages(ctx, list); err != nil {
		return err
	}
	if list.err == nil && list.failed {
		return codeError{code: exitBaseline}
	}
	return list.err
}

// checkBase says what assay prove without arguments would compare. Being on
// the default branch is nothing ill, so it is only noted.
func (p *project) checkBase(ctx context.Context, list *checklist) error {
	base, head, err := p.repo.Resolve(ctx, p.cfg.Base)
	var known *worktree.Error
	switch {
	case errors.As(err, &known):
		list.note("base: %v", err)
		return nil
	case err != nil:
		return err
	}
	c, err := p.repo.Change(ctx, base, head)
	if err != nil {
		return err
	}
	list.ok("base: %s (%.12s), %d files differ from %s", base.Name, base.Commit, len(c.Files), head.Name)
	return nil
}

func (p *project) checkLanguages(ctx context.Context, list *checklist) error {
	trees, langs, err := p.at(ctx, "HEAD")
	if err != nil {
		return err
	}
	if len(langs) == 0 {
		list.fail("languages: HEAD holds neither Go nor Python; name what runs the tests with --test-command")
	}
	for _, l := range langs {
		if err := p.checkLanguage(ctx, list, l, trees); err != nil {
			return err
		}
	}
	return p.checkIgnored(ctx, list)
}

// checkLanguage runs the tests of one language at head, and once more for
// files of the user's tree that they import in place of the tree's own.
func (p *project) checkLanguage(ctx context.Context, list *checklist, l prove.Language, trees prove.Trees) (err error) {
	tree, err := trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	session, err := l.Harness.Open(ctx, tree.Dir(), harness.Options{Origin: p.repo.Root(), Env: p.env, Scratch: p.pool.Scratch()})
	var setup *harness.SetupError
	if errors.As(err, &setup) {
		list.fail("%s: %v", l.Name, err)
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Restore(), session.Close()) }()
	base, err := session.Baseline(ctx, tree.Dir(), nil)
	if err != nil {
		return err
	}
	list.baseline(l.Name, base)
	if len(base.Green) == 0 {
		return nil
	}
	o, err := session.Run(ctx, harness.Job{Dir: tree.Dir(), Scratch: tree.Scratch(),
		Selection: harness.Selection{Basis: harness.All, Tests: base.Green, Baselined: true}})
	if err == nil {
		list.strays(l.Name, o.Strays)
	}
	return err
}

func (c *checklist) baseline(name string, b harness.Baseline) {
	switch {
	case b.Trouble != "":
		c.fail("%s: %s", name, b.Trouble)
		if b.Output != "" {
			c.print("", "      %s", strings.ReplaceAll(lastLines(b.Output, 10), "\n", "\n            "))
		}
	case len(b.Green) == 0:
		c.fail("%s: no test is green at HEAD (%d red, %d flaky); %s", name, len(b.Red), len(b.Flaky), b.Toolchain)
	default:
		c.ok("%s: %d tests green at HEAD, twice; %s", name, len(b.Green), b.Toolchain)
	}
	for _, r := range some(b.Red) {
		c.note("%s: red at HEAD, never used as evidence: %s", name, r.ID)
	}
	for _, id := range some(b.Flaky) {
		c.note("%s: flaky, never used as evidence: %s", name, id)
	}
	for _, n := range b.Notes {
		c.note("%s: %s", name, n)
	}
}

// some keeps a list for people short.
func some[T any](list []T) []T { return list[:min(len(list), 10)] }

func (c *checklist) strays(name string, strays []string) {
	if len(strays) == 0 {
		c.ok("%s: the tests run the throwaway tree's own code", name)
		return
	}
	c.fail("%s: the tests import your own tree in place of the throwaway one, so nothing could be proven: %s; install the project in editable mode from its source root, or not at all",
		name, strings.Join(some(strays), ", "))
}

// checkIgnored names what only the user's tree has.
func (p *project) checkIgnored(ctx context.Context, list *checklist) error {
	ignored, err := p.repo.IgnoredOnly(ctx, 10)
	if err != nil {
		return err
	}
	if len(ignored) > 0 {
		list.note("ignored files that only your tree has (list what tests need under link or copy in %s): %s", configName, strings.Join(ignored, ", "))
	}
	return nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
