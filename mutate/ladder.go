package mutate

import (
	"context"

	"assay/change"
)

// A Rung is the step of the undo ladder (VERDICTS.md) on which a unit can be
// un-done.
type Rung string

// The rungs, as reports name them.
const (
	RungRevert     Rung = "revert"     // the old text put back, nothing else
	RungGlue       Rung = "glue"       // with repairs that have no behaviour of their own
	RungNeutralise Rung = "neutralise" // a pure addition kept in name, without its behaviour
	RungPartners   Rung = "partners"   // together with other units of the change
	RungNone       Rung = "none"       // no honest un-doing was found
)

// MostPartners is how many other units may be un-done along for a red to say
// something of one (VERDICTS.md, the undo ladder, 6). A plan may have more: a
// green says as much of each as the green of the whole change does.
const MostPartners = 8

// A Plan is how one unit is un-done.
type Plan struct {
	Rung    Rung
	Nothing Inertness // RenamedTo, Moved, Carried: found by looking at the whole change
	// Edits are the complete un-doing against head; they do not overlap.
	Edits    []change.Edit
	Partners []*change.Unit // un-done with it, without the unit itself
	Glue     []string       // what was added to make the old text stand, in words
	Users    []*change.Unit // of a carried declaration: the units that use it
	Why      string         // of RungNone: the reason in words
	Missing  string         // the symbol the reason is about, if any
	Note     string         // what the reader should know besides, such as "API changed"
	// Else is the next rung, for when the tests show at run time that this one
	// does not stand: a name that only running code looks up is missing. nil
	// when there is none.
	Else *Plan
}

// A Ladder finds how each unit of a change can honestly be un-done.
type Ladder interface {
	// Plans returns a Plan for each unit that has a note. dir is a directory
	// that holds head and is not modified. Study has cut the units before.
	Plans(ctx context.Context, dir string, c *change.Change, notes map[*change.Unit]*Note) (map[*change.Unit]*Plan, error)
	// Whole un-does all the given units together, taking out the top-level
	// tests that cannot work without the change; dropped names them as
	// path::declaration, nested declarations divided by "::" as well.
	Whole(ctx context.Context, dir string, c *change.Change, units []*change.Unit) (edits []change.Edit, dropped []string, err error)
}
