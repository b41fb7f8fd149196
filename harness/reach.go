package harness

import (
	"context"

	"assay/change"
)

// Reach is what a Session may offer beside its contract: whether any test
// executes given lines at head. It tells lines that no test reaches from lines
// that tests reach and the harness does not see being changed.
type Reach interface {
	// Reached reports whether any green test that Cover or Widest may select
	// for path executed one of the lines (head coordinates), in a run with
	// coverage made in dir, which must hold head. known is false when coverage
	// cannot tell: no statement on the lines, a file that is not compiled, a
	// run that did not complete. It may cost a build and a run of the covering
	// tests at the first call for a file; later calls are free. An error means
	// the harness itself could not work.
	Reached(ctx context.Context, dir, path string, lines change.Span) (hit, known bool, err error)
}
