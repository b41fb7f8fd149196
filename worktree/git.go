package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// quiet are the options that overrule the settings by which a git command would start something or
// write beside what it was asked to: hooks, the file-system monitor, Git LFS,
// shared indexes, submodules, maintenance.
func quiet() []string {
	var options []string
	for _, setting := range []string{
		"core.hooksPath=/dev/null", "core.fsmonitor=false", "core.splitIndex=false", "core.untrackedCache=false",
		"filter.lfs.smudge=", "filter.lfs.clean=", "filter.lfs.process=", "filter.lfs.required=false",
		"submodule.recurse=false", "gc.auto=0", "maintenance.auto=false", "core.quotePath=true", "core.safecrlf=false",
	} {
		options = append(options, "-c", setting)
	}
	return options
}

// A git runs the git binary in one directory and environment.
type git struct {
	dir string
	env []string
}

// with returns a git that has more variables set.
func (g git) with(pairs ...string) git {
	g.env = append(slices.Clone(g.env), pairs...)
	return g
}

// A gitError is a git command that ended badly.
type gitError struct {
	args   []string
	stderr string
	code   int
	err    error
}

func (e *gitError) Error() string {
	said := strings.TrimSpace(e.stderr)
	if said == "" {
		said = e.err.Error()
	}
	return fmt.Sprintf("git %s: %s", strings.Join(e.args, " "), said)
}

func (e *gitError) Unwrap() error { return e.err }

// run returns what the command writes to standard output. It fails with ctx's
// error when ctx ended, else with a *gitError.
func (g git) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append(quiet(), args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = g.dir, g.env, bytes.NewReader(stdin)
	cmd.WaitDelay = 3 * time.Second // a grandchild may hold the pipes open
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &gitError{args: args, stderr: stderr.String(), code: cmd.ProcessState.ExitCode(), err: err}
	}
	return stdout.Bytes(), nil
}

// line is run for a command that prints one line, of which only the line end
// is cut off: a path may start or end with a space.
func (g git) line(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, nil, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// found is line for a command that exits 1, or 128 under --verify -q, when
// what was asked for is not there.
func (g git) found(ctx context.Context, args ...string) (string, bool, error) {
	out, err := g.line(ctx, args...)
	var failed *gitError
	if errors.As(err, &failed) && failed.code == 1 {
		return "", false, nil
	}
	return out, err == nil, err
}

// records splits NUL-terminated output.
func records(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
