package prove

import (
	"slices"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

// kinds used by all evidence of these tests: anything under tests/ is a test.
func testKind(path string) change.Kind {
	if strings.HasPrefix(path, "tests/") {
		return change.Test
	}
	return change.Production
}

func result(id string, red *harness.Red) harness.Result {
	if red == nil {
		return harness.Result{ID: harness.TestID(id), Status: harness.Passed}
	}
	return harness.Result{ID: harness.TestID(id), Status: harness.Failed, Red: red}
}

func ran(results ...harness.Result) harness.Outcome {
	return harness.Outcome{Phase: harness.PhaseRun, Complete: true, Tests: results}
}

var (
	green     = ran(result("a", nil), result("b", nil))
	assertion = &harness.Red{Kind: harness.RedAssertion, Phase: "call", Message: "1 != 2\nmore"}
	inProd    = []harness.Frame{{Path: "lib.py", Line: 3}}
	inTest    = []harness.Frame{{Path: "tests/t.py", Line: 3}, {Path: "lib.py", Line: 1}}
	red       = ran(result("a", assertion), result("b", nil))
	redOther  = ran(result("a", nil), result("b", assertion))
	noBuild   = harness.Outcome{Phase: harness.PhaseBuild, Trouble: "undefined: x", Missing: "x"}
	crash     = harness.Outcome{Phase: harness.PhaseRun, Trouble: "exit 0 without a report", Tests: []harness.Result{result("a", nil)}}
	stray     = harness.Outcome{Phase: harness.PhaseRun, Complete: true, Tests: green.Tests, Strays: []string{"/home/u/lib.py"}}
	command   = redOf(harness.RedCommand, "call", "", nil)
	skipped   = ran(harness.Result{ID: "a", Status: harness.Skipped}, harness.Result{ID: "b", Status: harness.Skipped})
	hangs     = harness.Outcome{Phase: harness.PhaseRun, TimedOut: true, Trouble: "limit", Tests: []harness.Result{
		result("a", &harness.Red{Kind: harness.RedHang, Phase: "call"})}}
)

func redOf(kind harness.RedKind, phase, symbol string, frames []harness.Frame) harness.Outcome {
	return ran(result("a", &harness.Red{Kind: kind, Phase: phase, Symbol: symbol, Message: symbol, Frames: frames}), result("b", nil))
}

// base is evidence of a unit that two tests cover, before any run.
func base(change ...func(*Evidence)) Evidence {
	e := Evidence{
		Direct: 2, Basis: harness.Hit, Expected: []harness.TestID{"a", "b"}, Widest: []harness.TestID{"a", "b"},
		Names: Names{"helper": true}, Kind: testKind, Head: &green, HeadWide: &green,
	}
	for _, c := range change {
		c(&e)
	}
	return e
}

func TestDecide(t *testing.T) {
	undo := func(o ...harness.Outcome) func(*Evidence) { return func(e *Evidence) { e.Undo = o } }
	control := func(o ...harness.Outcome) func(*Evidence) { return func(e *Evidence) { e.Control = o } }
	confirm := func(o ...harness.Outcome) func(*Evidence) { return func(e *Evidence) { e.Confirm = o } }
	head := func(o *harness.Outcome) func(*Evidence) { return func(e *Evidence) { e.Head = o } }
	flaky := func(ids ...harness.TestID) func(*Evidence) {
		return func(e *Evidence) {
			e.Flaky = map[harness.TestID]bool{}
			for _, id := range ids {
				e.Flaky[id] = true
			}
		}
	}
	bothAssert := ran(result("a", assertion), result("b", assertion))
	missingInProd := redOf(harness.RedName, "call", "helper", inProd)
	missingInTest := redOf(harness.RedName, "call", "helper", inTest)
	bothReds := ran(result("a", missingInProd.Tests[0].Red), result("b", assertion))
	testNeedsIt := ran(result("a", missingInTest.Tests[0].Red), result("b", assertion))

	for _, tt := range []struct {
		name   string
		e      Evidence
		reason Reason
	}{
		{"nothing is decided without facts", base(), Internal},
		{"text that cannot stand alone", base(func(e *Evidence) { e.Broken = "half a construct" }), DoesNotBuild},
		{"a name that only this hunk gives", base(func(e *Evidence) { e.Broken, e.Missing = "tests need x", "x" }), MissingSymbol},
		{"the tests do not build at head", base(func(e *Evidence) { e.Trouble, e.Phase = "no", harness.PhaseBuild }), DoesNotBuild},
		{"the tests do not collect at head", base(func(e *Evidence) { e.Trouble, e.Phase = "no", harness.PhaseCollect }), CollectionFailed},
		{"there are no tests", base(func(e *Evidence) { e.Trouble = "none" }), NoTests},
		{"every covering test is red at head", base(func(e *Evidence) { e.Expected, e.RedAtHead = nil, 3 }), BaselineRed},

		{"an assertion, twice", base(undo(red, red)), Assertion},
		{"an assertion not repeated yet", base(undo(red)), Internal},
		{"a red that turns green is flaky", base(undo(red, green)), Flaky},
		{"a red of another test each time is flaky", base(undo(red, redOther)), Flaky},
		{"an assertion, twice, head not run again", base(undo(red, red), head(nil)), Internal},
		{"an assertion, twice, red at head again", base(undo(red, red), head(&red)), Flaky},
		{"an assertion, twice, head does not end", base(undo(red, red), head(&harness.Outcome{Phase: harness.PhaseRun, TimedOut: true})), Flaky},
		{"two killers, one red at head again", base(undo(bothAssert, bothAssert), head(&red)), Assertion},
		{"the only red test is known to be flaky", base(undo(red, red), control(redOther), confirm(green), flaky("a")), Survived},
		{"the only red test is flaky and the only one that sees the plant", base(undo(green), control(red), confirm(green), flaky("a"), func(e *Evidence) { e.Reach = ReachYes }), HarnessBlind},
		{"every covering test is flaky", base(undo(red, red), flaky("a", "b")), BaselineRed},
		{"the component is red by a flaky test only", base(undo(redOther, redOther), flaky("a"), func(e *Evidence) { e.Coupled, e.Component = 1, &red }), HalfUndone},

		{"an empty file that no test misses", base(undo(green), confirm(green), func(e *Evidence) { e.NoPlant, e.Empty, e.Reach = true, true, ReachUnknown }), Formatting},
		{"an empty file that a test misses", base(undo(red, red), func(e *Evidence) { e.NoPlant, e.Empty = true, true }), Assertion},

		{"an error through production code", base(undo(redOf(harness.RedError, "call", "", inProd), redOf(harness.RedError, "call", "", inProd))), ErrorRed},
		{"a panic through production code", base(undo(redOf(harness.RedPanic, "call", "", inProd), redOf(harness.RedPanic, "call", "", inProd))), ErrorRed},
		{"an error in a fixture alone is no evidence", base(undo(redOf(harness.RedError, "setup", "", inTest[:1]))), Crashed},
		{"an error in a fixture through production code", base(undo(redOf(harness.RedError, "setup", "", inTest), redOf(harness.RedError, "setup", "", inTest))), ErrorRed},
		{"an assertion in a fixture alone is no evidence", base(undo(redOf(harness.RedAssertion, "setup", "", nil))), Crashed},
		{"a missing name of this change", base(undo(missingInProd)), MissingSymbol},
		{"a missing name of this change, in the test", base(undo(missingInTest)), MissingSymbol},
		{"a missing name that was always missing", base(undo(redOf(harness.RedName, "call", "bb", inProd), redOf(harness.RedName, "call", "bb", inProd))), ErrorRed},
		{"a changed signature of this change", base(undo(redOf(harness.RedArguments, "call", "Lexer.helper", inProd))), MissingSymbol},
		{"production lacks a name: no other red counts", base(undo(bothReds, bothReds)), MissingSymbol},
		{"one test needs the name, another notices the behaviour", base(undo(testNeedsIt, testNeedsIt)), Assertion},
		{"a red of a test that was not green at head", base(undo(ran(result("z", assertion), result("a", nil)))), Internal},
		{"it does not build", base(undo(noBuild)), DoesNotBuild},
		{"it does not collect", base(undo(harness.Outcome{Phase: harness.PhaseCollect})), CollectionFailed},
		{"it does not collect for want of a name", base(undo(harness.Outcome{Phase: harness.PhaseCollect, Missing: "x"})), MissingSymbol},
		{"a syntax error seen at run time", base(undo(redOf(harness.RedSyntax, "call", "", inProd))), CollectionFailed},
		{"os._exit(0) never reads as green", base(undo(crash)), Crashed},
		{"the process ends inside a test", base(undo(redOf(harness.RedExit, "call", "", nil))), Crashed},
		{"every covering test skips", base(undo(skipped)), NoTests},
		{"the original tree was tested", base(undo(stray)), HarnessBlind},
		{"the edit could not be put on disk", base(undo(harness.Outcome{Phase: harness.PhaseApply, Trouble: "disk full"})), Internal},

		{"a hang that was not looked at", base(undo(hangs)), TimedOut},
		{"a hang alone, twice, green at head", base(undo(hangs), func(e *Evidence) { e.Hang = []bool{true, true, true} }), Hang},
		{"a hang that does not repeat", base(undo(hangs), func(e *Evidence) { e.Hang = []bool{true, true, false} }), TimedOut},
		{"a hang at head too", base(undo(hangs), func(e *Evidence) { e.Hang = []bool{true, false, true} }), TimedOut},
		{"hangs do not count when told so", base(undo(hangs), func(e *Evidence) { e.HangInconclusive, e.Hang = true, []bool{true, true, true} }), TimedOut},
		{"a hang when the whole is green", base(undo(hangs), func(e *Evidence) { e.Hang, e.WholeGreen = []bool{true, true, true}, true }), HalfUndone},

		{"survived", base(undo(green), control(red), confirm(green)), Survived},
		{"green, but a test file does not collect at head", base(undo(green), control(red), confirm(green), func(e *Evidence) { e.Hidden = []harness.TestID{"tests/t.py"} }), BaselineRed},
		{"survived, seen only by the widest selection", base(undo(green), control(green, red), confirm(green)), Survived},
		{"green, never confirmed", base(undo(green), control(red)), Internal},
		{"green, nothing planted", base(undo(green), confirm(green)), Internal},
		{"the widest selection notices", base(undo(green), control(red), confirm(red, red)), Assertion},
		{"the widest selection notices once", base(undo(green), control(red), confirm(red, green)), Flaky},
		{"the widest selection crashes", base(undo(green), control(red), confirm(crash)), Crashed},
		{"tests hit the function but the plant is not seen", base(undo(green), control(green, green), confirm(green), func(e *Evidence) { e.Reach = ReachUnknown }), HarnessBlind},
		{"tests hit the function, none the lines", base(undo(green), control(green), confirm(green), func(e *Evidence) { e.Reach = ReachNo }), Uncovered},
		{"coverage says reached but the plant is not seen", base(undo(green), control(green, green), confirm(green), func(e *Evidence) { e.Direct, e.Reach = 0, ReachYes }), HarnessBlind},
		{"nothing reaches it", base(undo(green), control(green), confirm(green), func(e *Evidence) { e.Direct, e.Wide, e.Reach = 0, true, ReachNo }), Uncovered},
		{"the plant does not build", base(undo(green), control(noBuild, noBuild), confirm(green), func(e *Evidence) { e.Direct = 0 }), HarnessBlind},
		{"no plant is possible", base(undo(green), confirm(green), func(e *Evidence) { e.NoPlant, e.Reach = true, ReachUnknown }), HarnessBlind},
		{"a plant that breaks collection is seen", base(undo(green), control(harness.Outcome{Phase: harness.PhaseCollect}), confirm(green)), Survived},

		{"a command fails without it, and when the file is emptied", base(undo(command, command), control(command), func(e *Evidence) { e.Emptied = true }), ErrorRed},
		{"a command fails without it, emptied it does not build", base(undo(command, command), control(noBuild), func(e *Evidence) { e.Emptied = true }), ErrorRed},
		{"a command fails without it but not when the file is emptied", base(undo(command, command), control(green), func(e *Evidence) { e.Emptied = true }), HarnessBlind},
		{"a command lacks a name of the change", base(undo(redOf(harness.RedName, "call", "helper", nil))), MissingSymbol},
		{"an emptied file that stops the build is seen", base(undo(green), control(noBuild), confirm(green), func(e *Evidence) { e.Emptied = true }), Survived},

		{"coupled, the component stays red", base(undo(red, red), func(e *Evidence) { e.Coupled, e.Component = 1, &red }), Assertion},
		{"coupled, the component does not build", base(undo(red, red), func(e *Evidence) { e.Coupled, e.Component = 1, &noBuild }), Assertion},
		{"coupled, the component is green", base(undo(red, red), func(e *Evidence) { e.Coupled, e.Component = 1, &green }), HalfUndone},
		{"an expectation, missed by its test also with the rest un-done", base(undo(red, red), func(e *Evidence) { e.Expectation, e.Coupled, e.Component = true, 3, &red }), Assertion},
		{"an expectation, missed by others only with the rest un-done", base(undo(red, red), func(e *Evidence) { e.Expectation, e.Coupled, e.Component = true, 3, &redOther }), HalfUndone},
		{"a group, the component is green", base(undo(red, red), control(red), func(e *Evidence) { e.Grouped, e.Coupled, e.Component = true, 1, &green }), Survived},
		{"a group, the component is green and so is the whole", base(undo(red, red), control(red), func(e *Evidence) { e.Grouped, e.WholeGreen, e.Coupled, e.Component = true, true, 1, &green }), Survived},
		{"a group, the component is green but no plant is seen", base(undo(red, red), control(green, green), func(e *Evidence) { e.Grouped, e.Coupled, e.Component = true, 1, &green }), HalfUndone},
		{"a group, the component stays red", base(undo(red, red), func(e *Evidence) { e.Grouped, e.Coupled, e.Component = true, 1, &red }), Assertion},
		{"a group, the component is too large", base(undo(red, red), control(red), func(e *Evidence) { e.Grouped, e.Coupled, e.Component = true, 9, &green }), HalfUndone},
		{"a wide group is noticed", base(undo(red), func(e *Evidence) { e.Grouped, e.Partners = true, 9 }), DoesNotBuild},
		{"a wide group hangs", base(undo(hangs), func(e *Evidence) { e.Grouped, e.Partners, e.Hang = true, 9, []bool{true, true, true} }), DoesNotBuild},
		{"a wide group is noticed by the widest selection", base(undo(green), control(red), confirm(red), func(e *Evidence) { e.Grouped, e.Partners = true, 9 }), DoesNotBuild},
		{"a wide group is not noticed", base(undo(green), control(red), confirm(green), func(e *Evidence) { e.Grouped, e.Partners = true, 9 }), Survived},
		{"coupled, the component was not un-done", base(undo(red, red), func(e *Evidence) { e.Coupled = 1 }), Internal},
		{"the whole is green, but only without the killing test", base(undo(red, red), func(e *Evidence) { e.WholeGreen, e.Dropped = true, map[harness.TestID]bool{"a": true} }), Assertion},
		{"the whole is green without another test", base(undo(red, red), func(e *Evidence) { e.WholeGreen, e.Dropped = true, map[harness.TestID]bool{"b": true} }), HalfUndone},
		{"the whole change un-done is green", base(undo(red, red), func(e *Evidence) { e.WholeGreen = true }), HalfUndone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Decide(tt.e)
			if d.Reason != tt.reason || d.Verdict != tt.reason.Of() {
				t.Errorf("got %s %s (%s), want %s %s", d.Verdict, d.Reason, d.Detail, tt.reason.Of(), tt.reason)
			}
			if d.Verdict == Inconclusive && d.Detail == "" {
				t.Error("an INCONCLUSIVE without words")
			}
			if d.Verdict == Proven && len(d.Killers) == 0 {
				t.Error("PROVEN without a killing test")
			}
		})
	}
}

