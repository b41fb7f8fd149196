package gotest_test

import (
	"strings"
	"testing"
	"time"

	"assay/harness"
)

func TestEachWayToDieIsNamedAndTheRestStillServes(t *testing.T) {
	s := open(t, "crash.txtar", options{maxRun: 3 * time.Second})
	if s.baseline.Trouble != "" || len(s.baseline.Flaky) > 0 {
		t.Fatalf("trouble %q, flaky %q", s.baseline.Trouble, s.baseline.Flaky)
	}
	want := strings.Fields(`ex/crash.ExampleDeref ex/crash.FuzzSeeds ex/crash.FuzzSeeds/seed#0 ex/crash.TestAfter
		ex/crash.TestBefore ex/crash.TestForge ex/crash.TestHang ex/crash.TestPanic ex/crash.TestPanic/after ex/crash.TestPanic/fine
		ex/crash.TestParallel ex/crash.TestParallel/a`)
	if got := ids(s.baseline.Green); got != strings.Join(want, " ") {
		t.Errorf("green:\n got %s\nwant %s", got, strings.Join(want, " "))
	}
	reds := map[harness.TestID]harness.Result{}
	for _, r := range s.baseline.Red {
		reds[r.ID] = r
	}
	for _, c := range []struct {
		test, message, place string
		kind                 harness.RedKind
	}{
		{"TestGoroutine", "nil pointer dereference", "crash/crash.go:9", harness.RedPanic},
		{"TestPanic/nil_pointer", "nil pointer dereference", "crash/crash.go:9", harness.RedPanic},
		{"TestUnterminated", "panic: after output", "crash/crash_test.go:25", harness.RedPanic},
		{"TestPanicNil", "panic called with nil argument", "crash/crash_test.go:28", harness.RedPanic},
		{"TestGoexit", "panic(nil) or runtime.Goexit", "crash/crash_test.go:30", harness.RedPanic},
		{"TestExit0", "unexpected call to os.Exit(0)", "crash/crash.go:22", harness.RedExit},
		{"TestExit1", "exited with code 1 (while TestExit1 ran)", "", harness.RedExit},
		{"TestExit2", "exited with code 2 (while TestExit2 ran)", "", harness.RedExit},
		{"TestLogFatal", "exited with code 1 (while TestLogFatal ran)", "", harness.RedExit},
		{"TestKilled", "signal: killed (while TestKilled ran)", "", harness.RedExit},
		{"TestHang/sub", "test timed out after 3s", "crash/crash_test.go:48", harness.RedHang},
		{"TestParallel/b", "crash_test.go:67: wrong in\ntwo lines", "crash/crash_test.go:67", harness.RedAssertion},
		{"TestOwnAndSub", "said by a helper", "crash/crash_test.go:75", harness.RedAssertion},
		{"ExampleExit", "got:\none\nwant:\ntwo", "", harness.RedAssertion},
		{"FuzzSeeds/seed#1", "seed 2", "crash/crash_test.go:98", harness.RedAssertion},
	} {
		r, ok := reds[harness.TestID("ex/crash."+c.test)]
		delete(reds, harness.TestID("ex/crash."+c.test))
		if !ok {
			t.Errorf("%s is not red", c.test)
			continue
		}
		if r.Red.Kind != c.kind || !strings.Contains(r.Red.Message, c.message) {
			t.Errorf("%s: %s %q, want %s %q", c.test, r.Red.Kind, r.Red.Message, c.kind, c.message)
		}
		if at := innermost(r.Red); at != c.place {
			t.Errorf("%s: innermost place %q, want %q", c.test, at, c.place)
		}
	}
	for id, r := range reds {
		t.Errorf("%s is red: %+v", id, *r.Red)
	}
}

func aPanicLeavesTheRestUnreported(t *testing.T, s *story) {
	o := s.run("a/a.go", "return 1", "panic(\"gone\")")
	if o.Complete || o.Phase != harness.PhaseRun {
		t.Errorf("a run that died is complete: %+v", o)
	}
	for _, r := range o.Tests {
		switch {
		case r.ID == "ex/a.TestA" && (r.Status != harness.Failed || r.Red.Kind != harness.RedPanic):
			t.Errorf("the panicking test is %+v", r)
		case r.ID == "ex/a.TestEmbed" && r.Status != harness.Unreported:
			t.Errorf("a test after the panic is %+v", r)
		}
	}
}

func aPanicBeforeAnyTest(t *testing.T, s *story) {
	o := s.run("a/a.go", "var table = build()", "var table = build()\n\nfunc init() { panic(\"broken table\") }")
	if o.Complete || len(o.Red()) != len(o.Tests) || len(o.Tests) == 0 {
		t.Fatalf("%+v", o)
	}
	red := o.Red()[0].Red
	if red.Kind != harness.RedPanic || !strings.Contains(red.Message, "before any test began") || innermost(red) != "a/a.go:11" {
		t.Errorf("%+v", *red)
	}
}
