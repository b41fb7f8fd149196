package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"assay/bench/beside"
	"assay/prove"
)

// compare holds the fates of n mutants of the projects against a plain pytest.
func (b bench) compare(ctx context.Context, picked []project, n int) error {
	var subjects []beside.Subject
	for _, p := range picked {
		dir, err := b.fetch(ctx, p)
		if err != nil {
			return err
		}
		subjects = append(subjects, beside.Subject{
			Name: p.name, Dir: dir,
			Mutants: func(ctx context.Context, n int) (*prove.MutationReport, error) {
				_, r, err := b.assayMutate(ctx, dir, filepath.ToSlash(filepath.Join(p.source, p.packages[0])), "--sample", fmt.Sprint(n))
				if err == nil && len(r.Baseline.Languages[0].Red) > 0 {
					err = errors.New(p.name + " has tests that are red at head: choose another project")
				}
				return r, err
			},
			Plain: func(ctx context.Context) (beside.End, error) { return b.plain(ctx, p, dir) },
		})
	}
	return beside.Agreement{Runner: "pytest", Kind: "projects", Agrees: agrees, Say: b.say}.Compare(ctx, subjects, n)
}

// agrees reports whether a fate is borne out. What assay could not decide
// agrees with anything; such a mutant is in neither part of the score.
func agrees(f prove.Fate, e beside.End) bool {
	switch f {
	case prove.Killed:
		return e == beside.Red || e == beside.Dead
	case prove.Lived, prove.Unreached:
		return e == beside.Green
	case prove.Hung:
		return e == beside.Stuck
	}
	return true
}

// limit is for a project's tests with a mutant on disk.
const limit = 5 * time.Minute

// plain runs every test of the project.
func (b bench) plain(ctx context.Context, p project, dir string) (beside.End, error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err := beside.Measure(within, dir, append(environ(), "PYTHONPATH="+filepath.Join(dir, p.source)),
		b.python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", p.tests)
	switch {
	case within.Err() != nil && ctx.Err() == nil:
		return beside.Stuck, nil
	case err != nil:
		return "", err
	case c.Code == 0:
		return beside.Green, nil
	case c.Code == 1:
		return beside.Red, nil
	}
	return beside.Dead, nil
}
