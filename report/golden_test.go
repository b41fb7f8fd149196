package report_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"assay/change"
	"assay/harness"
	"assay/probe"
	"assay/prove"
	"assay/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

// example is a report in which everything that a renderer can meet occurs.
func example() *prove.Report {
	return &prove.Report{
		Schema: prove.Schema, Tool: prove.Tool{Version: "1.0.0"}, Seconds: 12.5,
		Base: "1111111111111111111111111111111111111111", Head: "2222222222222222222222222222222222222222", Repo: "demo",
		Baseline: prove.Baseline{Languages: []prove.LanguageBaseline{
			{Name: "go", Toolchain: "go1.26.8", Tests: 12, Green: 10,
				Red:   []harness.TestID{"example.com/demo/net.TestDial"},
				Flaky: []harness.TestID{"example.com/demo/net.TestRace/fast"}},
			{Name: "python", Toolchain: "python 3.11.2, pytest 9.2.0", Trouble: "pytest collected nothing"},
		}},
		Counts: prove.Counts{Proven: 2, NotProven: 2, Inconclusive: 3, NothingToProve: 5, BaselineRed: 1},
		Claim: prove.Claim{Verdict: "confirmed", Tests: []prove.ClaimTest{
			{ID: "example.com/demo/calc.TestAdd", Verdict: "fails-without"},
			{ID: "example.com/demo/calc.TestSub", Verdict: "passes-either-way"},
		}},
		Findings:   exampleFindings(),
		NotReached: prove.Causes{Budget: 1},
		Probes:     exampleProbes(),
		Unprobed:   []probe.Unprobed{{Test: "tests/test_b.py::test_other", At: "tests/conftest.py:15", Fixture: "alarm", Why: "another test arms the same deadline"}},
		Compared:   &prove.Compared{With: "3333333333333333333333333333333333333333", New: 5, Known: 1, Gone: 2},
		Notes:      []string{"addopts -n4 was dropped: trials run one process at a time"},
	}
}

func exampleFindings() []prove.Finding {
	return []prove.Finding{
		{ID: "a1", File: "calc/add.go", Old: span(10, 2), New: span(10, 3), Verdict: prove.Proven, Reason: prove.Assertion,
			Rung: "revert", Killers: []harness.TestID{"example.com/demo/calc.TestAdd/carry", "example.com/demo/calc.TestSum"},
			Message: "add_test.go:12: Add(2, 3) = 4,\x1b[31m want 5\x1b[0m\nmore", Covering: 3, Selection: harness.Hit,
			Diff:    "@@ -9,4 +9,5 @@\n func Add(a, b int) int {\r\n-\treturn a\r\n-}\r\n+\t// \u202eadds both\u202c\r\n+\treturn a + b\r\n+}\r\n \r\n",
			Mutants: &prove.MutantScore{Noticed: 1, Of: 2, Survivors: []string{"a1-2"}},
			Trials:  []prove.TrialReport{exampleTrial("a1-1", "undo", "assay replay REPORT.json a1-1"), exampleTrial("a1-2", "mutant", "assay replay REPORT.json a1-2")}},
		{ID: "a2", File: "internal/service/handlers/accounts/very/deep/settlement_reconciliation.go", New: span(120, 4),
			Verdict: prove.NotProven, Reason: prove.Survived, Rung: "partners", Covering: 11, Selection: harness.Hit,
			Partners: []string{"a1"}, Glue: []string{"import of math blanked"}, Note: "the only red is a panic in restored code",
			Diff:   "@@ -119,2 +119,6 @@\n \tx := 1\n+\tif a < b && s != \"</script>```\" {\n+\t\tping(\"@everyone | all\")\n+\t}\n+\t_ = x\n \treturn x\n",
			Trials: []prove.TrialReport{exampleTrial("a2-1", "undo", "assay replay REPORT.json a2-1"), exampleTrial("a2-2", "control", "assay replay REPORT.json a2-2")}},
		{ID: "a3", File: "src/größe.py", New: span(7, 1), Verdict: prove.NotProven, Reason: prove.Uncovered, Rung: "revert", Known: true,
			Diff: "@@ -7,1 +7,1 @@\n-größe = 1\n+größe = 2 # 100%\n\\ No newline at end of file\n"},
		{ID: "a4", File: "src/表.py", New: span(3, 40), Verdict: prove.Proven, Reason: prove.ErrorRed, Rung: "revert",
			Killers: []harness.TestID{"tests/deep/test_table.py::TestTable::test_row[表-1]"}, Message: "KeyError: '表'", Covering: 1,
			Units: []prove.UnitReport{
				{Name: "def row", New: span(3, 20), Verdict: prove.Proven, Reason: prove.ErrorRed},
				{Name: "def column_with_a_name_that_is_far_too_long_for_a_table", New: span(23, 20), Verdict: prove.Inconclusive, Reason: prove.MissingSymbol, Detail: "tests need column"},
			}},
		{ID: "a5", File: "calc/mul.go", New: span(4, 1), Verdict: prove.Inconclusive, Reason: prove.HalfUndone, Rung: "revert", Covering: 2},
		{ID: "a6", File: "calc/late.go", New: span(9, 1), Verdict: prove.Inconclusive, Reason: prove.Budget, Rung: "none"},
		{ID: "a7", File: "net/dial.go", New: span(9, 1), Verdict: prove.Inconclusive, Reason: prove.BaselineRed, Rung: "none"},
		{ID: "a8", File: "README.md", Kind: change.Inert, New: span(1, 1), Verdict: prove.NothingToProve, Reason: prove.Inert, Rung: "none"},
		{ID: "d1", File: "src/مرحبا, a:b.py", Old: span(3, 2), New: span(2, 0), Verdict: prove.Inconclusive, Reason: prove.Flaky, Rung: "revert",
			Diff: "@@ -2,3 +2,1 @@\n a = 1\n-b = 2\n-c = 3\n"},
		{ID: "a9", File: "logo.png", Kind: change.Inert, Verdict: prove.NothingToProve, Reason: prove.Ignored, Detail: "::error::drawn by hand", Rung: "none"},
		{ID: "b1", File: "calc/add_test.go", Kind: change.Test, New: span(4, 2), Verdict: prove.NothingToProve, Reason: prove.TestHunk, Detail: "_test.go", Rung: "none"},
		{ID: "b2", File: "calc/add_test.go", Kind: change.Test, New: span(14, 2), Verdict: prove.NothingToProve, Reason: prove.TestHunk, Detail: "_test.go", Rung: "none"},
		{ID: "b3", File: "calc/mul_test.go", Kind: change.Test, New: span(4, 2), Verdict: prove.NothingToProve, Reason: prove.TestHunk, Detail: "_test.go", Rung: "none"},
	}
}

