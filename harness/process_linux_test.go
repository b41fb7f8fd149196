package harness_test

import (
	"os"
	"testing"
	"time"

	"assay/harness"
)

func TestAGroupAboveItsMemoryCeilingIsKilled(t *testing.T) {
	// The hungry process is a grandchild: the ceiling is that of the group.
	script := `awk 'BEGIN { s = "x"; while (1) { s = s s; if (length(s) > 200000000) while (1) {} } }' & wait`
	e, err := harness.Start(t.Context(), harness.Process{
		Argv: []string{"sh", "-c", script}, Env: os.Environ(), Memory: 64 << 20, Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if !e.OverMemory || e.Peak <= 64<<20 || e.TimedOut || e.Signal != "killed" {
		t.Errorf("got %+v; want a group killed for its memory", e)
	}
}

func TestAGroupBelowItsMemoryCeilingIsLeftAlone(t *testing.T) {
	e, err := harness.Start(t.Context(), harness.Process{
		Argv: []string{"sh", "-c", "echo fine"}, Env: os.Environ(), Memory: 1 << 40})
	if err != nil || e.OverMemory || e.Code != 0 {
		t.Errorf("got %+v, %v", e, err)
	}
}
