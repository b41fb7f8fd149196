package gotest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest/schema"
)

// A warm is a test binary that holds variants, and what it does at head.
type warm struct {
	binary  string
	follows bool // it tells which test runs
	hits    map[int]map[string]bool
	steps   map[string]uint64 // by top-level test, "" being what runs outside of any
	odd     map[string]bool
	lean    []string        // variables that make its processes cheaper
	stray   bool            // it starts itself without the environment it was given
	bound   map[string]bool // tests that name files by where the tree was built
	golang  map[string]bool // tests that look for the go command
	opened  map[string]map[string]bool
}

// hit reports whether a test, or code outside of any, came by a variant.
func (w *warm) hit(k int, top string) bool { return w.hits[k][top] || w.hits[k][""] }

// reads reports whether a test opened an edited file or its directory.
func (w *warm) reads(edits []change.Edit, top string) bool {
	return slices.ContainsFunc(edits, func(e change.Edit) bool {
		return w.of(w.opened[e.Path], top) || w.of(w.opened[path.Dir(e.Path)], top)
	})
}

// of reports whether a set of tests holds one, "" being every test: what runs
// outside of a test may serve any.
func (w *warm) of(set map[string]bool, top string) bool { return set[top] || set[""] }

// limit returns how many steps the tests of a portion may take: ten times what
// they, and what runs outside of any test, took at head, and spareSteps.
func (w *warm) limit(p portion) uint64 {
	tops := map[string]bool{"": true}
	for _, name := range p.tests {
		top, _, _ := strings.Cut(name, "/")
		tops[top] = true
	}
	sum := uint64(0)
	for top := range tops {
		sum += w.steps[top]
	}
	return 10*sum + spareSteps
}

// spareSteps is how many guards and rounds of loops a trial may come by beside
// ten times what its tests did at head.
const spareSteps = 20_000

// serves reports whether the tests of a portion can be run without the edits
// on disk.
func (w *warm) serves(p portion, job harness.Job, dir string) bool {
	if w.stray {
		return false
	}
	for _, name := range p.tests {
		top, _, _ := strings.Cut(name, "/")
		if w.odd[top] || w.of(w.golang, top) || w.reads(job.Edits, top) || dir != job.Dir && w.of(w.bound, top) {
			return false
		}
	}
	return true
}

// goStatement matches a statement that starts a goroutine.
var goStatement = regexp.MustCompile(`\bgo\s+(?:func\b|[\w.]+(?:\[[^]]*\])?\()`)

// lean is the variables that make a small process: one processor, unless the
// user says how many, or the edited packages or the tests start goroutines:
// what a race does then depends on it.
func (w *warming) lean(at *suite) ([]string, error) {
	if harness.Getenv(w.gocmd.env, "GOMAXPROCS") != "" {
		return nil, nil
	}
	for dir, p := range w.packages {
		if (dir == at.dir || at.deps[dir]) && slices.ContainsFunc(p.Files, func(f schema.File) bool { return goStatement.Match(f.Text) }) {
			return nil, nil
		}
	}
	tests, err := filepath.Glob(filepath.Join(w.dir, filepath.FromSlash(at.dir), "*_test.go"))
	if err != nil {
		return nil, fmt.Errorf("list the test files of %s: %w", at.importPath, err)
	}
	for _, name := range tests {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the tests of %s: %w", at.importPath, err)
		}
		if goStatement.Match(text) {
			return nil, nil
		}
	}
	return []string{"GOMAXPROCS=1"}, nil
}

// parallel keeps as many parallel tests at once as there would be without lean.
func (s *session) parallel() []string {
	if slices.ContainsFunc(s.flags.run, func(f string) bool { return strings.HasPrefix(f, "-test.parallel") }) {
		return nil
	}
	return []string{fmt.Sprintf("-test.parallel=%d", runtime.GOMAXPROCS(0))}
}

// record runs a binary at head, one test at a time, and notes which tests come
// by which variants and what they open. The tree is seen through a link, so
// that a test that names a file by where it was built tells itself from one
// that names it by where it runs.
func (w *warming) record(ctx context.Context, at *suite, binary string) (*warm, error) {
	s := w.session
	own, err := os.MkdirTemp(w.scratch, "record")
	if err != nil {
		return nil, fmt.Errorf("make room for a run at head: %w", err)
	}
	tree := filepath.Join(own, filepath.Base(w.dir))
	if err := os.Symlink(w.dir, tree); err != nil {
		tree = w.dir // no links here: every absolute name then counts as bound
	}
	skip, ok := matching(at.head.excluded())
	if !ok {
		return nil, nil
	}
	lean, err := w.lean(at)
	if err != nil {
		return nil, err
	}
	log, rec := filepath.Join(own, "opened.log"), filepath.Join(own, "hits")
	r, err := s.exec(ctx, execution{suite: at, binary: binary, dir: tree, built: w.dir, scratch: own, run: at.only, skip: skip,
		limit: s.limit([]*suite{at}) * 2, log: log, flags: []string{"-test.parallel=1"},
		vars: append(slices.Clone(lean), schema.ActiveVar+"=0", schema.RecordVar+"="+rec)})
	if err != nil {
		return nil, err
	}
	one := &warm{binary: binary, lean: lean, follows: w.follows, odd: map[string]bool{}, stray: exists(binary + schema.Stray)}
	for name := range at.head.green {
		if t := r.tests[name]; t == nil || t.state != passed {
			top, _, _ := strings.Cut(name, "/")
			one.odd[top] = true
		}
	}
	return one, errors.Join(one.readHits(rec), one.readLog(log, w.dir, tree, at))
}

func (w *warm) readHits(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing came by a guard
	}
	if err != nil {
		return fmt.Errorf("read which tests come by which edits: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	rec, err := schema.ReadRecord(f)
	w.hits, w.steps = rec.Hits, rec.Steps
	return err
}

// readLog notes which test opened what: see readTestLog for the format. The
// runtime of the variants says between the lines which test runs.
func (w *warm) readLog(name, dir, tree string, at *suite) error {
	w.opened, w.golang, w.bound = map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the log of opened files: %w", err)
	}
	cwd, top := filepath.Join(tree, filepath.FromSlash(at.dir)), ""
	for line := range strings.Lines(string(text)) {
		verb, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch verb {
		case "getenv":
			if now, ok := strings.CutPrefix(file, "ASSAY_TEST "); ok {
				top = now
			}
		case "chdir":
			cwd = absolute(cwd, file)
		case "open", "stat":
			w.note(absolute(cwd, file), dir, tree, top, verb == "open")
		}
	}
	return nil
}

func absolute(cwd, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(cwd, file)
}

// note notes one file that was opened or looked at.
func (w *warm) note(file, dir, tree, top string, opened bool) {
	if base := filepath.Base(file); base == "go" || base == "go.exe" {
		w.golang[top] = true
	}
	rel, ok := inside(tree, file)
	if real, bound := inside(dir, file); bound {
		rel, ok = real, true
		w.bound[top] = true
	}
	if !ok || !opened {
		return
	}
	if w.opened[rel] == nil {
		w.opened[rel] = map[string]bool{}
	}
	w.opened[rel][top] = true
}

// each calls do for 0 to n-1, as many at once as `go test` runs packages.
func (s *session) each(n int, do func(i int) error) error {
	errs := make([]error, n)
	slots := make(chan struct{}, s.flags.atOnce)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = do(i)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
