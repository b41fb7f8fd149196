package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

// A bench is what the measurements are told.
type bench struct {
	assay, python, work string
	cosmic              int // mutants of a project that cosmic-ray runs
	seed                uint64
	say                 func(format string, args ...any)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench/python:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	b := bench{say: func(format string, args ...any) { fmt.Printf(format+"\n", args...) }}
	var names string
	var agree int
	flag.StringVar(&b.assay, "assay", "", "the assay `BINARY`")
	flag.StringVar(&b.python, "python", "", "the interpreter of the virtual `ENVIRONMENT`")
	flag.StringVar(&b.work, "work", "", "an existing `DIRECTORY` for copies and reports")
	flag.StringVar(&names, "projects", "", "measure only these, divided by commas (default: all that have files to measure)")
	flag.IntVar(&b.cosmic, "cosmic", 10, "`mutants` of a project that cosmic-ray runs")
	flag.Uint64Var(&b.seed, "seed", 1, "of every sample")
	flag.IntVar(&agree, "agree", 0, "compare the fates of `N` mutants with a plain pytest instead")
	flag.Parse()
	if err := b.settle(); err != nil {
		return err
	}
	picked, err := pick(names, agree > 0)
	if err != nil {
		return err
	}
	if agree > 0 {
		return b.compare(ctx, picked, agree)
	}
	return b.ratios(ctx, picked)
}

// settle makes the paths absolute and refuses what is missing. The interpreter
// of an environment is a link that must not be followed.
func (b *bench) settle() (err error) {
	for name, path := range map[string]*string{"assay": &b.assay, "python": &b.python, "work": &b.work} {
		if *path == "" {
			return fmt.Errorf("-%s is missing; see go doc ./bench/python", name)
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
		if _, err := os.Stat(*path); err != nil {
			return fmt.Errorf("-%s: %w", name, err)
		}
	}
	return nil
}

// ratios measures all three and ends with the two lines that others read.
func (b bench) ratios(ctx context.Context, picked []project) error {
	var ours, mutmut, cosmic figure
	for _, p := range picked {
		dir, err := b.fetch(ctx, p)
		if err != nil {
			return err
		}
		var rates []float64
		for _, tool := range []struct {
			name  string
			run   func(context.Context, project, string) (figure, error)
			total *figure
		}{{"assay", b.assayFigure, &ours}, {"mutmut", b.mutmut, &mutmut}, {"cosmic-ray", b.cosmicRay, &cosmic}} {
			f, err := tool.run(ctx, p, dir)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", tool.name, p.name, err)
			}
			b.say("%-10s %s %s: %s", tool.name, p.name, strings.Join(p.files, " "), f)
			tool.total.add(f)
			rates = append(rates, f.rate())
		}
		b.say("%s: mutmut-ratio %.1f, cosmic-ray-ratio %.1f", p.name, rates[0]/rates[1], rates[0]/rates[2])
	}
	b.say("CPU a mutant: assay %.2f s, mutmut %.2f s, cosmic-ray %.2f s", ours.each(), mutmut.each(), cosmic.each())
	b.say("mutmut-ratio %.1f", ours.rate()/mutmut.rate())
	b.say("cosmic-ray-ratio %.1f", ours.rate()/cosmic.rate())
	return nil
}
