package mutatetest

import (
	"testing"

	"assay/change"
	"assay/mutate"
)

// CheckTruth compares the Notes of a hunk with the ground truth: a hunk of the
// same semantics must be settled, and one that plain undoing turns red for any
// other reason than a missing name must not be. With -v it prints each hunk.
func CheckTruth(t *testing.T, k Known, h *change.Hunk, notes map[*change.Unit]*mutate.Note) {
	t.Helper()
	truth, known := k.Truth(h)
	settled := 0
	for _, u := range h.Units {
		n := notes[u]
		if n == nil {
			t.Fatalf("%s %s: no note for unit %q", k.Commit[:10], h.Name(), u.Name)
		}
		if n.Nothing != "" {
			settled++
		}
		if known {
			t.Logf("%s %s %s %v->%v | %s same=%t %s | unit %q nothing=%q broken=%q missing=%q controls=%d body=%v import=%t",
				k.Repo, k.Commit[:10], h.Name(), u.Old, u.New, truth.Verdict, truth.SameSemantics, truth.RedClass, u.Name,
				n.Nothing, n.Broken, n.Missing, len(n.Control), n.Body, n.ImportTime)
		}
	}
	if !known {
		return
	}
	all := settled == len(h.Units)
	if truth.SameSemantics && !all {
		t.Errorf("%s %s: same semantics, but not settled", k.Commit[:10], h.Name())
	}
	if truth.Verdict == "RED" && truth.RedClass != "broken-name" && all {
		t.Errorf("%s %s: a test notices it, yet it is settled", k.Commit[:10], h.Name())
	}
}
