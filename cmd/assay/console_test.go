package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"

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

func findingAt(line int, v prove.Verdict, r prove.Reason) *prove.Finding {
	return &prove.Finding{File: "a.go", New: change.Span{Start: line, Lines: 1}, Verdict: v, Reason: r}
}

func TestInCIProgressIsOneLineNowAndThenAndTheLastIsAlwaysTold(t *testing.T) {
	var out strings.Builder
	t.Setenv("CI", "true")
	c := (&proveFlags{}).newConsole(&out)
	if c.every != linesEvery {
		t.Fatalf("in CI a line is told every %s", c.every)
	}
	c.every = time.Hour
	c.Event(prove.Event{Stage: "baseline", What: "go"})
	for i := 1; i <= 50; i++ {
		c.Event(prove.Event{Stage: "hunk", What: "a.go", Total: 50})
		c.Event(prove.Event{Stage: "trial", What: "a.go", Trial: &prove.TrialReport{}})
		c.Event(prove.Event{Stage: "decided", Finding: findingAt(i, prove.Proven, prove.Assertion), Done: i, Total: 50})
	}
	if want := "baseline: go\n[50/50] PROVEN a.go:50 assertion\n"; out.String() != want {
		t.Errorf("progress is\n%swant\n%s", out.String(), want)
	}
	c.every = 1 // a nanosecond: always due
	c.Event(prove.Event{Stage: "trial", What: "b.go", Done: 3, Trial: &prove.TrialReport{}})
	if !strings.HasSuffix(out.String(), "\n[3] trying b.go\n") {
		t.Errorf("a long hunk is silent: %q", out.String())
	}
}

func TestALongRunOfMutantsIsNeverSilent(t *testing.T) {
	var out strings.Builder
	c := (&proveFlags{}).newConsole(&out)
	m := &prove.MutantReport{File: "a.go", Start: prove.Position{Line: 4}, Operator: "arithmetic", Description: "+ becomes -", Status: prove.Killed}
	c.Event(prove.Event{Stage: "mutant", Mutant: m, Done: 1, Total: 1})
	c.Event(prove.Event{Stage: "mutant", Mutant: m, Done: 1, Total: 1})
	m.Status = prove.Lived
	c.Event(prove.Event{Stage: "mutant", Mutant: m, Done: 1, Total: 1})
	if want := "[1/1] mutants\n[1/1] survived a.go:4 arithmetic: + becomes -\n"; out.String() != want {
		t.Errorf("progress is\n%swant\n%s", out.String(), want)
	}
}

func TestQuietIsSilent(t *testing.T) {
	var out strings.Builder
	c := (&proveFlags{quiet: true}).newConsole(&out)
	c.Event(prove.Event{Stage: "baseline", What: "go"})
	c.Event(prove.Event{Stage: "decided", Finding: findingAt(1, prove.Proven, prove.Assertion), Done: 1, Total: 1})
	c.close()
	if out.Len() > 0 {
		t.Errorf("quiet progress is %q", out.String())
	}
}

// screen is a terminal that remembers all that was drawn.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func TestTheBoardHasALineForEachHunkAtWorkAndGivesSlotsAgain(t *testing.T) {
	var drawn screen
	refresh := make(chan any)
	at := time.Unix(1000, 0)
	b := newBoard(&drawn, func() time.Time { return at }, mpb.WithManualRefresh(refresh), mpb.WithWidth(100), mpb.ForceTTY())
	b.event(prove.Event{Stage: "baseline", What: "go"}, 0)
	at = at.Add(65 * time.Second)
	if got := b.text(); got != "baseline go, 1m5s" {
		t.Errorf("a long baseline shows as %q", got)
	}
	b.event(prove.Event{Stage: "hunk", What: "a.go:1", Total: 3}, 0)
	b.event(prove.Event{Stage: "hunk", What: "a.go:2", Total: 3}, 0)
	b.event(prove.Event{Stage: "decided", What: "a.go:1", Finding: findingAt(1, prove.Proven, prove.Assertion), Done: 1, Total: 3}, 7*time.Second)
	at = at.Add(2 * time.Second)
	b.event(prove.Event{Stage: "hunk", What: "a.go:3", Total: 3, Done: 1}, 0)
	if len(b.slots) != 2 || b.slots[0].what != "a.go:3" || b.slots[1].what != "a.go:2" {
		t.Errorf("the slots hold %v", b.slots)
	}
	refresh <- nil
	refresh <- nil
	if _, err := b.Write([]byte("a line above\n")); err != nil {
		t.Fatal(err)
	}
	at = at.Add(time.Minute)
	if got := b.text(); got != "PROVEN a.go:1" {
		t.Errorf("an estimate that is used up shows as %q", got)
	}
	b.close()
	drawn.mu.Lock()
	defer drawn.mu.Unlock()
	for _, want := range []string{"un-doing a.go:3", "un-doing a.go:2, 2s", "1/3", "PROVEN a.go:1, about 5s left", "a line above"} {
		if !strings.Contains(drawn.text.String(), want) {
			t.Errorf("the board lacks %q:\n%q", want, drawn.text.String())
		}
	}
}

func TestFitKeepsTheEndWhereAPathSaysMost(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"src/deep/a.go", 6, "…/a.go"}, {"日本語", 4, "…語"}, {"abc", 0, "…"}} {
		if got := fit(c.text, c.width); got != c.want {
			t.Errorf("fit(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
