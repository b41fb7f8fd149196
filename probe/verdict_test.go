package probe_test

import (
	"testing"

	"assay/harness"
	"assay/probe"
)

// passed is a test that arms a deadline under which nothing happens.
func passed() probe.Facts {
	return probe.Facts{Collected: true, Status: harness.Passed, Armed: []probe.Arming{{By: "ITIMER_REAL", Seconds: 5, At: "conftest.py:3", Fixture: "deadline"}}}
}

func with(change func(*probe.Facts)) probe.Facts {
	f := passed()
	change(&f)
	return f
}

func TestDecide(t *testing.T) {
	late := []probe.First{{Module: "sdk", At: "helper.py:2"}}
	for name, c := range map[string]struct {
		facts   probe.Facts
		c       probe.Conditions
		verdict probe.Verdict
		reason  probe.Reason
	}{
		"nothing under the deadline":       {passed(), probe.Conditions{}, probe.Held, probe.NothingLate},
		"an import":                        {with(func(f *probe.Facts) { f.Late = late }), probe.Conditions{}, probe.Late, probe.LateImport},
		"an import of a test that crashed": {probe.Facts{Trouble: "gone", Armed: passed().Armed, Late: late}, probe.Conditions{}, probe.Late, probe.LateImport},
		"an import that found nothing": {with(func(f *probe.Facts) { f.Late = []probe.First{{Module: "x", Missing: true}} }),
			probe.Conditions{}, probe.Held, probe.NothingLate},
		"an import that the runner asked for": {with(func(f *probe.Facts) { f.Late = []probe.First{{Module: "difflib", Runner: true}} }),
			probe.Conditions{}, probe.Held, probe.NothingLate},
		"an import under the suite's time-out": {with(func(f *probe.Facts) { f.UnderSuite = []probe.First{{Module: "x"}} }),
			probe.Conditions{}, probe.Held, probe.NothingLate},
		"the same when asked for": {with(func(f *probe.Facts) { f.UnderSuite = []probe.First{{Module: "x"}} }),
			probe.Conditions{Global: true}, probe.Late, probe.LateImport},
		"an import that was cut short": {probe.Facts{Collected: true, Status: harness.Failed, Aborted: []probe.Aborted{{Module: "x", By: "KeyboardInterrupt"}}},
			probe.Conditions{}, probe.Late, probe.CutShort},
		"slow work":  {with(func(f *probe.Facts) { f.Slow = late }), probe.Conditions{}, probe.Held, probe.NothingLate},
		"a red test": {with(func(f *probe.Facts) { f.Status = harness.Failed }), probe.Conditions{}, probe.Inconclusive, probe.Red},
		"a red test with a plant": {with(func(f *probe.Facts) { f.Status, f.Planted = harness.Failed, []probe.Planted{{Module: "x"}} }),
			probe.Conditions{}, probe.Inconclusive, probe.RedPlanted},
		"a skipped test":     {with(func(f *probe.Facts) { f.Status = harness.Skipped }), probe.Conditions{}, probe.Inconclusive, probe.Skipped},
		"no deadline":        {probe.Facts{Collected: true, Status: harness.Passed}, probe.Conditions{}, probe.Inconclusive, probe.NoDeadline},
		"the suite's only":   {probe.Facts{Collected: true, Status: harness.Passed, Suite: []probe.Arming{{}}}, probe.Conditions{}, probe.Inconclusive, probe.NoDeadline},
		"no collection":      {probe.Facts{Status: harness.Unreported, Trouble: "SyntaxError"}, probe.Conditions{}, probe.Inconclusive, probe.NotCollected},
		"a crash":            {probe.Facts{Collected: true, Status: harness.Unreported, Trouble: "killed"}, probe.Conditions{}, probe.Inconclusive, probe.Crashed},
		"nothing at all":     {probe.Facts{}, probe.Conditions{}, probe.Inconclusive, probe.NotCollected},
		"a process too slow": {with(func(f *probe.Facts) { f.TimedOut = true }), probe.Conditions{}, probe.Inconclusive, probe.TimedOut},
	} {
		if v, r, _ := probe.Decide(c.facts, c.c); v != c.verdict || r != c.reason {
			t.Errorf("%s: %s %s, want %s %s", name, v, r, c.verdict, c.reason)
		}
	}
}
