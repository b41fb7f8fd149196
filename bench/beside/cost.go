// Package beside is what the benches share that set assay beside another tool of
// its kind: what a command costs, assay's own mutation run, and whether its
// fates are those of a plain test run with the mutant on disk.
package beside

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// A Cost is what one command took, everything it waited for included.
type Cost struct {
	Wall, CPU time.Duration
	Code      int
	Output    string // both streams
}

// Measure runs a command in dir with env added to the environment. A code other than 0 is no error: tools that
// find something exit with one.
func Measure(ctx context.Context, dir string, env []string, argv ...string) (Cost, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(cmd.Environ(), env...), &out, &out
	began := time.Now()
	err := cmd.Run()
	c := Cost{Wall: time.Since(began), Output: out.String()}
	if s := cmd.ProcessState; s != nil {
		c.CPU, c.Code = s.UserTime()+s.SystemTime(), s.ExitCode()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		err = nil
	}
	if err != nil {
		return c, fmt.Errorf("run %s in %s: %w", strings.Join(argv, " "), dir, err)
	}
	return c, nil
}

// Must is Measure for a command that has to exit with 0.
func Must(ctx context.Context, dir string, argv ...string) (Cost, error) {
	c, err := Measure(ctx, dir, nil, argv...)
	if err == nil && c.Code != 0 {
		err = fmt.Errorf("%s exited with %d:\n%s", strings.Join(argv, " "), c.Code, c.Output)
	}
	return c, err
}
