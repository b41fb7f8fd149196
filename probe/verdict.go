package probe

import (
	"fmt"

	"assay/harness"
)

// A Verdict is what is said of a test. The zero value means inconclusive.
type Verdict string

// The verdicts, from VERDICTS.md.
const (
	Held         Verdict = "held"         // nothing was done for the first time under a deadline
	Late         Verdict = "late"         // something was
	Inconclusive Verdict = "inconclusive" // neither can be said
)

// A Reason says why. Each belongs to one verdict.
type Reason string

// The reasons.
const (
	NothingLate  Reason = "nothing-late"    // held
	LateImport   Reason = "late-import"     // late: it started under a deadline
	CutShort     Reason = "aborted-import"  // late: an exception from outside ended an import
	NotCollected Reason = "did-not-collect" // the test could not be collected
	Crashed      Reason = "crashed"         // the process ended without a result
	TimedOut     Reason = "timed-out"       // the process did not end in time
	Red          Reason = "red"             // the test fails by itself in a fresh process
	RedPlanted   Reason = "red-with-plant"  // it fails with a delay that no deadline saw
	Skipped      Reason = "skipped"         // the test does not run
	NoDeadline   Reason = "no-deadline"     // the test arms none in a fresh process
)

// Decide judges the facts of one process. It is pure. What started under a
// deadline is late however the test ended.
func Decide(f Facts, c Conditions) (Verdict, Reason, string) {
	late := f.counting(c.Global)
	switch {
	case len(late) > 0:
		return Late, LateImport, fmt.Sprintf("%s at %s", late[0].Module, late[0].At)
	case len(f.Aborted) > 0:
		return Late, CutShort, fmt.Sprintf("%s cut short the import of %s", f.Aborted[0].By, f.Aborted[0].Module)
	case f.TimedOut:
		return Inconclusive, TimedOut, f.Trouble
	case !f.Collected:
		return Inconclusive, NotCollected, f.Trouble
	case f.Trouble != "" || f.Status == harness.Unreported || f.Status == "":
		return Inconclusive, Crashed, f.Trouble
	case f.Status == harness.Failed && len(f.Planted) > 0:
		return Inconclusive, RedPlanted, f.Message
	case f.Status == harness.Failed:
		return Inconclusive, Red, f.Message
	case f.Status == harness.Skipped:
		return Inconclusive, Skipped, "the test is skipped"
	case len(f.Armings(c.Global)) == 0:
		return Inconclusive, NoDeadline, noDeadline(f)
	}
	return Held, NothingLate, ""
}

func noDeadline(f Facts) string {
	switch {
	case len(f.Suite) > 0:
		return "only the time-out of the whole suite was armed"
	case len(f.Slow) > 0:
		return "only deadlines that interrupt nothing were armed"
	}
	return "no deadline was armed in a fresh process"
}

// worse reports whether verdict a outweighs b over several attempts.
func worse(a, b Verdict) bool { return rank(a) > rank(b) }

func rank(v Verdict) int {
	switch v {
	case Held:
		return 1
	case Late:
		return 3
	default:
		return 2
	}
}
