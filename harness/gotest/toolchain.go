package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"path/filepath"
	"strings"

	"assay/harness"
)

// oldest is the first Go that this package can work with: it needs -test.skip
// (1.20) and several packages in one `go test -c` (1.21).
const oldest = "go1.21"

// A toolchain is the go command as the user has it.
type toolchain struct {
	path string   // of the go command
	env  []string // of every process
}

// goEnv is what `go env` says in one directory.
type goEnv struct {
	GOVERSION, GOROOT, GOFLAGS, GOWORK, GOOS, GOARCH, GOEXE string
}

// findToolchain finds go on the PATH of env.
func findToolchain(env []string) (toolchain, error) {
	path, err := harness.LookPath(env, "go")
	if err != nil {
		return toolchain{}, &harness.SetupError{
			Tried: "look for the go command on PATH", Err: err,
			Next: "install Go from https://go.dev/dl or put its bin directory on PATH"}
	}
	return toolchain{path: path, env: env}, nil
}

// goEnv asks the go command that dir gets (a toolchain line may choose
// another) about its settings there.
func (tc toolchain) goEnv(ctx context.Context, dir string) (goEnv, error) {
	var e goEnv
	out, err := tc.output(ctx, dir, nil, "env", "-json", "GOVERSION", "GOROOT", "GOFLAGS", "GOWORK", "GOOS", "GOARCH", "GOEXE")
	if err == nil {
		err = json.Unmarshal(out, &e)
	}
	if ctx.Err() != nil {
		return e, ctx.Err()
	}
	if err != nil {
		return e, &harness.SetupError{Tried: "run go env in " + dir, Err: err,
			Next: "check that `go version` works there; go.mod may ask for a toolchain that is not installed"}
	}
	if version.IsValid(e.GOVERSION) && version.Compare(e.GOVERSION, oldest) < 0 {
		return e, &harness.SetupError{Tried: "use " + e.GOVERSION + ", the Go that " + dir + " gets",
			Next: "use " + oldest + " or newer"}
	}
	return e, nil
}

// A goError is a go command that failed, with what it printed.
type goError struct {
	args []string
	exit harness.Exited
}

func (e *goError) Error() string {
	text := strings.TrimSpace(e.exit.Tail)
	if text == "" {
		text = fmt.Sprintf("exit code %d %s", e.exit.Code, e.exit.Signal)
	}
	return "go " + strings.Join(e.args, " ") + ": " + text
}

// output runs the go command and returns its standard output; a failing
// command is a *goError.
func (tc toolchain) output(ctx context.Context, dir string, vars []string, args ...string) ([]byte, error) {
	var out bytes.Buffer
	end, err := harness.Start(ctx, harness.Process{
		Argv: append([]string{tc.path}, args...), Dir: dir, Env: tc.environ(dir, vars...), Stdout: &out})
	if err != nil {
		return nil, err
	}
	if end.Code != 0 {
		return out.Bytes(), &goError{args: args, exit: end}
	}
	return out.Bytes(), nil
}

// environ is the environment of a process in dir, as `go test` gives it to a
// test binary: PWD names the directory.
func (tc toolchain) environ(dir string, vars ...string) []string {
	return harness.Setenv(harness.Setenv(tc.env, "PWD="+dir), vars...)
}

// withGoroot puts the bin directory of goroot first on the PATH, as `go test`
// does for test binaries, so that a test that runs go gets the same one.
func withGoroot(env []string, goroot string) []string {
	if goroot == "" {
		return env
	}
	bin := filepath.Join(goroot, "bin")
	return harness.Setenv(env, "PATH="+bin+string(filepath.ListSeparator)+harness.Getenv(env, "PATH"))
}

// isGoFailure returns the go command's own failure in err, nil when err is of
// another kind.
func isGoFailure(err error) *goError {
	var failed *goError
	if errors.As(err, &failed) {
		return failed
	}
	return nil
}