// TestNextNeverLeavesDecideWithoutFacts walks every way the facts can fall,
// and requires that the steps end and that Decide then has what it needs.
func TestNextNeverLeavesDecideWithoutFacts(t *testing.T) {
	outcomes := []harness.Outcome{green, red, redOther, noBuild, crash, hangs, skipped, stray,
		redOf(harness.RedName, "call", "helper", inProd), redOf(harness.RedError, "call", "", inTest), command}
	starts := []Evidence{base(), base(func(e *Evidence) { e.Wide = true }),
		base(func(e *Evidence) { e.Coupled = 2 }), base(func(e *Evidence) { e.WholeGreen = true }),
		base(func(e *Evidence) { e.WholeGreen, e.Coupled, e.Dropped = true, 1, map[harness.TestID]bool{"a": true} }),
		base(func(e *Evidence) { e.Grouped, e.WholeGreen, e.Coupled = true, true, 2 }),
		base(func(e *Evidence) { e.Grouped, e.Coupled, e.Wide = true, 2, true }),
		base(func(e *Evidence) { e.Grouped, e.Partners = true, 20 }),
		base(func(e *Evidence) { e.NoPlant = true }), base(func(e *Evidence) { e.Direct, e.Wide = 0, true })}
	seen := map[Reason]bool{}
	var walk func(e Evidence, depth int)
	walk = func(e Evidence, depth int) {
		if depth > 10 {
			t.Fatalf("the steps do not end: %+v", e)
		}
		step := Next(e)
		if step == Done {
			d := Decide(e)
			seen[d.Reason] = true
			if d.Reason == Internal {
				t.Fatalf("done, but Decide lacks a fact: %s", d.Detail)
			}
			return
		}
		ends := outcomes
		if step == RunHead { // only whether the killers pass matters there
			ends = []harness.Outcome{green, red, crash}
		}
		for _, o := range ends {
			walk(taken(e, step, o), depth+1)
		}
	}
	for _, e := range starts {
		e.Head, e.HeadWide = nil, nil
		walk(e, 0)
	}
	for _, r := range []Reason{Assertion, ErrorRed, Hang, Survived, Uncovered, HalfUndone, Flaky, Crashed, HarnessBlind, MissingSymbol, NoTests, TimedOut, DoesNotBuild} {
		if !seen[r] {
			t.Errorf("no walk ends in %s", r)
		}
	}
}

