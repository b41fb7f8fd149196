package main

import (
	"strings"
	"testing"

	"assay/change"
	"assay/prove"
)

func TestProgressSaysWhichVerdictsMayChangeAndWhichDid(t *testing.T) {
	f := &prove.Finding{File: "a.go", New: change.Span{Start: 3, Lines: 1}, Verdict: prove.Proven, Reason: prove.Assertion}
	changed := &prove.Finding{File: "a.go", New: f.New, Verdict: prove.Inconclusive, Reason: prove.HalfUndone}
	var out strings.Builder
	t.Setenv("CI", "")
	c := (&proveFlags{}).newConsole(&out)
	c.Event(prove.Event{Stage: "baseline", What: "go"})
	c.Event(prove.Event{Stage: "decided", Finding: f, Done: 2, Total: 2, Provisional: true})
	c.Event(prove.Event{Stage: "changed", Finding: changed, Done: 2})
	want := "baseline: go\n[2/2] PROVEN (so far) a.go:3 assertion\nchanged: INCONCLUSIVE a.go:3 half-undone\n"
	if out.String() != want {
		t.Errorf("progress is\n%swant\n%s", out.String(), want)
	}
}
