// Package command runs the tests of a project that has no harness of its own
// by any command a person would type: `npm test`, `make check`, `bundle exec
// rspec`.
//
// The command always runs whole, so every selection is every test. What can be
// said of a run depends on what the command leaves behind:
//
//   - With JUnit XML (Config.JUnit) each testcase is a test. Only reports that
//     this very run wrote count: older ones are removed before it starts.
//   - Without, the command itself is the one test. It is green when it exits
//     0. A failure that looks like a compiler, a loader or a missing command
//     speaking is no test result and becomes PhaseBuild; anything else is a
//     RedCommand, whose text decides nothing.
//
// A command cannot tell building from testing, so Job.Limit bounds both, and a
// run that passes its limit or dies of a signal says nothing about a test.
//
// Ownership: the tree is the caller's and throwaway; reports are removed only
// inside it, through an os.Root that refuses links leading out. TMPDIR of the
// command lies under the scratch directory of the run.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"assay/harness"
)

// Config says what to run. Exactly one of Command and Argv is set.
type Config struct {
	// Command is given to the user's shell: sh -c, on Windows cmd /c.
	Command string
	// Argv is run without a shell.
	Argv []string
	// JUnit are globs, relative to the tree and slash-separated, of the JUnit
	// XML that the command writes. Files that match and hold testcases are
	// removed before a run, so a glob must not reach into test fixtures.
	JUnit []string
	// Timeout bounds each run when the job sets no limit; 0 means a limit
	// derived from the baseline.
	Timeout time.Duration
}

// Name is how people refer to the command, and the ID of its one pretend test.
func (c Config) Name() string { return cmp.Or(c.Command, strings.Join(c.Argv, " ")) }

// New returns the harness of one command. The Config is checked by Open.
func New(config Config) harness.Harness { return runner{config} }

type runner struct{ config Config }

func (runner) Name() string { return "command" }

// Open checks the configuration and that the command's program exists. It runs
// no test. Every error is a *harness.SetupError, or ctx's when that ended.
func (r runner) Open(ctx context.Context, dir string, opts harness.Options) (harness.Session, error) {
	if err := r.config.check(); err != nil {
		return nil, err
	}
	argv, err := r.config.argv(opts.Env)
	if err != nil {
		return nil, err
	}
	if err := r.config.exists(ctx, dir, opts, argv[0]); err != nil {
		return nil, err
	}
	return newSession(r.config, argv, opts), nil
}

func (c Config) check() error {
	fault := func(format string, args ...any) error {
		return &harness.SetupError{Tried: fmt.Sprintf(format, args...), Next: "correct the test command in assay.toml or on the command line"}
	}
	switch {
	case strings.TrimSpace(c.Name()) == "":
		return fault("the test command is empty")
	case c.Command != "" && len(c.Argv) > 0:
		return fault("the test command is given both as text (%q) and as arguments (%q)", c.Command, c.Argv)
	case len(c.Argv) > 0 && c.Argv[0] == "":
		return fault("the program of the test command %q is empty", c.Argv)
	case c.Timeout < 0:
		return fault("the time limit %s of the test command is negative", c.Timeout)
	}
	for _, glob := range c.JUnit {
		if !doublestar.ValidatePattern(glob) {
			return fault("junit glob %q is malformed", glob)
		}
		if clean := path.Clean(filepath.ToSlash(glob)); path.IsAbs(clean) || filepath.IsAbs(glob) || clean == ".." || strings.HasPrefix(clean, "../") {
			return fault("junit glob %q leads out of the tree", glob)
		}
	}
	return nil
}

// exists finds the program before the first run, so that a slip of the pen is
// told from a red suite.
func (c Config) exists(ctx context.Context, dir string, opts harness.Options, shell string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return &harness.SetupError{Tried: "looked for the tree " + dir, Err: cmp.Or(err, errors.New("not a directory")), Next: "run assay again"}
	}
	if c.Command == "" {
		return c.program(dir, opts.Env)
	}
	return c.shellKnows(ctx, dir, opts.Env, shell)
}

// program checks the program of an Argv.
func (c Config) program(dir string, env []string) error {
	name := c.Argv[0]
	if !strings.ContainsRune(filepath.ToSlash(name), '/') {
		if _, err := harness.LookPath(env, name); err != nil {
			return c.missing(name, err)
		}
		return nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	if _, err := os.Stat(name); err != nil {
		return c.missing(c.Argv[0], err)
	}
	return nil
}

func (c Config) missing(program string, err error) error {
	return &harness.SetupError{
		Tried: fmt.Sprintf("looked for %q, the program of the test command %q", program, c.Name()),
		Err:   err,
		Next:  "install it or name it by the path it has in the repository",
	}
}
