package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"assay/bench/beside"
	"assay/prove"
)

// compare holds the fates of n mutants of the modules against plain go test.
func (b bench) compare(ctx context.Context, modules []string, n int) error {
	var subjects []beside.Subject
	for _, module := range modules {
		dir, err := fetch(ctx, b.work, module)
		if err != nil {
			return err
		}
		subjects = append(subjects, beside.Subject{
			Name: module, Dir: dir,
			Mutants: func(ctx context.Context, n int) (*prove.MutationReport, error) {
				_, r, err := b.assayMutate(ctx, dir, ".", "--sample", fmt.Sprint(n), "--seed", fmt.Sprint(b.seed))
				return r, err
			},
			Plain: func(ctx context.Context) (beside.End, error) { return plain(ctx, dir) },
		})
	}
	return beside.Agreement{Runner: "go test", Kind: "modules", Agrees: agrees, Say: b.say}.Compare(ctx, subjects, n)
}

// agrees reports whether a fate is borne out. What assay could not decide
// agrees with anything but a mutant that does not build, of which there should
// be none.
func agrees(f prove.Fate, e beside.End) bool {
	switch f {
	case prove.Killed:
		return e == beside.Red
	case prove.Lived, prove.Unreached:
		return e == beside.Green
	case prove.Hung:
		return e == beside.Stuck
	}
	return e != beside.Dead
}

// limit is for one package's tests with a mutant on disk.
const limit = 60 * time.Second

// plain runs every test of the module. A build failure is told by what go test
// prints, since it exits with 1 for everything.
func plain(ctx context.Context, dir string) (beside.End, error) {
	c, err := beside.Measure(ctx, dir, nil, "go", "test", "-vet=off", "-count=1", "-timeout="+limit.String(), "./...")
	switch {
	case err != nil:
		return "", err
	case strings.Contains(c.Output, "[build failed]") || strings.Contains(c.Output, "[setup failed]"):
		return beside.Dead, nil
	case strings.Contains(c.Output, "panic: test timed out after"):
		return beside.Stuck, nil
	case c.Code != 0:
		return beside.Red, nil
	}
	return beside.Green, nil
}
