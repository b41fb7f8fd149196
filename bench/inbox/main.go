// Inbox runs assay probe on a small suite that uses the real mcp SDK and
// fakeredis, and checks what it says with and without the preload:
//
//	inbox -assay BIN -python PY
//
// PY needs what requirements.txt lists; make probe-real sets both up. It prints
// a line for each check and exits 1 when one fails.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed inbox.txtar
var project []byte

const (
	subscriber = "tests/test_channel_reconnect.py::test_subscriber"
	browser    = "tests/test_profile_browser.py"
	guarded    = "def recovery_deadline(mcp_sdk):"
	bare       = "def recovery_deadline():"
)

var watches = []string{"--watch", "mcp.server.stdio", "--watch", "mcp.shared.message", "--watch", "fakeredis"}

// A check is one run of assay and what its line for the test must hold.
type check struct {
	what     string
	conftest string // guarded or bare
	args     []string
	code     int
	want     []string
}

func checks() []check {
	state := func(loaded bool) string {
		return fmt.Sprintf(`"watch":{"fakeredis":%[1]t,"mcp.server.stdio":%[1]t,"mcp.shared.message":%[1]t}`, loaded)
	}
	return []check{
		{"without the preload the SDK is imported under the deadline", bare, append([]string{subscriber}, watches...), 1,
			[]string{`"verdict":"late"`, state(false), `"late":[{"module":"mcp.server.stdio","at":"tests/channel_server.py:2"`, `"preload":["mcp.server.stdio","fakeredis"`}},
		{"the deadline fired in the import poisons another test, in the words of the report", bare, []string{subscriber, browser, "--interrupt=mcp.server.stdio"}, 1,
			[]string{`"message":"AttributeError: 'module' object at mcp.server.stdio has no attribute 'stdio'"`}},
		{"with the preload the deadline is armed only after the SDK is loaded", guarded, append([]string{subscriber}, watches...), 0,
			[]string{`"verdict":"held"`, `"code":0`, state(true), `"late":[]`}},
		{"a slow cold fakeredis import is not charged to the deadline", guarded, append([]string{subscriber, "--plant", "fakeredis=6s"}, watches...), 0,
			[]string{`"verdict":"held"`, `"code":0`, state(true), `"planted":[{"module":"fakeredis","seconds":6,"under":false}]`}},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	assay := flag.String("assay", "assay", "the assay binary")
	python := flag.String("python", "python3", "a Python with mcp, fakeredis and pytest")
	flag.Parse()
	err := run(ctx, *assay, *python)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "inbox:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, assay, python string) (err error) {
	dir, err := os.MkdirTemp("", "assay-inbox-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := unpack(ctx, dir); err != nil {
		return err
	}
	failed := 0
	for _, c := range checks() {
		if err := c.run(ctx, dir, assay, python); err != nil {
			failed++
			fmt.Printf("FAIL  %s\n      %v\n", c.what, err)
			continue
		}
		fmt.Printf("ok    %s\n", c.what)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, len(checks()))
	}
	return nil
}

func unpack(ctx context.Context, dir string) error {
	for _, f := range txtar.Parse(project).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Data, 0o644)); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "inbox"}} {
		if out, err := command(ctx, dir, "git", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	return cmd
}

func (c check) run(ctx context.Context, dir, assay, python string) error {
	if err := arm(filepath.Join(dir, "tests", "conftest.py"), c.conftest); err != nil {
		return err
	}
	var out, errOut bytes.Buffer
	cmd := command(ctx, dir, assay, append([]string{"probe", "--python", python, "--format", "json"}, c.args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return err
	}
	if code := cmd.ProcessState.ExitCode(); code != c.code {
		return fmt.Errorf("exit code %d, want %d: %s%s", code, c.code, out.String(), errOut.String())
	}
	for _, w := range c.want {
		if !strings.Contains(out.String(), w) {
			return fmt.Errorf("%s is not in %s", w, out.String())
		}
	}
	return nil
}

// arm makes the fixture of the deadline what the check wants.
func arm(path, want string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	out := strings.NewReplacer(guarded, want, bare, want).Replace(string(text))
	return os.WriteFile(path, []byte(out), 0o644)
}
