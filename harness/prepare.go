package harness

import (
	"context"

	"assay/change"
)

// Noter is implemented by sessions that learn, while they run, what a user
// should know beside the notes of the baseline.
type Noter interface {
	// Notes returns what was learned so far, each thing once. It may be called
	// at any time.
	Notes() []string
}

// A Preparer is a Session that can make many sets of edits runnable at once,
// so that trying each costs neither a build nor a start-up of its own: one Go
// test binary that holds them all behind a switch, a fork of a warm Python.
// What a Preparer cannot carry is tried the plain way, with Run.
type Preparer interface {
	// Prepare makes as many of the variants as it can ready for Try. Each
	// variant is the edits of one un-doing, mutant or plant, in coordinates of
	// head, which dir holds and goes on holding. A variant that cannot be
	// carried is left out, which is no error. It may be called again with
	// further variants.
	Prepare(ctx context.Context, dir string, variants [][]change.Edit) error
	// Try runs job.Selection with job.Edits in force although job.Dir holds
	// head. done is false when the edits were not prepared, or when the run
	// showed that they have to be on disk (a test that builds or reads
	// sources, starts the program anew, ...): the caller then puts them there
	// and calls Run.
	Try(ctx context.Context, job Job) (o Outcome, done bool, err error)
}

// An EarlyPreparer is a Preparer that may be asked while Baseline runs, in
// another tree that holds head: Prepare then waits for what it needs to know of
// it, and ends when Baseline was given up.
type EarlyPreparer interface {
	Preparer
	// PreparesEarly does nothing: it is there to tell.
	PreparesEarly()
}

// A Combiner is an EarlyPreparer whose Baseline can run what Prepare builds, so
// that there is one build for both.
type Combiner interface {
	EarlyPreparer
	// Combine is called before Baseline and says that Prepare is going to be
	// asked beside it: Baseline waits for what that builds, until release is
	// called. Tests that are not green in it are judged by a build of their
	// own. What it starts ends with ctx. release may be called more than once.
	Combine(ctx context.Context) (release func())
}

// A HeadChecker is a Preparer whose Try is done only when what it reports red is
// green without the edits: in the same run of the same tests, or, for a job that
// may end at its first red, by itself. Nobody need find that out before.
type HeadChecker interface {
	Preparer
	// ChecksHead does nothing: it is there to tell.
	ChecksHead()
}

// A Hitter is a Preparer that knows which tests come by prepared edits.
type Hitter interface {
	// Hits returns the green tests that, at head, come by a place where the
	// edits have effect: no other test can notice them, but through what these
	// tests leave behind. known is false when the edits were not prepared or
	// the harness cannot tell; every test must then be taken to.
	Hits(edits []change.Edit) (tests []TestID, known bool)
}

// A CodeComparer is a Session of a compiled language that can tell edits which
// change nothing that the compiler makes: no test can ever notice them.
type CodeComparer interface {
	// SameCode reports for each variant, in coordinates of head, which dir
	// holds, whether the functions it edits compile to the very same machine
	// code. It is false wherever that cannot be told. scratch is an existing
	// directory for its files.
	SameCode(ctx context.Context, dir, scratch string, variants [][]change.Edit) ([]bool, error)
}
