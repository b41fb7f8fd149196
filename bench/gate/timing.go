package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A cost is what one side took, in seconds; cpu is of all its processes that it
// waited for.
type cost struct{ wall, cpu float64 }

// tests runs the case's tests once from a new clone: for Go that builds their
// test binary, for Python nothing is compiled beforehand.
func (b bench) tests(ctx context.Context, dir string, c testCase) (cost, error) {
	if err := b.clone(ctx, dir, c); err != nil {
		return cost{}, err
	}
	if c.pkg != "" {
		return timed(ctx, dir, nil, "go", "test", "-count=1", "-run", "^("+strings.Join(c.tests, "|")+")$", c.pkg)
	}
	argv := append([]string{b.python, "-m", "pytest", "-q", "-p", "no:cacheprovider"}, c.tests...)
	return timed(ctx, dir, []string{"PYTHONPATH=" + filepath.Join(dir, c.path)}, argv...)
}

// gate judges the case's change once, from a new clone.
func (b bench) gate(ctx context.Context, dir string, c testCase) (cost, error) {
	if err := b.clone(ctx, dir, c); err != nil {
		return cost{}, err
	}
	argv := []string{b.assay, "prove", "HEAD~1..HEAD", "--tests-only", "--quiet"}
	if c.pkg == "" {
		argv = append(argv, "--python", b.python)
	}
	used, err := timed(ctx, dir, nil, argv...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == notProven || exit.ExitCode() == inconclusive) {
		err = nil
	}
	return used, err
}

// notProven is assay's exit code for a change that it objects to, inconclusive
// that for one it cannot judge: both are finished runs.
const notProven, inconclusive = 1, 3

func (b bench) clone(ctx context.Context, dir string, c testCase) error {
	from := filepath.Join(b.repos, c.repo)
	for _, argv := range [][]string{{"git", "clone", "-q", from, dir}, {"git", "-C", dir, "checkout", "-q", c.commit}} {
		if text, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%.500s", strings.Join(argv, " "), err, text)
		}
	}
	return nil
}

// timed runs a command in dir. A failure does not hide what it took.
func timed(ctx context.Context, dir string, env []string, argv ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	began := time.Now()
	text, err := cmd.CombinedOutput()
	wall := time.Since(began)
	if cmd.ProcessState == nil {
		return cost{}, fmt.Errorf("%s: %w", argv[0], err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%.2000s", strings.Join(argv, " "), err, text)
	}
	return cost{wall.Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}, err
}