func exampleProbes() []probe.Probe {
	armed := []probe.Arming{{By: "ITIMER_REAL", Seconds: 5, At: "tests/conftest.py:15", Phase: "setup", Fixture: "alarm", Watch: map[string]bool{"slowsdk.types": false}}}
	late := probe.Facts{Code: 1, Status: harness.Failed, Seconds: 5.2, Armed: armed, Late: []probe.First{{Module: "slowsdk.types", At: "tests/helper.py:3", MS: 53}}}
	return []probe.Probe{
		{Test: "tests/test_a.py::test_<late>", Language: "python", Verdict: probe.Late, Reason: probe.LateImport, Detail: "slowsdk.types at tests/helper.py:3", Facts: late, Preload: []string{"slowsdk.types"}},
		{Test: "tests/test_a.py::test_held", Language: "python", Verdict: probe.Held, Reason: probe.NothingLate, Facts: probe.Facts{Status: harness.Passed, Armed: armed}},
		{Test: "tests/test_c.py::test_red", Language: "python", Verdict: probe.Inconclusive, Reason: probe.Red, Detail: "assert 1 == 2", Facts: probe.Facts{Code: 1, Status: harness.Failed}},
	}
}

// exampleTrial is a trial that two runs were made of.
func exampleTrial(id, purpose, replay string) prove.TrialReport {
	return prove.TrialReport{ID: id, Purpose: purpose, Language: "go", Basis: harness.Hit, Replay: replay,
		Edit:  "--- a/calc/add.go\n+++ b/calc/add.go\n@@ -10,1 +10,1 @@\n-\treturn a + b\n+\treturn a\n",
		Tests: []harness.TestID{"example.com/demo/calc.TestAdd"},
		Runs: []prove.RunReport{
			{Tests: 3, Red: []harness.TestID{"example.com/demo/calc.TestAdd"}, Phase: harness.PhaseRun, Complete: true, Seconds: 0.25, Argv: []string{"go", "test"}},
			{Tests: 0, Phase: harness.PhaseBuild, Trouble: "does not build", Seconds: 0.5},
		}}
}

