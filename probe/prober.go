package probe

import (
	"context"

	"assay/harness"
)

// A Prober knows how one language's tests arm deadlines and what first work is.
type Prober interface {
	// Names reports whether a word of the command line can name tests of this
	// language.
	Names(word string) bool
	// Suspects reports whether the tree holds a word of deadlines at all: a
	// cheap look that spares projects without any the cost of a discovery. A
	// deadline that only an installed library arms is not suspected.
	Suspects(dir string) (bool, error)
	// Discover runs the named tests once (all when there are none) and says
	// which of them arm a deadline. Trouble of the project is in the
	// Discovery; an error means the prober itself could not work.
	Discover(ctx context.Context, p Place, named []string) (Discovery, error)
	// Probe runs one test in a fresh process.
	Probe(ctx context.Context, p Place, test harness.TestID, c Conditions) (Facts, error)
}

// An Interrupter is a Prober that can fire a deadline inside an import.
type Interrupter interface {
	// Interrupt runs test and then the others, in one fresh process. When at
	// is not "" the deadline of test fires at that point of its first late
	// import: "package", "nested", "any" or the name of a module.
	Interrupt(ctx context.Context, p Place, test harness.TestID, others []harness.TestID, at string, c Conditions) (Interruption, error)
}

// An Interruption is one process of an Interrupter.
type Interruption struct {
	Fired  string   // the module after which the deadline fired; "" when it did not
	Inside []string // the imports that were under way
	Facts  Facts    // of the interrupted test
	Others []harness.Result
}

// A Place is where a prober works.
type Place struct {
	Dir     string // the tree
	Scratch string // an existing directory; the caller removes it
	Session harness.Session
	Env     []string
	Flags   []string // further flags of the builder, from the user's settings
	// Observe is told each step in words; it may be nil.
	Observe func(string)
}

// A Discovery is what one run of the tests showed.
type Discovery struct {
	Tests   []Found
	Trouble string // why nothing can be said
	Output  string // tail of what the runner printed, when there is Trouble
}

// A Found is one test of the discovery. Only its armings, and what an
// interruption left, say anything there: the first test that imports a module
// pays for all.
type Found struct {
	Test   harness.TestID
	Group  string // tests that share a process with it, as xdist_group names them
	Status harness.Status
	Facts  Facts
}

// arms reports whether a test is worth a probe: it arms a deadline that counts
// or an exception from outside cut one of its imports short.
func (f Found) arms(c Conditions) bool {
	return len(f.Facts.Armings(c.Global)) > 0 || len(f.Facts.Aborted) > 0
}
