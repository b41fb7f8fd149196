package gotest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/harness"
)

// outerGrace is added to the limit that the binary keeps itself before the
// process is ended from outside: a binary that is stuck where no goroutine can
// be preempted cannot keep it.
const outerGrace = 10 * time.Second

// An execution is one run of one test binary.
type execution struct {
	suite   *suite
	binary  string
	dir     string // of the tree
	scratch string
	run     pattern // "" for all
	skip    pattern
	limit   time.Duration // 0: none
	log     string        // where to write the log of opened files; "" for none
	flags   []string      // further flags
	vars    []string      // further variables
	built   string        // the tree that the binary was built in, when it is not dir
}

// A ran is what one run of a test binary gave.
type ran struct {
	*transcript
	reds
	end harness.Exited
}

// exec runs a test binary as `go test` does: in the directory of its package,
// with PWD and PATH set, and such that os.Exit(0) inside a test panics. When
// it dies by a panic in a goroutine of which it cannot be told to what test it
// belongs, the binary is run once more with tracebacks that tell.
func (s *session) exec(ctx context.Context, x execution) (ran, error) {
	r, err := s.execOnce(ctx, x)
	if err != nil || !r.unsure || len(r.order) == 0 {
		return r, err
	}
	debug := "tracebackancestors=10"
	if set := harness.Getenv(s.gocmd.env, "GODEBUG"); set != "" {
		debug = set + "," + debug
	}
	again, err := s.execOnce(ctx, x, "GODEBUG="+debug)
	if err != nil || again.finished || again.unsure {
		return r, err
	}
	return again, nil
}

func (s *session) execOnce(ctx context.Context, x execution, more ...string) (ran, error) {
	tmp, err := tempDir(x.scratch)
	if err != nil {
		return ran{}, err
	}
	moved, err := s.relocate(x.dir, x.suite.module, x.scratch)
	if err != nil {
		return ran{}, err
	}
	at := filepath.Join(x.dir, filepath.FromSlash(x.suite.dir))
	vars := slices.Concat(moved.vars, []string{"TMPDIR=" + tmp, "GOTMPDIR=" + tmp}, x.vars, more)
	t := newTranscript()
	lines := &scanner{t: t}
	p := harness.Process{Argv: append([]string{x.binary}, s.arguments(x)...), Dir: at, Merged: lines, Memory: s.opts.Memory,
		Env: withGoroot(s.gocmd.environ(at, vars...), s.env.GOROOT)}
	if x.limit > 0 {
		p.Limit = x.limit + outerGrace
	}
	end, err := harness.Start(ctx, p)
	if err != nil {
		return ran{}, fmt.Errorf("run the tests of %s: %w", x.suite.importPath, err)
	}
	lines.flush()
	return ran{transcript: t, reds: classify(t, end, s.places(x)), end: end}, nil
}

func (s *session) arguments(x execution) []string {
	args := []string{"-test.v=test2json", "-test.paniconexit0", "-test.timeout=" + x.limit.String()}
	if x.run != "" {
		args = append(args, "-test.run="+string(x.run))
	}
	if x.skip != "" {
		args = append(args, "-test.skip="+string(x.skip))
	}
	if x.log != "" {
		args = append(args, "-test.testlogfile="+x.log)
	}
	return append(append(args, s.flags.run...), x.flags...)
}

// places tells the classification where the tree is.
func (s *session) places(x execution) places {
	roots := []string{x.dir}
	if x.built != "" && x.built != x.dir {
		roots = append(roots, x.built)
	}
	for _, root := range slices.Clone(roots) {
		if real, err := filepath.EvalSymlinks(root); err == nil && !slices.Contains(roots, real) {
			roots = append(roots, real)
		}
	}
	modules := map[string]string{}
	for _, m := range s.modules {
		modules[m.path] = m.rel
	}
	return places{roots: roots, pkgDir: x.suite.dir, modules: modules, source: sourceLines(x.dir)}
}

// sourceLines returns a function that reads single lines of the tree's files,
// each file once.
func sourceLines(dir string) func(path string, line int) (string, bool) {
	files := map[string][]string{}
	return func(path string, line int) (string, bool) {
		lines, known := files[path]
		if !known {
			// A file that cannot be read is one without lines: the path is
			// then not a place of the tree.
			text, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
			lines = splitLines(text)
			files[path] = lines
		}
		if line < 1 || line > len(lines) {
			return "", false
		}
		return lines[line-1], true
	}
}