func span(start, lines int) change.Span { return change.Span{Start: start, Lines: lines} }

// golden compares got with testdata/name; -update writes it instead.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and read the difference.\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}

func render(t *testing.T, format string, r *prove.Report, s report.Style) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := report.Write(&out, format, r, s); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// formatFiles names the golden file of each format beside the table.
func formatFiles() map[string]string {
	return map[string]string{"json": "report.json", "markdown": "report.md", "sarif": "report.sarif", "junit": "report.junit.xml",
		"github": "report.github.txt", "gitlab": "report.gitlab.json"}
}

func TestEveryFormatIsWhatItWas(t *testing.T) {
	for _, format := range report.Formats() {
		if name := formatFiles()[format]; name != "" {
			golden(t, name, render(t, format, example(), report.Style{}))
		} else if format != "table" && format != "html" {
			t.Errorf("the format %s has no golden file", format)
		}
	}
}

func TestTheTableIsWhatItWas(t *testing.T) {
	whole := example()
	unnoticed(whole)
	golden(t, "table-80.txt", render(t, "table", example(), report.Style{Width: 80}))
	golden(t, "table-120.txt", render(t, "table", example(), report.Style{Width: 120}))
	golden(t, "whole-green-80.txt", render(t, "table", whole, report.Style{Width: 80}))
	golden(t, "colour-80.txt", render(t, "table", example(), report.Style{Width: 80, Colour: true}))
	golden(t, "empty.txt", render(t, "table", &prove.Report{Schema: prove.Schema}, report.Style{Width: 80}))
	golden(t, "empty.json", render(t, "json", &prove.Report{Schema: prove.Schema}, report.Style{}))
}

func TestNoLineIsWiderThanAskedAndNoneIsObeyedByATerminalOrACIRunner(t *testing.T) {
	for _, width := range []int{10, 60, 72, 80, 100, 120, 200} {
		for l := range strings.Lines(string(render(t, "table", example(), report.Style{Width: width}))) {
			l = strings.TrimSuffix(l, "\n")
			if got := displaywidth.String(l); got > max(width, 60) && !strings.Contains(l, " baseline red") {
				t.Errorf("width %d: a line has %d columns: %q", width, got, l)
			}
			if strings.ContainsAny(l, "\x1b\r\a") || strings.HasPrefix(strings.TrimSpace(l), "::") || strings.TrimRight(l, " ") != l {
				t.Errorf("width %d: unsafe or untrimmed line %q", width, l)
			}
		}
	}
}

func TestColourChangesNoText(t *testing.T) {
	plain := render(t, "table", example(), report.Style{Width: 80})
	coloured := string(render(t, "table", example(), report.Style{Width: 80, Colour: true}))
	for _, code := range []string{"32", "31;1", "33", "2", "0"} {
		coloured = strings.ReplaceAll(coloured, "\x1b["+code+"m", "")
	}
	if coloured != string(plain) {
		t.Errorf("without its colours the table is\n%s\nbut plain it is\n%s", coloured, plain)
	}
}

func TestJSONReadsBackAsItWasAndHasNoNullLists(t *testing.T) {
	first := render(t, "json", example(), report.Style{})
	r, err := report.Read(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	if again := render(t, "json", r, report.Style{}); !bytes.Equal(first, again) {
		t.Errorf("reading and writing again changed the report:\n%s", again)
	}
	if bytes.Contains(first, []byte("null")) {
		t.Errorf("a report holds null:\n%s", first)
	}
}

func TestAReportOfAnotherSchemaOrFormatIsRefused(t *testing.T) {
	if _, err := report.Read(strings.NewReader(`{"schema":"assay.report/9"}`)); err == nil || !strings.Contains(err.Error(), "assay.report/9") {
		t.Errorf("another schema: %v", err)
	}
	if _, err := report.Read(strings.NewReader(`{"schema":"assay.report/1"}}`)); err == nil {
		t.Error("a report with something after its end is read")
	}
	if _, err := report.Read(strings.NewReader("PROVEN")); err == nil {
		t.Error("a text that is not JSON was read as a report")
	}
	if err := report.Write(&bytes.Buffer{}, "xml", example(), report.Style{}); err == nil || !strings.Contains(err.Error(), "json, junit, markdown") {
		t.Errorf("an unknown format: %v", err)
	}
}
