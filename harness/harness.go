// Package harness runs the tests of a project and reports facts about each
// run, never an opinion: what a run means is decided in package prove.
//
// A Harness recognises a project and opens a Session on it. A Session lives
// for one proof: Baseline first, then any number of Runs, from several
// goroutines, each in a directory that no other Run uses at the same time.
// Edits are put on disk by the caller before Run and taken away after it.
//
// Every process is started through Start in process.go: own process group,
// own deadline, git's and the runner's environment scrubbed, bounded output.
package harness

import (
	"context"
	"time"

	"assay/change"
)

// A Harness knows one way of running tests.
type Harness interface {
	// Name is the name of the harness in reports: "go", "pytest", "command".
	Name() string
	// Open prepares a session for the tree in dir, which holds head. It fails
	// with a *SetupError when the project cannot be run at all (toolchain not
	// found, no module, interpreter without pytest).
	Open(ctx context.Context, dir string, opts Options) (Session, error)
}

// Options are what every harness is told when it opens.
type Options struct {
	// Origin is the user's own tree, which Dir is a copy of. It is only read:
	// to find interpreters and to tell the tree's code from the original's.
	Origin string
	// Env is the environment of every process, already scrubbed of git's
	// local variables.
	Env []string
	// Scratch is an existing directory for what outlives one run: built
	// binaries, plugin files, caches. Removed by the caller.
	Scratch string
	// MaxRun bounds one run of the whole baseline; 0 means no bound.
	MaxRun time.Duration
	// Hang is the least limit of a test that is suspected to hang; see
	// VERDICTS.md (10 s unless a test of ours lowers it).
	Hang time.Duration
	// Flags are further flags of the runner, from the user's configuration:
	// build and test flags such as -tags=integration or -short for Go.
	Flags []string
	// AllTests makes Baseline run every test there is, also those that are
	// known not to reach the targets.
	AllTests bool
	// Focus are the tests to which the session is confined: others are not
	// there for it, unless they cannot be told from these before anything ran.
	// Empty means no bounds.
	Focus []Focus
	// Fresh makes every run a process of its own, from the start of the
	// interpreter or the program on.
	Fresh bool
	// Targets are the files whose change is to be judged, as Baseline is told
	// them, for a harness that has to know them when it opens. With none it
	// serves for a change of anything.
	Targets []Target
	// Memory is the ceiling of each run's process group, in bytes; see
	// Process.Memory. 0 means none.
	Memory int64
}

// A Focus is a test file, and the declarations in it that are the tests, as
// Namer knows them; without any, every test of the file, and those elsewhere
// that may use what it declares.
type Focus struct {
	Path  string
	Tests []string
}

// A Session runs the tests of one tree at head or with edits on disk.
// Methods other than Close may be called concurrently once Baseline returned.
type Session interface {
	// Baseline runs every test at head twice in dir and learns which tests
	// are green both times, red, or flaky; red and flaky tests are excluded
	// from every later Run. It also records which tests reach the targets.
	// A tree that does not build or collect is a Baseline whose Trouble says
	// so, not an error.
	Baseline(ctx context.Context, dir string, targets []Target) (Baseline, error)
	// Cover returns the tests believed to notice an edit of the given lines
	// (head coordinates) of path, most direct first, and how that is known.
	// It is empty when no test is known to reach them.
	Cover(path string, lines change.Span) Selection
	// Widest returns every green test that could possibly notice an edit of
	// path.
	Widest(path string) Selection
	// Run runs a selection in job.Dir. The Outcome carries every trouble of
	// the project; an error means the harness itself could not work.
	Run(ctx context.Context, job Job) (Outcome, error)
	// Close ends what the session still runs and frees what it holds.
	Close() error
}

// A Target is a file whose lines the baseline watches: a changed one, or, with
// no lines, one whose mutants changed tests may have to catch.
type Target struct {
	Path  string
	Kind  change.Kind
	Lines []change.Span // changed lines in head coordinates
}

