package pytest_test

import (
	"testing"

	"assay/change"
	"assay/harness"
)

// tryFirst is try for a run that may end at the first red.
func (p *project) tryFirst(sel harness.Selection, edits ...change.Edit) (harness.Outcome, bool) {
	p.t.Helper()
	warm := p.Session.(harness.Preparer)
	if err := warm.Prepare(p.t.Context(), p.dir, [][]change.Edit{edits}); err != nil {
		p.t.Fatal(err)
	}
	o, done, err := warm.Try(p.t.Context(), harness.Job{Dir: p.dir, Edits: edits, Selection: sel, Scratch: p.t.TempDir(), FirstRed: true})
	if err != nil {
		p.t.Fatal(err)
	}
	return o, done
}

// A run that ends at the first red stands when what ran is green in a fork at
// head, whatever the tests behind it do; a red that forks have anyway does not.
func TestAFirstRedStandsWhenWhatRanIsGreenAtHead(t *testing.T) {
	t.Parallel()
	p := open(t, "first_red", settings{targets: watched("lib.py")}).sound()
	defer p.close()
	all := p.everything()
	seen := p.splice("lib.py", "def value():\n    return 1", "def value():\n    return 2")
	if o, done := p.tryFirst(all, seen); !done || len(o.Red()) != 1 || o.Ran() != 1 {
		t.Errorf("the edit that the first test sees: done %v, %d of %d red", done, len(o.Red()), o.Ran())
	}
	if _, done := p.try(all, seen); done {
		t.Error("the whole selection was taken for green in a fork at head")
	}
	if o, done := p.tryFirst(all, p.splice("lib.py", "def other():\n    return 1", "def other():\n    return 2")); done {
		t.Errorf("a red that every fork has stood: %v", o.Red())
	}
}

// Tests that are likely to be red run before the others.
func TestLikelyTestsRunFirst(t *testing.T) {
	t.Parallel()
	p := open(t, "first_red", settings{targets: watched("lib.py")}).sound()
	defer p.close()
	all := p.everything()
	p.edit("lib.py", "def value():\n    return 1", "def value():\n    return 2")
	for ran, first := range map[int][]harness.TestID{1: nil, 2: all.Tests[1:]} {
		o, err := p.Run(t.Context(), harness.Job{Dir: p.dir, Selection: all, Scratch: t.TempDir(), FirstRed: true, First: first})
		if err != nil || len(o.Red()) != 1 || o.Ran() != ran {
			t.Errorf("%v: %d of %d tests ran are red with %v first, want one of %d", err, len(o.Red()), o.Ran(), first, ran)
		}
	}
}
