package goprobe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/harness"
	"assay/probe"
)

// A pkg is one package as go list describes it.
type pkg struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Module       *module
}

type module struct {
	Path string
	Dir  string
	Main bool
}

// A work is one look at a module of the tree: its packages and what is built
// from them.
type work struct {
	place    probe.Place
	dir      string // the module's root
	root     string // scratch of this module, the same for the same place
	packages []pkg  // of main modules
	plants   []probe.Plant
	overlay  string
	replaced map[string]string // source -> its rewritten copy
}

// A troubleError is trouble of the project's, not of assay's.
type troubleError struct{ text, output string }

func (e *troubleError) Error() string { return e.text }

// open lists the packages of every module of the tree. A module that cannot be
// listed is a *troubleError.
func open(ctx context.Context, p probe.Place) ([]*work, error) {
	dirs, err := modules(p.Dir)
	if err != nil {
		return nil, err
	}
	var all []*work
	for i, dir := range dirs {
		w, err := openModule(ctx, p, dir, filepath.Join(p.Scratch, fmt.Sprintf("goprobe-%d", i)))
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// modules are the directories with a go.mod, as far as they can hold tests of
// the project.
func modules(dir string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "vendor" || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case !d.IsDir() && d.Name() == "go.mod":
			dirs = append(dirs, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for Go modules in %s: %w", dir, err)
	}
	if len(dirs) == 0 {
		return nil, &troubleError{text: "no go.mod was found"}
	}
	return dirs, nil
}

func openModule(ctx context.Context, p probe.Place, dir, root string) (*work, error) {
	w := &work{place: p, dir: dir, root: root}
	if err := os.MkdirAll(w.root, 0o755); err != nil {
		return nil, fmt.Errorf("make room for Go probes: %w", err)
	}
	args := append([]string{"list", "-e", "-deps", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Module"}, p.Flags...)
	out, end, err := w.goTool(ctx, append(args, "--", "./...")...)
	if err != nil {
		return nil, err
	}
	if end.Code != 0 {
		return nil, &troubleError{"go list failed: " + strings.TrimSpace(end.Tail), end.Tail}
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var one pkg
		err := dec.Decode(&one)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read what go list prints: %w", err)
		}
		if one.Module != nil && one.Module.Main {
			w.packages = append(w.packages, one)
		}
	}
	return w, nil
}

// chosen resolves the words of the command line that name no single test to
// the import paths that they stand for, as go list does.
func (w *work) chosen(ctx context.Context, named []string) (map[string]bool, error) {
	var patterns []string
	for _, n := range named {
		if _, test := split(harness.TestID(n)); test == "" {
			patterns = append(patterns, n)
		}
	}
	paths := map[string]bool{}
	if len(patterns) == 0 {
		return paths, nil
	}
	out, _, err := w.goTool(ctx, append([]string{"list", "-e", "-f", "{{.ImportPath}}", "--"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		paths[strings.TrimSpace(line)] = true
	}
	return paths, nil
}

// goTool runs the go command in the tree.
func (w *work) goTool(ctx context.Context, args ...string) ([]byte, harness.Exited, error) {
	var out bytes.Buffer
	tool, err := harness.LookPath(w.place.Env, "go")
	if err != nil {
		return nil, harness.Exited{}, &troubleError{text: "the go command is not on PATH; install Go, or put it there"}
	}
	end, err := harness.Start(ctx, harness.Process{Argv: append([]string{tool}, args...), Dir: w.dir,
		Env: harness.Setenv(w.place.Env, "PWD="+w.dir), Stdout: &out})
	if err != nil {
		return nil, end, fmt.Errorf("run go %s: %w", args[0], err)
	}
	return out.Bytes(), end, nil
}

// testFiles are the files of a package that only its tests have.
func (p pkg) testFiles() []string { return append(slices.Clone(p.TestGoFiles), p.XTestGoFiles...) }

// suspects are the packages whose tests may arm a deadline: a test file of
// theirs has a word of it, or a helper for tests does, which any may call.
func (w *work) suspects() ([]pkg, error) {
	var with, tested []pkg
	helped := false
	for _, p := range w.packages {
		own, err := speaks(p.Dir, p.testFiles(), "")
		if err != nil {
			return nil, err
		}
		helper, err := speaks(p.Dir, p.GoFiles, `"testing"`)
		if err != nil {
			return nil, err
		}
		helped = helped || helper
		if len(p.testFiles()) > 0 {
			tested = append(tested, p)
		}
		if own {
			with = append(with, p)
		}
	}
	if helped {
		return tested, nil
	}
	return with, nil
}

// speaks reports whether one of the files has a word of deadlines, and also
// the given text.
func speaks(dir string, files []string, also string) (bool, error) {
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return false, fmt.Errorf("read a source to probe it: %w", err)
		}
		if bytes.Contains(text, []byte(also)) && slices.ContainsFunc(words[:], func(w string) bool { return bytes.Contains(text, []byte(w)) }) {
			return true, nil
		}
	}
	return false, nil
}
