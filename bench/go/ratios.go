package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"assay/bench/beside"
	"assay/change"
	"assay/prove"
)

// whole compares the cost of a mutant over the whole package.
func (b bench) whole(ctx context.Context, dir string) (ratio float64, r *prove.MutationReport, err error) {
	ours, r, err := b.assayMutate(ctx, dir, ".", "--operators", comparable, "--seed", fmt.Sprint(b.seed))
	if err != nil {
		return 0, nil, err
	}
	n := beside.Ran(r)
	b.say("assay     %d mutants run, %d uncovered: wall %.1f s, CPU %.1f s, %.1f mutants/s, %.1f ms CPU a mutant",
		n, r.Counts.Uncovered, ours.Wall.Seconds(), ours.CPU.Seconds(), float64(n)/ours.Wall.Seconds(), ours.CPU.Seconds()*1000/float64(n))
	b.say("          %+v", r.Counts)
	skip, err := others(dir, b.files)
	if err != nil {
		return 0, nil, err
	}
	dry, _, err := b.unleash(ctx, dir, "--exclude-files", skip, "--dry-run")
	if err != nil {
		return 0, nil, err
	}
	theirs, f, err := b.unleash(ctx, dir, "--exclude-files", skip)
	if err != nil {
		return 0, nil, err
	}
	m, by := f.ran()
	if m == 0 || n == 0 {
		return 0, nil, fmt.Errorf("nothing to compare: gremlins ran %d mutants, assay %d\n%s", m, n, theirs.Output)
	}
	each := (theirs.CPU - dry.CPU) / time.Duration(m)
	b.say("gremlins  %d mutants run %v: wall %.1f s, CPU %.1f s (dry run %.1f s), %.2f mutants/s, %.0f ms CPU a mutant",
		m, by, theirs.Wall.Seconds(), theirs.CPU.Seconds(), dry.CPU.Seconds(), float64(m)/theirs.Wall.Seconds(), each.Seconds()*1000)
	return each.Seconds() / (ours.CPU / time.Duration(n)).Seconds(), r, nil
}

// change compares the wall time of a change of ten hunks: the package as it is
// against the package with ten of its mutants in it.
func (b bench) change(ctx context.Context, dir string, r *prove.MutationReport) (ratio float64, err error) {
	picked := spread(r, 10)
	if len(picked) < 10 {
		return 0, fmt.Errorf("only %d mutants to make a change of", len(picked))
	}
	if err := b.before(ctx, dir, picked); err != nil {
		return 0, err
	}
	ours, mutated, err := b.assayMutate(ctx, dir, "HEAD~1..HEAD", "--operators", comparable, "--seed", fmt.Sprint(b.seed))
	if err != nil {
		return 0, err
	}
	b.say("assay     ten hunks: %d mutants run, wall %.1f s, CPU %.1f s", beside.Ran(mutated), ours.Wall.Seconds(), ours.CPU.Seconds())
	theirs, f, err := b.unleash(ctx, dir, "--diff", "HEAD~1")
	if err != nil {
		return 0, err
	}
	m, by := f.ran()
	b.say("gremlins  ten hunks: %d mutants run %v, wall %.1f s, CPU %.1f s", m, by, theirs.Wall.Seconds(), theirs.CPU.Seconds())
	return theirs.Wall.Seconds() / ours.Wall.Seconds(), nil
}

// spread picks n mutants that tests reach, of one line each, far enough from
// one another that each is a hunk of its own, evenly over the package.
func spread(r *prove.MutationReport, n int) []prove.MutantReport {
	var apart []prove.MutantReport
	for _, m := range r.Mutants {
		last := len(apart) - 1
		near := last >= 0 && apart[last].File == m.File && m.Start.Line < apart[last].Start.Line+4
		if (m.Status == prove.Killed || m.Status == prove.Lived) && m.Start.Line == m.End.Line && !near {
			apart = append(apart, m)
		}
	}
	if len(apart) <= n {
		return apart
	}
	picked := make([]prove.MutantReport, n)
	for i := range picked {
		picked[i] = apart[i*len(apart)/n]
	}
	return picked
}

// before commits the package with the mutants in it, and then as it was.
func (b bench) before(ctx context.Context, dir string, picked []prove.MutantReport) error {
	edits := map[string][]change.Edit{}
	for _, m := range picked {
		edits[m.File] = append(edits[m.File], m.Edits...)
	}
	heads := map[string][]byte{}
	for name := range edits {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		heads[name] = text
		old, err := change.Apply(text, edits[name])
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), old, 0o644); err != nil {
			return err
		}
	}
	if err := commit(ctx, dir, "before"); err != nil {
		return err
	}
	var errs []error
	for name, text := range heads {
		errs = append(errs, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	return errors.Join(append(errs, commit(ctx, dir, "after"))...)
}
