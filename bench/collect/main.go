//go:build unix

// Command collect measures what narrowing by file saves on a large suite: it
// writes a project of many test files, of which few reach the changed module,
// and collects it as a whole and narrowed, each by pytest's own --collect-only
// and by assay's baseline of one changed file.
//
//	collect [-python PYTHON] [-files 1500] [-tests 38]
//
// It prints seconds, CPU seconds and peak memory of each, in turns.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"assay/harness"
	"assay/harness/pytest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	python := flag.String("python", "python3", "the interpreter, with pytest")
	files := flag.Int("files", 1500, "test files")
	tests := flag.Int("tests", 38, "tests a file")
	flag.Parse()
	if err := run(ctx, *python, *files, *tests, log.New(os.Stdout, "", 0)); err != nil {
		fmt.Fprintln(os.Stderr, "collect:", err)
		os.Exit(1)
	}
}

// modules is how many modules the project has; each test file uses one.
const modules = 100

func run(ctx context.Context, python string, files, tests int, out *log.Logger) error {
	dir, err := os.MkdirTemp("", "collect-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	tree := filepath.Join(dir, "suite")
	if err := generate(tree, files, tests); err != nil {
		return err
	}
	out.Printf("%d test files, %d tests; one of %d modules is changed", files, files*tests, modules)
	if err := full(ctx, python, tree, out); err != nil {
		return err
	}
	return narrowed(ctx, python, tree, dir, out)
}

// generate writes the project.
func generate(tree string, files, tests int) error {
	texts := map[string]string{"app/__init__.py": ""}
	for m := range modules {
		texts[fmt.Sprintf("app/m%d.py", m)] = fmt.Sprintf("def value():\n    return %d\n", m)
	}
	for f := range files {
		var b strings.Builder
		fmt.Fprintf(&b, "from app import m%d\n", f%modules)
		for t := range tests {
			fmt.Fprintf(&b, "\n\ndef test_%d():\n    assert m%d.value() + %d == %d\n", t, f%modules, t, f%modules+t)
		}
		texts[fmt.Sprintf("tests/d%d/test_f%d.py", f/50, f)] = b.String()
	}
	for name, text := range texts {
		path := filepath.Join(tree, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// full collects everything with pytest alone.
func full(ctx context.Context, python, tree string, out *log.Logger) error {
	cmd := exec.CommandContext(ctx, python, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "-p", "no:xdist")
	cmd.Dir, cmd.Env = tree, append(os.Environ(), "PYTHONPATH="+tree, "PYTHONDONTWRITEBYTECODE=1")
	began := time.Now()
	if text, err := cmd.Output(); err != nil {
		return fmt.Errorf("collect everything: %w\n%.2000s", err, text)
	}
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	out.Printf("full collection by pytest:      %6.1f s  %6.1f s CPU  %5d MiB",
		time.Since(began).Seconds(), cmd.ProcessState.UserTime().Seconds()+cmd.ProcessState.SystemTime().Seconds(), used.Maxrss>>10)
	return nil
}

// narrowed makes the whole of assay's baseline: both runs, of what can reach
// one module.
func narrowed(ctx context.Context, python, tree, dir string, out *log.Logger) error {
	scratch := filepath.Join(dir, "scratch")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		return err
	}
	session, err := pytest.New(pytest.Config{Python: python}).Open(ctx, tree, harness.Options{Origin: tree, Env: os.Environ(), Scratch: scratch, Memory: 1 << 40})
	if err != nil {
		return err
	}
	before := children()
	began := time.Now()
	base, err := session.Baseline(ctx, tree, []harness.Target{{Path: "app/m7.py"}})
	if err != nil {
		return err
	}
	out.Printf("narrowed, both baseline runs:   %6.1f s  %6.1f s CPU  %5d MiB  %d tests",
		time.Since(began).Seconds(), (children() - before).Seconds(), base.Peak>>20, len(base.Green))
	for _, note := range base.Notes {
		out.Print("note: ", note)
	}
	return session.Close()
}

// children is the CPU time of the processes that ended.
func children() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		panic(err) // the arguments are constant
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
