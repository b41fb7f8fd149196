package harness

import (
	"context"

	"assay/change"
)

// Reach is implemented by sessions that can tell whether any test executes
// given lines of head. It is asked only when a planted failure was not
// noticed, to tell code that no test reaches from code the harness is blind
// to; it may cost an instrumented run.
type Reach interface {
	// Reached runs in dir, which holds head. known is false when the session
	// cannot tell.
	Reached(ctx context.Context, dir, path string, lines change.Span) (hit, known bool, err error)
}
