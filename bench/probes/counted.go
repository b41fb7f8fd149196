package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"assay/probe/pyprobe"
)

// wrapper stands for the interpreter and counts what each pytest process of ours
// executes. Short questions (-c) are answered by the interpreter itself, with
// the wrapper's own name where it says its own.
const wrapper = `#!/bin/sh
if [ "$1" = -c ]; then %[1]q "$@" | sed "s#\"path\": \"[^\"]*\"#\"path\": \"$0\"#"; exit; fi
exec valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file=%[2]q/%%p.log %[1]q "$@"
`

// instructions compares how many instructions the suite takes with and without
// the recording, which no other process on the machine changes. It needs
// valgrind and takes some fifty times as long as the suite.
func instructions(ctx context.Context, s settings, scratch string) error {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return fmt.Errorf("count instructions: %w; install valgrind, or compare CPU time with -runs", err)
	}
	python, err := exec.LookPath(s.python)
	if err != nil {
		return err
	}
	logs, name := filepath.Join(scratch, "logs"), filepath.Join(scratch, "python")
	err = errors.Join(os.Mkdir(logs, 0o755), os.WriteFile(name, fmt.Appendf(nil, wrapper, python, logs), 0o755)) //nolint:gosec // it is run
	if err != nil {
		return err
	}
	s.python = name
	place, err := open(ctx, s, scratch, os.Environ())
	if err != nil {
		return err
	}
	// What the session keeps of the first run serves the others.
	if _, err := counted(logs, func() error {
		_, err := hosted(ctx, place, s.dir, scratch)
		return err
	}); err != nil {
		return err
	}
	tests := 0
	plain, err := counted(logs, func() error {
		o, err := hosted(ctx, place, s.dir, scratch)
		tests = len(o.Tests)
		return err
	})
	if err != nil {
		return err
	}
	with, err := counted(logs, func() error {
		_, err := pyprobe.New().Discover(ctx, place, nil)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Printf("recording %d tests: %d instructions against %d (x%.4f)\n", tests, with, plain, float64(with)/float64(plain))
	return nil
}

// executed matches the line of valgrind's log that says how much was executed.
var executed = regexp.MustCompile(`I\s+refs:\s+([\d,]+)`)

// counted is what the processes that run starts execute.
func counted(logs string, run func() error) (total int64, err error) {
	if err := run(); err != nil {
		return 0, err
	}
	entries, err := os.ReadDir(logs)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		name := filepath.Join(logs, e.Name())
		text, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		m := executed.FindSubmatch(text)
		if m == nil {
			return 0, fmt.Errorf("valgrind counted nothing: %s", text)
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(string(m[1]), ",", ""), 10, 64)
		if err != nil {
			return 0, err
		}
		total += n
		if err := os.Remove(name); err != nil {
			return 0, err
		}
	}
	if total == 0 {
		return 0, errors.New("no process was counted: the interpreter was not run through the wrapper")
	}
	return total, nil
}
