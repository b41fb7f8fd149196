package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"assay/change"
	"assay/prove"
)

// agree runs a sample of mutants of each project with assay, and then each of
// them with its edit on disk by a plain pytest. It returns how many were
// compared and every disagreement.
func (b bench) agree(ctx context.Context, picked []project, total int) (compared int, wrong []string, err error) {
	for i, p := range picked {
		n := total/len(picked) + min(1, max(0, total%len(picked)-i))
		dir, err := b.fetch(ctx, p)
		if err != nil {
			return compared, wrong, err
		}
		_, r, err := b.assayMutate(ctx, dir, filepath.ToSlash(filepath.Join(p.source, p.packages[0])), "--sample", fmt.Sprint(n))
		if err != nil {
			return compared, wrong, err
		}
		here := 0
		for _, m := range r.Mutants {
			if m.Status == prove.Suppressed {
				continue
			}
			got, err := b.plain(ctx, p, dir, m, len(r.Baseline.Languages[0].Red) > 0)
			if err != nil {
				return compared, wrong, err
			}
			here++
			if !agrees(m.Status, got) {
				wrong = append(wrong, fmt.Sprintf("%s %s:%d %s: assay says %s (%s), pytest %s\n%s", p.name, m.File, m.Start.Line, m.Operator, m.Status, m.Detail, got, m.Edit))
			}
		}
		compared += here
		b.say("agreement %s: %d mutants, %+v, disagreements so far %d", p.name, here, r.Counts, len(wrong))
	}
	return compared, wrong, nil
}

// An end is how a plain pytest ended.
type end string

const (
	green  end = "stays green"
	red    end = "fails"
	stuck  end = "passes the limit"
	broken end = "does not come to run tests"
)

// agrees reports whether a fate is borne out. What assay could not decide
// agrees with anything; such a mutant is in neither part of the score.
func agrees(f prove.Fate, e end) bool {
	switch f {
	case prove.Killed:
		return e == red || e == broken
	case prove.Lived, prove.Unreached:
		return e == green
	case prove.Hung:
		return e == stuck
	}
	return true
}

// limit is for a project's tests with a mutant on disk.
const limit = 5 * time.Minute

// plain runs every test of the project with the mutant on disk, as anybody
// would. Tests that are red at head are left out by name when there are some.
func (b bench) plain(ctx context.Context, p project, dir string, m prove.MutantReport, someRed bool) (e end, err error) {
	if someRed {
		return "", errors.New(p.name + " has tests that are red at head: choose another project")
	}
	file := filepath.Join(dir, filepath.FromSlash(m.File))
	head, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	mutated, err := change.Apply(head, m.Edits)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, mutated, 0o644); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, head, 0o644)) }()
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err := measure(within, dir, append(environ, "PYTHONPATH="+filepath.Join(dir, p.source)),
		b.python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", p.tests)
	switch {
	case within.Err() != nil && ctx.Err() == nil:
		return stuck, nil
	case err != nil:
		return "", err
	case c.code == 0:
		return green, nil
	case c.code == 1:
		return red, nil
	}
	return broken, nil
}
