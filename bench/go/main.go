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
	assay, gremlins, work string
	coefficient           int      // of gremlins' time limit
	files                 []string // that gremlins mutates
	seed                  uint64
	say                   func(format string, args ...any)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench/go:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	b := bench{say: func(format string, args ...any) { fmt.Printf(format+"\n", args...) }}
	var module, files, modules string
	var agree int
	flag.StringVar(&b.assay, "assay", "", "the assay `BINARY`")
	flag.StringVar(&b.gremlins, "gremlins", "", "the gremlins `BINARY`")
	flag.StringVar(&b.work, "work", "", "an existing `DIRECTORY` for copies and reports")
	flag.StringVar(&module, "module", "github.com/spf13/pflag@v1.0.10", "what is measured: a module of one package")
	flag.StringVar(&files, "files", "golangflag.go", "the files that gremlins mutates; each of its mutants costs seconds")
	flag.IntVar(&b.coefficient, "timeout-coefficient", 300, "of gremlins")
	flag.Uint64Var(&b.seed, "seed", 1, "of every sample")
	flag.IntVar(&agree, "agree", 0, "compare the fates of `N` mutants with plain go test instead")
	flag.StringVar(&modules, "modules", "github.com/spf13/pflag@v1.0.10,github.com/hashicorp/go-version@v1.7.0,github.com/gorilla/mux@v1.8.1,github.com/mitchellh/mapstructure@v1.5.0", "of -agree")
	flag.Parse()
	if err := b.settle(agree == 0); err != nil {
		return err
	}
	if agree > 0 {
		return b.compare(ctx, strings.Split(modules, ","), agree)
	}
	b.files = strings.Split(files, ",")
	return b.ratios(ctx, module)
}

// settle makes the paths absolute and refuses what is missing.
func (b *bench) settle(both bool) (err error) {
	for name, path := range map[string]*string{"assay": &b.assay, "gremlins": &b.gremlins, "work": &b.work} {
		if *path == "" && (both || name != "gremlins") {
			return fmt.Errorf("-%s is missing; see go doc ./bench/go", name)
		}
		if *path == "" {
			continue
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

// ratios measures both and ends with the two lines that others read.
func (b bench) ratios(ctx context.Context, module string) error {
	dir, err := fetch(ctx, b.work, module)
	if err != nil {
		return err
	}
	b.say("%s, operators %s", module, comparable)
	cpu, r, err := b.whole(ctx, dir)
	if err != nil {
		return err
	}
	wall, err := b.change(ctx, dir, r)
	if err != nil {
		return err
	}
	b.say("gremlins-cpu-ratio %.1f", cpu)
	b.say("gremlins-change-wall-ratio %.1f", wall)
	return nil
}
