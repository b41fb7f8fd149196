package gotest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// narrow takes out the suites that the targets cannot reach: those that hold
// none of their packages and look at nothing beyond their own directory. They
// are neither built nor run. When nothing can reach a target all stay: that no
// test notices is then shown by tests that run.
func (s *session) narrow() error {
	if s.opts.AllTests || len(s.opts.Targets) == 0 || s.trouble != "" {
		return nil
	}
	near := s.holdingTargets()
	if len(near) == 0 {
		return nil
	}
	around := onlooker{root: s.dir, graph: s.graph, seen: map[lookedAt]bool{}}
	for _, at := range s.graph.suites {
		if slices.Contains(near, at) {
			continue
		}
		looks, err := around.suite(at)
		if err != nil {
			return fmt.Errorf("read which test packages can reach the change: %w", err)
		}
		if looks {
			near = append(near, at)
		}
	}
	all := len(s.graph.suites)
	s.graph.suites = slices.DeleteFunc(s.graph.suites, func(at *suite) bool { return !slices.Contains(near, at) })
	if left := len(s.graph.suites); left < all {
		s.notes = append(s.notes, fmt.Sprintf("%d of %d test packages can reach the change and were built; --all-tests builds all", left, all))
	}
	return nil
}

// holdingTargets returns the suites that a change of the targets is seen by.
// Targets without lines are files whose mutants changed tests may catch: where
// they do, other tests may catch them too, and all of these are held.
func (s *session) holdingTargets() []*suite {
	var near []*suite
	for _, t := range s.opts.Targets {
		if len(t.Lines) > 0 {
			_, suites := s.covering(t.Path)
			near = union(near, suites)
		}
	}
	changed := slices.Clone(near)
	for _, t := range s.opts.Targets {
		if len(t.Lines) > 0 {
			continue
		}
		if _, suites := s.covering(t.Path); slices.ContainsFunc(suites, func(at *suite) bool { return slices.Contains(changed, at) }) {
			near = union(near, suites)
		}
	}
	return near
}

// An onlooker finds the suites whose tests may see what they do not hold: they
// start processes, read Go code, or name files by where the code stands. What a
// test helper outside of the tree does is told by its import path.
type onlooker struct {
	root  string
	graph graph
	seen  map[lookedAt]bool
}

// A lookedAt is the Go files of one directory, tests or others.
type lookedAt struct {
	dir   string
	tests bool
}

// onlooking are the texts of test code that looks further than its directory;
// helping those of the code that it calls, which may start processes of any
// kind.
var (
	helping = [][]byte{[]byte(`"go/build"`), []byte(`"go/parser"`), []byte(`golang.org/x/tools/go/`), []byte(`runtime.Caller`), []byte(`testscript`),
		[]byte(`exec.Command("go"`), []byte(`runtime.GOROOT`)}
	onlooking = append([][]byte{[]byte(`"os/exec"`), []byte(`os.StartProcess`), []byte(`"..`), []byte("`.."), []byte(`"/../`), []byte(`os.Getwd`), []byte(`filepath.Abs`),
		[]byte(`os.Chdir`), []byte(`t.Chdir`)}, helping...)
)

func (l onlooker) suite(at *suite) (bool, error) {
	if looks, err := l.dir(lookedAt{at.dir, true}); looks || err != nil {
		return looks, err
	}
	for dir := range at.deps {
		if looks, err := l.dir(lookedAt{dir, false}); looks || err != nil {
			return looks, err
		}
	}
	return false, nil
}

// dir reports whether a file of a directory has one of the texts.
func (l onlooker) dir(at lookedAt) (bool, error) {
	if looks, known := l.seen[at]; known {
		return looks, nil
	}
	in := filepath.Join(l.root, filepath.FromSlash(at.dir))
	entries, err := os.ReadDir(in)
	if err != nil {
		return false, err
	}
	texts := helping
	if at.tests {
		texts = onlooking
	}
	l.seen[at] = false
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") != at.tests {
			continue
		}
		source, err := os.ReadFile(filepath.Join(in, e.Name()))
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Contains(source, text) }) {
			l.seen[at] = true
			break
		}
	}
	return l.seen[at], nil
}
