package harness

import "time"

// A Phase is how far a run came. A run that came to PhaseRun may still be
// incomplete; see Outcome.Complete.
type Phase string

// The phases, in order.
const (
	PhaseApply   Phase = "apply"   // the edit could not be put on disk
	PhaseBuild   Phase = "build"   // compiling failed (Go)
	PhaseCollect Phase = "collect" // importing or collecting tests failed (pytest)
	PhaseRun     Phase = "run"     // tests ran
)

// An Outcome is the facts of one run. It holds no opinion.
type Outcome struct {
	Phase Phase
	// Complete is true when the runner finished by itself and every selected
	// test has a result of its own.
	Complete bool
	Tests    []Result // of the selected, not excluded tests, leaf tests included
	// Trouble is the text of a build or collection failure, or how the runner
	// died.
	Trouble string
	// Missing names a symbol that Trouble is about, when it is about one.
	Missing  string
	TimedOut bool
	Signal   string // signal that ended the runner, if any
	Exit     int
	Duration time.Duration
	Argv     []string // the command, so that a person can run it again
	Env      []string // what it needs beside the user's own environment
	Output   string   // tail, at most 64 KiB
	// Strays are files of the user's original tree that the run imported in
	// place of the tree's own: the run then says nothing about the edit.
	Strays []string
}

// Red returns the failed tests.
func (o Outcome) Red() []Result {
	var red []Result
	for _, r := range o.Tests {
		if r.Status == Failed {
			red = append(red, r)
		}
	}
	return red
}

// Ran counts the tests that passed or failed.
func (o Outcome) Ran() int {
	n := 0
	for _, r := range o.Tests {
		if r.Status == Passed || r.Status == Failed {
			n++
		}
	}
	return n
}

// Reported returns the tests of which there is a result, in order of the
// selection.
func (o Outcome) Reported() []TestID {
	var ids []TestID
	for _, r := range o.Tests {
		if r.Status != Unreported {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// A Status is how one test ended.
type Status string

// The statuses. XFail counts as Passed when expected, as pytest does.
const (
	Passed     Status = "passed"
	Failed     Status = "failed"
	Skipped    Status = "skipped"
	Unreported Status = "unreported" // selected, but the runner said nothing of it
)

// A Result is how one test ended.
type Result struct {
	ID      TestID
	Status  Status
	Seconds float64
	Red     *Red // set when Failed
}
