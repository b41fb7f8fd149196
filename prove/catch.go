package prove

import (
	"fmt"
	"slices"

	"assay/harness"
)

// A sighting is what was seen of one mutant on one side of a change to tests,
// with production code the same on both sides.
type sighting struct {
	ran    bool
	caught []harness.Result // red by it, as evidence
	reason Reason           // why a run that caught nothing says nothing; "" when it was green
}

// ids are the tests that caught the mutant.
func (s sighting) ids() []harness.TestID { return idsOf(s.caught) }

// A catchFact is everything that was seen of one mutant by both sides.
type catchFact struct {
	before sighting // by the affected tests of base
	after  sighting // by the affected tests of head
	wide   sighting // by every test of head, run only when after caught nothing that before did
	// loss says that the loss was confirmed: with the mutant on disk the base's
	// tests are red again and every test of head is green.
	loss bool
}

// A catchKind is how one mutant fares under a change to tests.
type catchKind int

// The kinds, for the tests that one hunk affects.
const (
	uncaught catchKind = iota // by neither side, or nobody ran it
	kept                      // by the hunk's tests on both sides
	moved                     // at base by the hunk's tests, at head by others only
	lost                      // at base by the hunk's tests, at head by none
	gained                    // at head only
	doubtful                  // caught at base; what head does is not known
	untold                    // the run of a side says nothing, as one past its limit, and no catch is known to be lost
)

// sort says how the mutant fares for the tests that affects names. It is pure.
func (c catchFact) sort(affects func(harness.TestID) bool) catchKind {
	before := slices.ContainsFunc(c.before.ids(), affects)
	after := slices.ContainsFunc(c.after.ids(), affects)
	switch {
	case before && after:
		return kept
	case before && (len(c.after.caught) > 0 || len(c.wide.caught) > 0):
		return moved
	case before && c.loss:
		return lost
	case before:
		return doubtful
	case after && c.before.ran && c.before.reason == "":
		return gained
	case c.before.reason != "" || c.after.reason != "":
		return untold
	}
	return uncaught
}

// A catchTally counts mutants by how they fare.
type catchTally map[catchKind]int

// judgeTests is the verdict on a hunk of test code (VERDICTS.md, test changes).
// unreached says why mutants are left that nobody ran; "" when none are.
func judgeTests(n catchTally, unreached Reason) Decision {
	before := n[kept] + n[moved] + n[lost] + n[doubtful]
	after := n[kept] + n[moved] + n[gained]
	score := fmt.Sprintf("caught %s before, %d after", count(before, "mutant"), after)
	switch {
	case n[lost] > 0:
		return settle(Weakened, fmt.Sprintf("%s: %d no longer by any test%s", score, n[lost], doubtWords(n[doubtful])))
	case n[doubtful] > 0:
		return settle(orReason(unreached, NoKills), fmt.Sprintf("%s: of %s nobody can say whether a test still catches it", score, count(n[doubtful], "mutant")))
	case n[kept]+n[moved] > 0:
		return settle(Kept, score+movedWords(n[moved]))
	case n[gained] > 0:
		return settle(Gained, score)
	case unreached != "":
		return settle(unreached, "no mutant was caught before the run was cut short")
	case n[untold] > 0:
		return settle(NoKills, fmt.Sprintf("neither side is seen to catch a mutant of what its tests run; of %s nobody can say, since runs with them hang or break", count(n[untold], "mutant")))
	}
	return settle(NoKills, "neither side catches a mutant of what its tests run")
}

func orReason(r, otherwise Reason) Reason {
	if r != "" {
		return r
	}
	return otherwise
}

func movedWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d by other tests", n)
}

func doubtWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more that were not confirmed", n)
}

// count is "1 mutant" or "3 mutants".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
