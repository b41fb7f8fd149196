package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/change"
	"assay/prove"
	"assay/report"
)

// mutateFlags are the flags of mutate: those that say how tests are run, and
// its own.
type mutateFlags struct {
	proveFlags
	operators     []string
	listOperators bool
	sample        int
	seed          uint64
	onDisk        bool
}

func mutateCommand() *cobra.Command {
	var f mutateFlags
	cmd := &cobra.Command{
		Use:   "mutate [PATH|BASE[..HEAD]]",
		Short: "Alter the code in small ways and say which alterations no test notices",
		Long: `mutate makes mutants, small alterations that a good test would notice, and runs
the tests that reach each. PATH (a file or a directory) is mutated whole as it
stands at HEAD; of a change, named as for assay prove, only the lines that it
adds. Without an argument that is the change of the current branch.

A mutant is killed when a test that is green at HEAD fails with it, twice. One
that survives is shown as a patch. Mutants that no test could be asked to
notice (log lines, capacities, error texts, generated code, what compiles to the
same machine code, assay:ignore) are suppressed, each by a rule that is named.`,
		Example: "  assay mutate lex.go\n  assay mutate ./internal --sample 100\n  assay mutate HEAD~1..HEAD --operators conditionals-boundary,returns-zero\n  assay mutate --format mutation-report > mutation.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.listOperators {
				return listOperators(cmd)
			}
			return runMutate(cmd, first(args), &f)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *mutateFlags) register(flags *pflag.FlagSet) {
	f.output.register(flags)
	flags.Lookup("format").Usage = "how the report is written: table, json or mutation-report (the mutation testing report schema)"
	flags.Lookup("out").Usage = "write the report as JSON to `FILE` as well"
	f.registerRun(flags)
	flags.BoolVar(&f.uncommitted, "uncommitted", false, "mutate what the working tree adds to HEAD")
	flags.StringSliceVar(&f.files, "files", nil, "only the files that match `GLOB`")
	flags.StringSliceVar(&f.operators, "operators", nil, "only the operators of these `NAMES` (--list-operators shows them)")
	flags.BoolVar(&f.listOperators, "list-operators", false, "list the operators of each language and end")
	flags.IntVar(&f.sample, "sample", 0, "run at most `N` mutants, drawn at random")
	flags.Uint64Var(&f.seed, "seed", 0, "draw the sample with this number (default: a new one, which is printed)")
	flags.BoolVar(&f.onDisk, "on-disk", false, "run each survivor once more with its edit on disk: slow, and sure")
}

// check refuses what cannot mean anything before any work is done.
func (f *mutateFlags) check() error {
	if !slices.Contains(report.MutationFormats(), f.format) {
		return mistakef("--format does not know %q%s", f.format, nearest(f.format, "known formats", report.MutationFormats()))
	}
	if f.sample < 0 {
		return mistakef("--sample %d: give the number of mutants to run, 0 for all", f.sample)
	}
	return checkOut(f.out)
}

func runMutate(cmd *cobra.Command, spec string, f *mutateFlags) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	if !cmd.Flags().Changed("seed") {
		f.seed = rand.Uint64() //nolint:gosec // it is printed: no secret
	}
	ctx := cmd.Context()
	p, err := openProject(ctx, cmd.Flags(), &f.proveFlags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	watch := f.newConsole(cmd.ErrOrStderr())
	r, mutateErr := p.mutate(ctx, spec, f, watch)
	watch.close()
	if r == nil {
		return mutateErr
	}
	if err := f.writeMutation(cmd, r); err != nil {
		return errors.Join(mutateErr, err)
	}
	if mutateErr != nil {
		return mutateErr
	}
	return f.objection(r)
}

// mutate runs the mutants. The report is nil only when nothing was run.
func (p *project) mutate(ctx context.Context, spec string, f *mutateFlags, watch prove.Observer) (*prove.MutationReport, error) {
	c, whole, err := p.mutated(ctx, spec, f)
	if err != nil {
		return nil, err
	}
	trees, err := p.trees(ctx, c.Head)
	if err != nil {
		return nil, err
	}
	langs, err := p.languages(ctx, c, trees)
	if err != nil {
		return nil, err
	}
	if err := checkOperators(f.operators, langs); err != nil {
		return nil, err
	}
	if whole != "" {
		if c.Files, err = p.wholeFiles(ctx, trees, whole); err != nil {
			return nil, err
		}
	}
	if err := only(c, f.files); err != nil {
		return nil, err
	}
	classify(c, p.cfg.Kinds, langs)
	if !slices.ContainsFunc(c.Files, func(f *change.File) bool { return mutable(f, langs) }) {
		return nil, mistakef("nothing to mutate: none of the %d files is production code of a language that assay has operators for (assay mutate --list-operators)", len(c.Files))
	}
	return prove.Mutate(ctx, prove.Config{
		Version: version(), Origin: p.repo.Root(), Env: p.env, EnvSets: p.cfg.envSets(), Scratch: p.pool.Scratch(), Budget: time.Duration(p.cfg.Budget),
	}, prove.Question{Operators: f.operators, Sample: f.sample, Seed: f.seed, OnDisk: f.onDisk}, c, langs, trees, watch)
}