// taken is e after a step came out as o.
func taken(e Evidence, step Step, o harness.Outcome) Evidence {
	add := func(list []harness.Outcome) []harness.Outcome { return append(slices.Clone(list), o) }
	switch step {
	case RunUndo, RepeatUndo:
		e.Undo = add(e.Undo)
	case RunHang:
		hung := hanging(o) != ""
		e.Hang = []bool{hung, true, hung}
	case RunControl, WidenControl:
		e.Control = add(e.Control)
	case AskReach:
		e.Reach = ReachUnknown
		if o.Complete {
			e.Reach = ReachNo
		}
	case RunConfirm, RepeatConfirm:
		e.Confirm = add(e.Confirm)
	case RunHead:
		if len(e.Confirm) > 0 {
			e.HeadWide = &o
		} else {
			e.Head = &o
		}
	case RunComponent:
		e.Component = &o
	}
	return e
}

func TestEveryReasonBelongsToOneVerdict(t *testing.T) {
	seen := map[Reason]Verdict{}
	for _, v := range []Verdict{Proven, NotProven, Inconclusive, NothingToProve} {
		for _, r := range ReasonsOf(v) {
			if other, twice := seen[r]; twice {
				t.Errorf("%s belongs to %s and to %s", r, other, v)
			}
			seen[r] = v
			if r.Of() != v {
				t.Errorf("%s.Of() = %s, want %s", r, r.Of(), v)
			}
		}
	}
	if len(seen) != 36 {
		t.Errorf("%d reasons; the list is closed, add the new one to VERDICTS, docs and here", len(seen))
	}
	var zero Verdict
	if zero != Inconclusive {
		t.Error("the zero verdict must be INCONCLUSIVE")
	}
}

