package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// A cost is what one command took, everything it waited for included.
type cost struct {
	wall, cpu time.Duration
	code      int
	output    string // both streams
}

// measure runs a command in dir. A code other than 0 is no error: tools that
// find something exit with one.
func measure(ctx context.Context, dir string, env []string, argv ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(cmd.Environ(), env...), &out, &out
	began := time.Now()
	err := cmd.Run()
	c := cost{wall: time.Since(began), output: out.String()}
	if s := cmd.ProcessState; s != nil {
		c.cpu, c.code = s.UserTime()+s.SystemTime(), s.ExitCode()
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

// must is measure for a command that has to exit with 0.
func must(ctx context.Context, dir string, argv ...string) (cost, error) {
	c, err := measure(ctx, dir, nil, argv...)
	if err == nil && c.code != 0 {
		err = fmt.Errorf("%s exited with %d:\n%s", strings.Join(argv, " "), c.code, c.output)
	}
	return c, err
}

// A figure is what some mutants cost.
type figure struct {
	mutants   int // that cost a run
	wall, cpu time.Duration
	told      string // what became of them, in the tool's words
}

func (f *figure) add(o figure) {
	f.mutants, f.wall, f.cpu = f.mutants+o.mutants, f.wall+o.wall, f.cpu+o.cpu
}

// rate is mutants a second of wall time.
func (f figure) rate() float64 { return float64(f.mutants) / f.wall.Seconds() }

// each is CPU seconds a mutant.
func (f figure) each() float64 { return f.cpu.Seconds() / float64(f.mutants) }

func (f figure) String() string {
	return fmt.Sprintf("%d mutants run, wall %.1f s, CPU %.1f s, %.2f mutants/s, %.2f s CPU a mutant (%s)",
		f.mutants, f.wall.Seconds(), f.cpu.Seconds(), f.rate(), f.each(), f.told)
}
