package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"assay/harness"
	"assay/probe"
	"assay/prove"
	"assay/report"
)

// probed is a report of assay probe in which everything that a renderer can
// meet occurs.
func probed() *prove.Report {
	armed := []probe.Arming{
		{By: "ITIMER_REAL", Seconds: 5, At: "tests/conftest.py:12", Phase: "setup", Fixture: "recovery_deadline", Watch: map[string]bool{"sdk.server": false, "sdk": true}},
	}
	late := probe.Facts{Code: 0, Status: harness.Passed, Collected: true, Armed: armed, Suite: []probe.Arming{{By: "pytest-timeout", Seconds: 300, At: "pytest_timeout.py:321", Phase: "setup"}},
		Late: []probe.First{{Module: "sdk.server", At: "tests/helper.py:2", MS: 53}, {Module: "sdk", At: "tests/helper.py:2", MS: 50, Depth: 1},
			{Module: "gone", At: "tests/helper.py:4", Missing: true}, {Module: "worker", At: "tests/helper.py:5", MS: 1, Thread: "pool-1"}},
		Slow:         []probe.First{{Module: "codec", At: "tests/helper.py:9", By: "asyncio.timeout"}},
		Aborted:      []probe.Aborted{{Module: "sdk.server", By: "AssertionError", Deadline: true}},
		HalfImported: []string{"sdk.server.stdio"},
		Clobbered:    []probe.Clobber{{Of: "pytest_timeout.py:321", At: "tests/conftest.py:12", How: "replaced", Seconds: 299.9}},
	}
	held := probe.Facts{Status: harness.Passed, Collected: true, Armed: armed}
	r := example()
	r.Findings, r.Notes = nil, []string{"python: 2 tests run under the suite's own time-out only"}
	r.Probes = []probe.Probe{
		{Test: "tests/test_channel.py::test_subscriber", Language: "python", Verdict: probe.Late, Reason: probe.LateImport,
			Detail: "sdk.server at tests/helper.py:2\x1b[31m", Facts: late, Preload: []string{"sdk.server", "worker"},
			Victims: []probe.Victim{{Test: "tests/test_browser.py::test_patches", Message: "AttributeError: 'module' object at sdk.server has no attribute 'server'"}},
			Attempts: []probe.Attempt{{Facts: probe.Facts{Code: 1, Status: harness.Failed}, Verdict: probe.Late, Reason: probe.LateImport},
				{Facts: late, Stretched: true, Verdict: probe.Late, Reason: probe.LateImport}}},
		{Test: "tests/test_channel.py::test_pending", Language: "python", Verdict: probe.Late, Reason: probe.LateImport, Facts: late, Preload: []string{"sdk.server", "types"}},
		{Test: "tests/test_a_directory_with_a_long_name/test_realtime.py::TestWaker::test_wakes_on_notify[表-1]", Verdict: probe.Held, Reason: probe.NothingLate,
			Facts: held, Expected: probe.Late, Unmet: []string{"expected late, is held"}},
		{Test: "::error::tests/test_odd.py::test_dies", Verdict: probe.Inconclusive, Reason: probe.Crashed, Detail: "the process was ended by killed"},
		{Test: "example.com/shop.TestFetch", Language: "go", Verdict: probe.Late, Reason: probe.LateImport,
			Facts: probe.Facts{Armed: []probe.Arming{{By: "context.WithTimeout", Seconds: 2, At: "shop/shop_test.go:10", Phase: "call"}}}, Preload: []string{"sync.OnceValue at shop/shop.go:5"}},
	}
	r.Unprobed = []probe.Unprobed{{Test: "tests/test_pump.py::test_watchdog", At: "tests/conftest.py:12", Fixture: "recovery_deadline", Why: "another test of the same deadline was"}}
	return r
}

func TestProbesAreDrawnAndWrittenAsTheyWere(t *testing.T) {
	golden(t, "probes-80.txt", render(t, "table", probed(), report.Style{Width: 80}))
	var lines bytes.Buffer
	if err := report.ProbeLines(&lines, probed()); err != nil {
		t.Fatal(err)
	}
	golden(t, "probes.jsonl", lines.Bytes())
	if err := validate(t, schema(t), render(t, "json", probed(), report.Style{})); err != nil {
		t.Error(err)
	}
}

func TestNoLineOfProbesIsWiderThanAskedOrObeyed(t *testing.T) {
	for _, width := range []int{10, 80, 120} {
		for l := range strings.Lines(string(render(t, "table", probed(), report.Style{Width: width}))) {
			l = strings.TrimSuffix(l, "\n")
			code := strings.HasPrefix(l, "    ")
			if got := displaywidth.String(l); got > max(width, 60) && !code && !strings.Contains(l, " not probed") {
				t.Errorf("width %d: a line has %d columns: %q", width, got, l)
			}
			if strings.ContainsAny(l, "\x1b\r\a") || strings.HasPrefix(strings.TrimSpace(l), "::") {
				t.Errorf("width %d: unsafe line %q", width, l)
			}
		}
	}
}
