package prove

import (
	"encoding/json"
	"testing"

	"assay/harness"
)

func TestJudgeMutant(t *testing.T) {
	undo := func(o ...harness.Outcome) func(*Evidence) { return func(e *Evidence) { e.Undo = o } }
	confirm := func(o ...harness.Outcome) func(*Evidence) { return func(e *Evidence) { e.Confirm = o } }
	hung := harness.Outcome{Phase: harness.PhaseRun, TimedOut: true}

	for _, tt := range []struct {
		name string
		e    Evidence
		fate Fate
		next Step
	}{
		{"nothing was run", base(), Undecided, RunUndo},
		{"no test executes it", base(func(e *Evidence) { e.Reach = ReachNo }), Unreached, Done},
		{"the tests cannot be used", base(func(e *Evidence) { e.Trouble = "none" }), Undecided, Done},
		{"what covers it is red at head", base(func(e *Evidence) { e.Expected, e.RedAtHead = nil, 2 }), Undecided, Done},
		{"red once", base(undo(red)), Undecided, RepeatUndo},
		{"red twice", base(undo(red, red)), Killed, Done},
		{"red and then green", base(undo(red, green)), Undecided, Done},
		{"another test each time", base(undo(red, redOther)), Undecided, Done},
		{"green, not confirmed", base(undo(green)), Undecided, RunConfirm},
		{"green, and green over the widest", base(undo(green), confirm(green)), Lived, Done},
		{"green, and no other test executes it", base(undo(green), func(e *Evidence) { e.Wide = true }), Lived, Done},
		{"red, and no other test executes it", base(undo(red), func(e *Evidence) { e.Wide = true }), Undecided, RepeatUndo},
		{"noticed over the widest once", base(undo(green), confirm(red)), Undecided, RepeatConfirm},
		{"noticed over the widest twice", base(undo(green), confirm(red, red)), Killed, Done},
		{"a limit passed is no kill", base(undo(hung)), Hung, Done},
		{"a limit passed when a red is repeated", base(undo(red, hung)), Undecided, Done},
		{"a limit passed over the widest", base(undo(green), confirm(hung)), Hung, Done},
		{"it does not build", base(undo(noBuild)), Undecided, Done},
		{"the process ended inside a test", base(undo(redOf(harness.RedExit, "call", "", nil))), Undecided, Done},
		{"a crash over the widest", base(undo(green), confirm(crash)), Undecided, Done},
		{"tests that nobody could collect may notice", base(undo(green), confirm(green), func(e *Evidence) { e.Hidden = []harness.TestID{"h"} }), Undecided, Done},
	} {
		if got := JudgeMutant(tt.e); got.Fate != tt.fate || got.Reason == "" || got.Fate == Killed && len(got.Killers) == 0 {
			t.Errorf("%s: %+v, want %s", tt.name, got, tt.fate)
		}
		if got := NextOfMutant(tt.e); got != tt.next {
			t.Errorf("%s: step %d is next, want %d", tt.name, got, tt.next)
		}
	}
}

func TestFatesAreReadAsTheyAreWritten(t *testing.T) {
	for f := Undecided; f <= Skipped; f++ {
		text, err := json.Marshal(f)
		var back Fate
		if err != nil || json.Unmarshal(text, &back) != nil || back != f {
			t.Errorf("%s comes back as %s (%v)", f, back, err)
		}
	}
	var f Fate
	if json.Unmarshal([]byte(`"slain"`), &f) == nil {
		t.Error("a fate that does not exist is read")
	}
}
