package prove

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/probe"
)

// A fakeProber knows one test that arms a deadline; what it imports late
// depends on the text of lib.x in its tree.
type fakeProber struct {
	trees *[]*fakeTree
	head  string
	late  func(text string, asked int) bool

	mu    sync.Mutex
	asked map[string]int // by text
	quiet bool           // the tree holds no word of deadlines
	found int            // discoveries
	red   bool           // the test fails with anything un-done
	err   error
}

func (p *fakeProber) Names(string) bool             { return true }
func (p *fakeProber) Suspects(string) (bool, error) { return !p.quiet, nil }

func (p *fakeProber) Discover(context.Context, probe.Place, []string) (probe.Discovery, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found++
	return probe.Discovery{Tests: []probe.Found{{Test: "alarm", Facts: deadlineFacts()}}}, p.err
}

func (p *fakeProber) Probe(_ context.Context, place probe.Place, _ harness.TestID, _ probe.Conditions) (probe.Facts, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.head
	for _, tree := range *p.trees {
		if tree.Dir() != place.Dir {
			continue
		}
		after, err := change.Apply([]byte(p.head), tree.edits)
		if err != nil {
			return probe.Facts{}, err
		}
		text = string(after)
	}
	p.asked[text]++
	f := deadlineFacts()
	if p.red && text != p.head {
		f.Status = harness.Failed
	}
	if p.late(text, p.asked[text]) {
		f.Late = []probe.First{{Module: "sdk", At: "helper.x:1"}}
	}
	return f, nil
}

func deadlineFacts() probe.Facts {
	return probe.Facts{Collected: true, Status: harness.Passed, Armed: []probe.Arming{{By: "ITIMER_REAL", At: "lib.x:1"}}}
}

// lateWithoutPreload is late when the word is missing.
func lateWithoutPreload(text string, _ int) bool { return !strings.Contains(text, "preload") }

func proveWithProbes(t *testing.T, c *change.Change, l *fakeLanguage, p *fakeProber) (*Report, error) {
	t.Helper()
	head := string(c.Files[0].New)
	l.head = map[string]string{"lib.x": head}
	trees := newTrees(1)
	tree := <-trees.free
	trees.free <- tree
	p.trees, p.head, p.asked = &[]*fakeTree{tree}, head, map[string]int{}
	return Run(t.Context(), Config{}, c, []Language{{Name: "fake", Source: l, Harness: l, Prober: p}}, trees, Discard{})
}

// supportChange is libChange of a file of fixtures, and a test that sees it.
func supportChange(words ...string) (*change.Change, *fakeLanguage) {
	c := libChange(words...)
	c.Files[0].Kind = change.Support
	return c, &fakeLanguage{rules: map[string]func(string) *harness.Red{"a": needs("")}, cover: []harness.TestID{"a"}}
}

func TestAFixtureThatOnlyAProbeNoticesIsProvenByIt(t *testing.T) {
	c, l := supportChange("preload", "other")
	p := &fakeProber{late: lateWithoutPreload}
	r, err := proveWithProbes(t, c, l, p)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, LateImport, Survived)
	f := r.Findings[0]
	last := f.Trials[len(f.Trials)-1]
	if len(f.Killers) != 1 || f.Killers[0] != "alarm" || !strings.Contains(f.Detail, "sdk at helper.x:1") {
		t.Errorf("the finding is %+v", f)
	}
	if last.Purpose != "component" || f.Trials[len(f.Trials)-2].Purpose != "probe" || len(f.Trials[len(f.Trials)-2].Runs) != 2 || len(last.Runs[0].Late) != 1 {
		t.Errorf("the trials are %+v", f.Trials)
	}
	if len(r.Probes) != 1 || r.Probes[0].Verdict != probe.Held || p.found != 1 {
		t.Errorf("probes %+v, %d discoveries", r.Probes, p.found)
	}
}

func TestAPreloadThatMovedIsHalfUndoneAndNotProvenByAProbe(t *testing.T) {
	// Base has its own preload in the place of both words.
	c, l := supportChange("preload", "deadline")
	r, err := proveWithProbes(t, c, l, &fakeProber{late: func(text string, _ int) bool {
		return !strings.Contains(text, "preload") && strings.Contains(text, "deadline")
	}})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, HalfUndone, Survived)
}

func TestATestThatIsLateOnceOnlyProvesNothing(t *testing.T) {
	c, l := supportChange("preload")
	r, err := proveWithProbes(t, c, l, &fakeProber{late: func(text string, asked int) bool { return !strings.Contains(text, "preload") && asked == 1 }})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, Survived)
}

func TestATestThatFailsAndIsLateOnItsWayProvesNothing(t *testing.T) {
	c, l := supportChange("preload")
	r, err := proveWithProbes(t, c, l, &fakeProber{late: lateWithoutPreload, red: true})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, Survived)
}

func TestATestThatIsLateAtHeadProvesNothing(t *testing.T) {
	c, l := supportChange("preload")
	r, err := proveWithProbes(t, c, l, &fakeProber{late: func(string, int) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, Survived)
	if len(r.Probes) != 1 || r.Probes[0].Verdict != probe.Late {
		t.Errorf("probes %+v", r.Probes)
	}
}

func TestProbesAreMadeForSupportCodeInProjectsWithDeadlinesOnly(t *testing.T) {
	c, l := supportChange("preload")
	c.Files[0].Kind = change.Production
	production := &fakeProber{late: lateWithoutPreload}
	if _, err := proveWithProbes(t, c, l, production); err != nil || production.found > 0 {
		t.Errorf("production code: %d discoveries, %v", production.found, err)
	}
	c, l = supportChange("preload")
	quiet := &fakeProber{late: lateWithoutPreload, quiet: true}
	if _, err := proveWithProbes(t, c, l, quiet); err != nil || quiet.found > 0 {
		t.Errorf("a project without deadlines: %d discoveries, %v", quiet.found, err)
	}
	c, l = supportChange("preload")
	if _, err := proveWithProbes(t, c, l, &fakeProber{late: lateWithoutPreload, err: errors.New("no room")}); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("a prober that cannot work: %v", err)
	}
}
