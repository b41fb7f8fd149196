package harness

import (
	"context"
	"time"
)

// A Host is a Session that can run a plugin of another room inside its own
// runs, so that what the plugin sees is what every other run sees: the same
// interpreter, paths, options and plugins.
type Host interface {
	// Host runs the guest in a fresh process. The Outcome is as Run's; with
	// Guest.Select nil it has a Result for every collected test. It needs no
	// Baseline. An error means the harness itself could not work.
	Host(ctx context.Context, g Guest) (Outcome, error)
}

// A Guest is one run with a plugin in it.
type Guest struct {
	Dir     string // the tree; no other run uses it at the same time
	Scratch string // an existing directory of this run alone
	// Path is a directory that holds the plugin, and Plugin its name as the
	// runner's own language imports it.
	Path, Plugin string
	Env          []string // KEY=value for the plugin, over the session's environment
	// Collect names what to look for tests in, as the runner's command line
	// takes it; empty means all.
	Collect []string
	Select  []TestID      // nil: everything collected
	Limit   time.Duration // of the whole process; 0 means none
}