func TestAnAddedTestCaseIsATest(t *testing.T) {
	for _, tt := range []struct {
		reason   Reason
		added    bool
		vanished int
		want     Reason
	}{
		{Survived, true, 0, TestHunk},
		{Survived, false, 2, TestHunk},
		{Survived, false, 0, Survived},
		{Uncovered, true, 0, Uncovered},
		{CollectionFailed, true, 0, TestHunk},
		{CollectionFailed, false, 0, CollectionFailed},
		{Assertion, true, 1, Assertion},
		{HalfUndone, false, 0, TestHunk},
	} {
		if got := testCase(settle(tt.reason, ""), tt.added, tt.vanished); got.Reason != tt.want {
			t.Errorf("%+v: got %s", tt, got.Reason)
		}
	}
}

func TestWhyATestOfTheClaimDidNotReport(t *testing.T) {
	half := ran(result("a", assertion))
	half.Complete = false
	hung := half
	hung.TimedOut = true
	for _, tt := range []struct {
		o    harness.Outcome
		want string
	}{
		{red, notRunWithoutAll},
		{half, string(Crashed)},
		{hung, string(TimedOut)},
		{noBuild, string(DoesNotBuild)},
	} {
		if got := notReported(base(), tt.o); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.o, got, tt.want)
		}
	}
}