// A TestID names a test as its own runner does: "import/path.TestName/sub" for
// Go, a node id for pytest.
type TestID string

// A Basis is how a selection is known to cover an edit.
type Basis string

// The bases, from most to least direct.
const (
	Hit        Basis = "hit"         // these tests executed the lines
	ImportTime Basis = "import-time" // the lines run when the file is imported
	OpenedFile Basis = "opened-file" // these tests opened or embed the file
	Package    Basis = "package"     // these tests' binaries contain the file
	All        Basis = "all"         // every test
)

// A Selection is the tests believed to cover an edit.
type Selection struct {
	Basis Basis
	Tests []TestID // sorted for equality by the harness; empty means none
	// Baselined is true when Baseline ran exactly this selection by itself,
	// twice, and found it green.
	Baselined bool
	// Excluded are the tests that would belong here but are red or flaky at
	// head. When Tests is empty and Excluded is not, the lines are covered by
	// nothing that could serve; that is not the same as being uncovered.
	Excluded []TestID
}

// A Job is one run.
type Job struct {
	Dir       string        // the tree
	Edits     []change.Edit // already on disk in Dir; nil for head. They key caches.
	Selection Selection
	// Scratch is an existing directory of this run alone; TMPDIR of its
	// processes lies under it.
	Scratch string
	// Limit bounds the running of the tests, not building or collecting; 0
	// means the session's own limit: at least 10 times what the selection took
	// in the baseline, at least Options.Hang.
	Limit time.Duration
	// FirstRed lets the run end at its first red test: enough where only
	// whether anything notices is asked. A harness may go on regardless.
	FirstRed bool
	// First are selected tests that are likely to be red, for jobs that may end
	// at the first red: a harness may run them before the others.
	First []TestID
	// Brief makes the session's own limit a short one, for runs of which
	// nothing is concluded when they pass it: BriefLimit stands for
	// Options.Hang.
	Brief bool
	// Spin ends a test as hung that has used a processor for longer than ten
	// times what it took in the baseline, at least SpinLimit, for runs of which
	// a hang is no verdict. Other work on the machine does not count, unlike
	// with a limit of the clock, which holds beside it. A harness that cannot
	// tell goes by the clock alone.
	Spin bool
}

// BriefLimit is the least limit of a brief job: short, since many mutants never
// end, and ten times what the tests took counts where that is more.
const BriefLimit = time.Second

// SpinLimit is the least processor time after which a test counts as spinning.
const SpinLimit = 3 * time.Second

// A Baseline is what the suite does at head.
type Baseline struct {
	Toolchain string // such as "go1.26.8" or "python 3.11.7, pytest 9.2.0"
	Green     []TestID
	Red       []Result // excluded
	Flaky     []TestID // differed between the two runs; excluded
	Skipped   []TestID
	// Uncollected are test files or packages, part of Red, that cannot be
	// collected or built at head: nobody knows what their tests would notice.
	// Selections that they might belong to name them in Excluded.
	Uncollected []TestID
	// Trouble says in one sentence why nothing could be run (does not build,
	// does not collect, no tests); Phase says how far it came.
	Trouble string
	Phase   Phase
	Output  string        // tail of what the runner printed, when there is Trouble
	Seconds float64       // of the longer run
	Notes   []string      // what a user should know: options dropped, strays found
	Limit   time.Duration // the default limit of a run of everything
	// Peak is the most resident memory of any of its process groups, in bytes;
	// 0 without Options.Memory, or where a harness does not look.
	Peak int64
}

// A SetupError says why a harness cannot run a project at all.
type SetupError struct {
	Tried string // what was tried, on what
	Next  string // what to do next
	Err   error
}

func (e *SetupError) Error() string {
	s := e.Tried
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Next != "" {
		s += "; " + e.Next
	}
	return s
}

func (e *SetupError) Unwrap() error { return e.Err }
