package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/change"
	"assay/prove"
)

// agree runs a sample of mutants of each module with assay, and then each of
// them with its edit on disk by plain `go test`. It returns how many were
// compared and every disagreement.
func (b bench) agree(ctx context.Context, modules []string, total int) (compared int, wrong []string, err error) {
	for i, module := range modules {
		n := total/len(modules) + min(1, max(0, total%len(modules)-i))
		dir, err := fetch(ctx, b.work, module)
		if err != nil {
			return compared, wrong, err
		}
		_, r, err := b.assayMutate(ctx, dir, ".", "--sample", fmt.Sprint(n), "--seed", fmt.Sprint(b.seed))
		if err != nil {
			return compared, wrong, err
		}
		here := 0
		for _, m := range r.Mutants {
			if m.Status == prove.Suppressed {
				continue
			}
			got, err := b.plain(ctx, dir, m)
			if err != nil {
				return compared, wrong, err
			}
			here++
			if !agrees(m.Status, got) {
				wrong = append(wrong, fmt.Sprintf("%s %s:%d %s: assay says %s (%s), go test %s\n%s", module, m.File, m.Start.Line, m.Operator, m.Status, m.Detail, got, m.Edit))
			}
		}
		compared += here
		b.say("agreement %s: %d mutants, %+v, disagreements so far %d", module, here, r.Counts, len(wrong))
	}
	return compared, wrong, nil
}

// An end is how plain go test ended.
type end string

const (
	green end = "stays green"
	red   end = "fails"
	stuck end = "passes the limit"
	dead  end = "does not build"
)

// agrees reports whether a fate is borne out. What assay could not decide
// agrees with anything but a mutant that does not build, of which there should
// be none.
func agrees(f prove.Fate, e end) bool {
	switch f {
	case prove.Killed:
		return e == red
	case prove.Lived, prove.Unreached:
		return e == green
	case prove.Hung:
		return e == stuck
	}
	return e != dead
}

// limit is for one package's tests with a mutant on disk.
const limit = 60 * time.Second

// plain runs every test of the module with the mutant on disk, as anybody
// would. A build failure is told by what go test prints, since it exits with 1
// for everything.
func (b bench) plain(ctx context.Context, dir string, m prove.MutantReport) (e end, err error) {
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
	c, err := measure(ctx, dir, nil, "go", "test", "-vet=off", "-count=1", "-timeout="+limit.String(), "./...")
	switch {
	case err != nil:
		return "", err
	case strings.Contains(c.output, "[build failed]") || strings.Contains(c.output, "[setup failed]"):
		return dead, nil
	case strings.Contains(c.output, "panic: test timed out after"):
		return stuck, nil
	case c.code != 0:
		return red, nil
	}
	return green, nil
}
