package typed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// waitDelay bounds how long the output of a go command is still read once the
// command was killed: a compiler it started may hold the pipe.
const waitDelay = 3 * time.Second

// A goTool runs the go command.
type goTool struct {
	env   []string
	flags []string
}

// selecting are the build flags that decide which files and which packages
// there are, with whether they take a value.
var selecting = map[string]bool{
	"tags": true, "mod": true, "modfile": true, "race": false, "msan": false, "asan": false,
}

// buildFlags keeps the flags that select files, out of flags for go test.
func buildFlags(flags []string) []string {
	var out []string
	for i := 0; i < len(flags); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(flags[i], "-"), "=")
		value, known := selecting[name]
		if !known || !strings.HasPrefix(flags[i], "-") {
			continue
		}
		out = append(out, flags[i])
		if value && !joined && i+1 < len(flags) {
			i++
			out = append(out, flags[i])
		}
	}
	return out
}

// find looks for the go command on the PATH of g.env; like exec, it takes the
// last PATH of several, and a nil environment for that of this process.
func (g goTool) find() (string, error) {
	if g.env == nil {
		return exec.LookPath("go")
	}
	path := ""
	for _, entry := range g.env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			continue // the current directory is not searched, as os/exec refuses it
		}
		if bin, err := exec.LookPath(filepath.Join(dir, "go")); err == nil {
			return bin, nil
		}
	}
	return "", fmt.Errorf("look for the go command on PATH=%s: %w; install Go or add it to PATH", path, exec.ErrNotFound)
}

// run returns what the go command prints. err carries the end of its standard
// error.
func (g goTool) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	bin, err := g.find()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, g.env, waitDelay
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	err = cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		text := strings.TrimSpace(trouble.String())
		if len(text) > 2000 {
			text = "..." + text[len(text)-2000:]
		}
		return out.Bytes(), fmt.Errorf("run `go %s` in %s: %w: %s", strings.Join(args[:min(len(args), 4)], " "), dir, err, text)
	}
	return out.Bytes(), nil
}

// A listed is one package as `go list -json` prints it.
type listed struct {
	Dir, ImportPath, ForTest, Export string
	Standard, DepOnly                bool
	GoFiles, CgoFiles                []string
	Imports                          []string
	Module                           *struct {
		Path, Dir, GoVersion string
		Main                 bool
	}
}

const listFields = "-json=Dir,ImportPath,ForTest,Export,Standard,DepOnly,GoFiles,CgoFiles,Imports,Module"

// list runs go list. With -e the go command prints what it can even where it
// reports trouble, so that trouble counts only when nothing was printed.
func (g goTool) list(ctx context.Context, dir string, args ...string) ([]listed, error) {
	out, runErr := g.run(ctx, dir, slices.Concat([]string{"list", "-e", listFields}, g.flags, args)...)
	if runErr != nil && len(out) == 0 {
		return nil, runErr
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("read the output of go list in %s: %w", dir, err), runErr)
		}
		all = append(all, p)
	}
}
