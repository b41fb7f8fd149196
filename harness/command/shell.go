package command

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"

	"assay/harness"
)

// argv returns what is started: the arguments themselves, or the shell with
// the command.
func (c Config) argv(env []string) ([]string, error) {
	if c.Command == "" {
		return c.Argv, nil
	}
	name, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		name, flag = "cmd", "/c"
	}
	shell, err := harness.LookPath(env, name)
	if err != nil {
		return nil, &harness.SetupError{Tried: fmt.Sprintf("looked for the shell %s to run %q", name, c.Command), Err: err,
			Next: "put it on PATH"}
	}
	return []string{shell, flag, c.Command}, nil
}

// firstWord takes the program of a shell command after any VAR=value. It
// matches only plain words: what needs a shell to be read is left to it.
var firstWord = regexp.MustCompile(`^\s*(?:[A-Za-z_]\w*=[\w./:,+-]*\s+)*([A-Za-z_./][\w./+-]*)(?:\s|;|&|\||$)`)

// shellKnows asks the shell to parse the command and to look up its first
// word. On Windows it checks nothing: cmd can do neither without running it.
func (c Config) shellKnows(ctx context.Context, dir string, env []string, shell string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	end, err := harness.Start(ctx, harness.Process{Argv: []string{shell, "-n", "-c", c.Command}, Dir: dir, Env: env})
	if err != nil {
		return startError(ctx, c, err)
	}
	if end.Code != 0 {
		return &harness.SetupError{Tried: fmt.Sprintf("let the shell parse the test command %q", c.Command),
			Err: errors.New(strings.TrimSpace(end.Tail)), Next: "correct it"}
	}
	word := firstWord.FindStringSubmatch(c.Command)
	if word == nil {
		return nil
	}
	end, err = harness.Start(ctx, harness.Process{Argv: []string{shell, "-c", `command -v "$1"`, shell, word[1]}, Dir: dir, Env: env})
	if err != nil {
		return startError(ctx, c, err)
	}
	if end.Code != 0 {
		return c.missing(word[1], errors.New("the shell does not find it"))
	}
	return nil
}

// startError keeps ctx's own error as it is.
func startError(ctx context.Context, c Config, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &harness.SetupError{Tried: fmt.Sprintf("started a shell for the test command %q", c.Command), Err: err,
		Next: "check that sh on PATH can be run"}
}
