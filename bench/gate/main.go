// Command gate measures what the gate costs beside the tests that it judges: a
// real change to three tests or so is judged by assay prove --tests-only, and in
// turn its tests are run afresh, from a new clone: one build and one run of
// just these (go test -run, pytest with their node ids).
//
//	gate -assay PROGRAM -repos DIR [-python PYTHON] [-n 3] [NAME...]
//
// DIR holds clones of the repositories in cases.go by their names; without NAME
// every case whose clone is there is measured. For each it prints seconds of
// wall and of processor of both, and last "gate-ratio N", the median over the
// rounds of all cases of wall by wall. Both sides start cold in a directory that
// the build caches do not know.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := bench{out: log.New(os.Stdout, "", 0)}
	flag.StringVar(&b.assay, "assay", "assay", "the program to measure")
	flag.StringVar(&b.repos, "repos", "", "directory with clones of the repositories")
	flag.StringVar(&b.python, "python", "python3", "the interpreter, with pytest")
	flag.IntVar(&b.rounds, "n", 3, "rounds")
	flag.Parse()
	if err := b.run(ctx, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

type bench struct {
	assay, repos, python string
	rounds               int
	out                  *log.Logger
}

// run measures the cases of the given names, all that are there for none.
func (b bench) run(ctx context.Context, names []string) error {
	dir, err := os.MkdirTemp("", "gate-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var ratios []float64
	for _, c := range cases() {
		if len(names) > 0 && !slices.Contains(names, c.repo) {
			continue
		}
		if _, err := os.Stat(filepath.Join(b.repos, c.repo)); err != nil && len(names) == 0 {
			b.out.Printf("%s: no clone in %s", c.repo, b.repos)
			continue
		}
		found, err := b.measure(ctx, dir, c)
		if err != nil {
			return fmt.Errorf("%s %s: %w", c.repo, c.commit, err)
		}
		ratios = append(ratios, found...)
	}
	if len(ratios) == 0 {
		return fmt.Errorf("none of the cases is in %q", b.repos)
	}
	b.out.Printf("gate-ratio %.1f", median(ratios))
	return nil
}

// measure runs one case both ways in turn and returns gate by tests, wall by
// wall, of each round.
func (b bench) measure(ctx context.Context, dir string, c testCase) ([]float64, error) {
	var ratios []float64
	for round := range b.rounds {
		tests, err := b.tests(ctx, filepath.Join(dir, fmt.Sprintf("%s-%d-tests", c.repo, round)), c)
		if err != nil {
			return nil, fmt.Errorf("run the tests: %w", err)
		}
		gate, err := b.gate(ctx, filepath.Join(dir, fmt.Sprintf("%s-%d-gate", c.repo, round)), c)
		if err != nil {
			return nil, fmt.Errorf("judge the change: %w", err)
		}
		ratios = append(ratios, gate.wall/tests.wall)
		b.out.Printf("%s %s  tests %5.1f s %5.1f s CPU   gate %5.1f s %5.1f s CPU   %4.1fx wall %4.1fx CPU",
			c.repo, c.commit, tests.wall, tests.cpu, gate.wall, gate.cpu, gate.wall/tests.wall, gate.cpu/tests.cpu)
	}
	return ratios, nil
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