// mutable reports whether mutants can be made of the file.
func mutable(f *change.File, langs []prove.Language) bool {
	return (f.Kind == change.Production || f.Kind == change.Generated) &&
		slices.ContainsFunc(langs, func(l prove.Language) bool { return l.Name == f.Language && l.Mutator != nil })
}

// mutated is the change whose lines are mutated, or for a path of the
// repository an empty one at HEAD and the path.
func (p *project) mutated(ctx context.Context, spec string, f *mutateFlags) (c *change.Change, whole string, err error) {
	if spec == "" || f.uncommitted {
		c, err = p.change(ctx, spec, f.uncommitted)
		return c, "", err
	}
	if whole, err = p.inRepository(spec, f.dir); err != nil || whole == "" {
		if err == nil {
			c, err = p.change(ctx, spec, false)
		}
		return c, "", err
	}
	_, head, err := p.repo.Resolve(ctx, "HEAD..HEAD")
	return &change.Change{Head: head, Repo: p.repo.Name()}, whole, err
}

// inRepository is spec as a slash-separated path below the repository's root,
// "" when no such file or directory is there.
func (p *project) inRepository(spec, dir string) (string, error) {
	abs, err := filepath.Abs(filepath.Join(dir, spec))
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(abs); err != nil {
		return "", nil //nolint:nilerr // no such path: it is a revision then
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(p.repo.Root(), abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", mistakef("%s lies outside the repository %s", spec, p.repo.Root())
	}
	return filepath.ToSlash(rel), nil
}

// wholeFiles are the tracked files at or below a path, as if they were added:
// every line of them is to be mutated.
func (p *project) wholeFiles(ctx context.Context, trees prove.Trees, at string) ([]*change.File, error) {
	head, err := readHead(ctx, p.env, trees)
	if err != nil {
		return nil, err
	}
	var files []*change.File
	var paths []string
	for _, name := range head.files {
		if at != "." && name != at && !strings.HasPrefix(name, at+"/") || !slices.ContainsFunc(pairings(), func(l pairing) bool { return path.Ext(name) != "" && l.marked(name) }) {
			continue
		}
		text, err := head.read(name)
		if err != nil {
			return nil, fmt.Errorf("reading %s at HEAD: %w", name, err)
		}
		files = append(files, wholeFile(name, text))
		paths = append(paths, name)
	}
	if len(files) == 0 {
		return nil, mistakef("%s holds no file at HEAD that assay can mutate", at)
	}
	dirty, err := p.repo.Dirty(ctx, paths)
	if err == nil && len(dirty) > 0 {
		err = mistakef("%s carries uncommitted edits, and mutants are made of what is committed; commit or stash it, or mutate what you have with assay mutate --uncommitted", dirty[0])
	}
	return files, err
}

func wholeFile(name string, text []byte) *change.File {
	f := &change.File{Path: name, Status: change.Added, NewMode: 0o100644, New: text}
	h := &change.Hunk{ID: change.HunkID(name, nil, text, 0), File: f, New: change.Span{Start: 1, Lines: change.CountLines(text)}}
	h.Units = []*change.Unit{{Hunk: h, New: h.New}}
	f.Hunks = []*change.Hunk{h}
	return f
}

// checkOperators refuses names that no language has.
func checkOperators(names []string, langs []prove.Language) error {
	var known []string
	for _, l := range langs {
		if l.Mutator == nil {
			continue
		}
		for _, o := range l.Mutator.Operators() {
			known = append(known, o.Name)
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return mistakef("--operators does not know %q%s", n, nearest(n, "known operators", known))
		}
	}
	return nil
}

// writeMutation saves the report where --out says and renders it.
func (f *mutateFlags) writeMutation(cmd *cobra.Command, r *prove.MutationReport) error {
	w := cmd.OutOrStdout()
	shown := report.WriteMutation(w, f.format, r, f.style(w))
	if f.out == "" {
		return shown
	}
	file, err := os.Create(f.out)
	if err != nil {
		return errors.Join(shown, mistakef("cannot write the report with --out: %w", err))
	}
	return errors.Join(shown, report.MutationJSON(file, r, report.Style{}), file.Close())
}

// objection is the exit code of a report: 1 when a mutant survived or no test
// reaches one, 4 when no test was green at head.
func (f *mutateFlags) objection(r *prove.MutationReport) error {
	served := slices.ContainsFunc(r.Baseline.Languages, func(l prove.LanguageBaseline) bool { return l.Green > 0 })
	if !served && len(r.Mutants) > 0 {
		return codeError{code: exitBaseline}
	}
	if r.Counts.Survived+r.Counts.Uncovered > 0 {
		return codeError{code: exitNotProven}
	}
	return nil
}

// listOperators prints the operators of every language that has some.
func listOperators(cmd *cobra.Command) error {
	var out strings.Builder
	for _, pair := range pairings() {
		for _, o := range pair.operators() {
			fmt.Fprintf(&out, "%-8s%-24s%s\n", pair.name, o.Name, o.Doc)
		}
	}
	_, err := io.WriteString(cmd.OutOrStdout(), out.String())
	return err
}
