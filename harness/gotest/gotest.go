// Package gotest runs the tests of Go modules.
//
// # How
//
// A session lists the packages of every module of the tree once, and knows
// from `go list -deps -test` which test binaries hold which package. Test
// binaries are built by `go test -c -vet=off`, with the user's own flags and
// nothing that would miss the user's build cache, and kept for as long as the
// same edits are run in the same directory, so that a repeat costs no build.
// They are then run by themselves, in their package's directory, with
// -test.v=test2json: the framing lines of that mode carry a mark that no
// ordinary output has, so that results are read from events alone and a
// printed "--- FAIL" is output. `go test -json` is not used, because it builds
// (and by default vets) again for every run, puts building and running under
// one limit, and exits 1 for everything.
//
// # Selections
//
// Selections name top-level tests; the results of their subtests are reported
// beside theirs. A test whose subtest fails is red as that subtest is, unless
// it fails by itself too. Tests that are red or flaky at head are left out at
// the level where they fail: a red subtest leaves its siblings and its parent
// in.
//
// # Limits
//
// Needs Go 1.21. Benchmarks and fuzzing are not run; fuzz seeds and examples
// are. What a test does through another go process (go run, go build) is seen
// only by Widest. A package that does not build takes its own tests out of the
// baseline, not those of other packages.
package gotest

import (
	"context"
	"path/filepath"
	"sync"

	"assay/harness"
)

// Name is the name of the harness in reports.
const Name = "go"

// New returns the Go harness.
func New() harness.Harness { return goHarness{} }

type goHarness struct{}

// Name returns "go".
func (goHarness) Name() string { return Name }

// Open finds the go command and the modules of the tree and lists their
// packages. It fails with a *harness.SetupError when there is no go command,
// when its toolchain does not work, or when the tree holds no module.
func (goHarness) Open(ctx context.Context, dir string, opts harness.Options) (harness.Session, error) {
	tc, err := findToolchain(opts.Env)
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if opts.Origin == "" {
		opts.Origin = dir
	}
	modules, err := findModules(dir)
	if err != nil {
		return nil, err
	}
	if len(modules) == 0 {
		return nil, &harness.SetupError{Tried: "look for a go.mod in " + dir,
			Next: "run `go mod init` in the directory of the Go code, or name another harness"}
	}
	s := &session{dir: dir, opts: opts, gocmd: tc, modules: modules, baselined: make(chan struct{})}
	if s.env, err = tc.goEnv(ctx, filepath.Join(dir, filepath.FromSlash(modules[0].rel))); err != nil {
		return nil, err
	}
	if err := s.findWork(ctx); err != nil {
		return nil, err
	}
	s.flags = splitFlags(s.env.GOFLAGS, opts.Flags)
	if err := s.list(ctx); err != nil {
		return nil, err
	}
	if err := s.narrow(); err != nil {
		return nil, err
	}
	s.kept = newBinaries(filepath.Join(opts.Scratch, "go", "bin"))
	return s, nil
}

// A session runs the tests of the modules of one tree.
type session struct {
	dir     string
	opts    harness.Options
	gocmd   toolchain
	env     goEnv
	flags   flags
	modules []module
	graph   graph
	trouble string // why listing failed for every module
	notes   []string

	kept    *binaries
	reached sync.Map // package directory to *coverage; see reach.go
	ready   ready    // variants that share binaries; see prepare.go

	// baselined is closed when the suites are as Baseline found them.
	baselined    chan struct{}
	baselineDone sync.Once
	combined     *combination // nil when Baseline builds for itself
	asking       sync.WaitGroup
}

// Close waits for what was asked ahead. Binaries lie under Options.Scratch.
func (s *session) Close() error {
	s.asking.Wait()
	return nil
}
