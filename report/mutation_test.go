package report_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/change"
	"assay/harness"
	"assay/prove"
	"assay/report"
)

// mutants is a mutation report in which every fate occurs.
func mutants() *prove.MutationReport {
	half, none := 50.0, 0.0
	r := &prove.MutationReport{
		Schema: prove.MutationSchema, Tool: prove.Tool{Version: "1.0.0"}, Head: strings.Repeat("2", 40), Repo: "demo", Seconds: 3,
		Baseline: prove.Baseline{Languages: []prove.LanguageBaseline{{Name: "go", Toolchain: "go1.26.8", Tests: 2, Green: 1, Red: []harness.TestID{"ex.TestDial"}, Flaky: []harness.TestID{}}}},
		Sample:   prove.Sample{Of: 9, Taken: 6, Seed: 7}, Score: &half, Notes: []string{"a note"},
		Counts: prove.Tally{Killed: 1, Survived: 1, Uncovered: 1, TimedOut: 1, Undecided: 1, Suppressed: 1, NotReached: 1},
		Functions: []prove.FunctionReport{
			{File: "calc/add.go", Name: "func Add", Line: 3, Counts: prove.Tally{Killed: 1, Survived: 1}, Score: &half},
			{File: "calc/add.go", Name: "", Line: 20, Counts: prove.Tally{Suppressed: 1}},
			{File: "calc/deep/a_directory_with_a_rather_long_name/settlement.go", Name: "func Reconciler.settleEverythingThatIsLeftOver", Line: 1, Counts: prove.Tally{Uncovered: 1, TimedOut: 1}, Score: &none},
		},
		Sources: []prove.MutatedFile{{Path: "calc/add.go", Language: "go", Source: []byte("package calc\n")}},
	}
	for i, status := range []prove.Fate{prove.Killed, prove.Lived, prove.Unreached, prove.Hung, prove.Undecided, prove.Suppressed, prove.Skipped} {
		r.Mutants = append(r.Mutants, prove.MutantReport{
			ID: "m" + string(rune('1'+i)), File: "calc/add.go", Function: "func Add", Operator: "arithmetic", Description: "a + b: + becomes -",
			Start: prove.Position{Line: 3 + i, Column: 9}, End: prove.Position{Line: 3 + i, Column: 10}, Status: status, Detail: "in words",
			Killers: []harness.TestID{}, Edit: "--- a/calc/add.go\n+++ b/calc/add.go\n@@ -3 +3 @@\n-\treturn a + b\n+\treturn a - b\x1b[0m\n",
			Edits: []change.Edit{{Path: "calc/add.go", Start: 8, End: 9, Text: []byte("-")}}, Runs: []prove.RunReport{{Tests: 2, Red: []harness.TestID{}, Phase: harness.PhaseRun, Seconds: 0.5}},
		})
	}
	r.Mutants[0].Reason, r.Mutants[0].Killers = prove.Assertion, []harness.TestID{"ex.TestAdd"}
	r.Mutants[4].Reason = prove.Flaky
	return r
}

func renderMutants(t *testing.T, format string, s report.Style) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := report.WriteMutation(&out, format, mutants(), s); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestMutationTable(t *testing.T) {
	golden(t, "mutation.golden", renderMutants(t, "table", report.Style{Width: 80}))
}

func TestAMutationReportIsReadAsItWasWritten(t *testing.T) {
	got, err := report.ReadMutation(bytes.NewReader(renderMutants(t, "json", report.Style{})))
	want := mutants()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
	other := strings.Replace(string(renderMutants(t, "json", report.Style{})), "assay.mutation/1", "assay.mutation/9", 1)
	if _, err := report.ReadMutation(strings.NewReader(other)); err == nil {
		t.Error("a report of another schema is read")
	}
	placeless := strings.Replace(string(renderMutants(t, "json", report.Style{})), `"column": 9`, `"column": 0`, 1)
	for _, text := range []string{"no JSON", placeless} {
		if _, err := report.ReadMutation(strings.NewReader(text)); err == nil {
			t.Errorf("what is no report is read: %.20s", text)
		}
	}
}

// The published schemas: our own, and that of the mutation testing report,
// whose text is that of mutation-testing-report-schema 3.8.4 (Apache-2.0).
func TestMutationReportsKeepThePublishedSchemas(t *testing.T) {
	for format, file := range map[string]string{
		"json": "../docs/mutation.schema.json", "mutation-report": "testdata/mutation-testing-report-schema.json",
	} {
		s, err := jsonschema.NewCompiler().Compile(file)
		if err != nil {
			t.Fatal(err)
		}
		good := renderMutants(t, format, report.Style{})
		if err := validate(t, s, good); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		bad := bytes.Replace(bytes.Replace(good, []byte(`"killed"`), []byte(`"slain"`), 1), []byte(`"Killed"`), []byte(`"Slain"`), 1)
		if validate(t, s, bad) == nil {
			t.Errorf("%s: an unknown status is accepted", format)
		}
	}
}

func TestAnUnknownMutationFormatIsRefused(t *testing.T) {
	if err := report.WriteMutation(&bytes.Buffer{}, "svg", mutants(), report.Style{}); err == nil || !strings.Contains(err.Error(), "mutation-report") {
		t.Errorf("got %v", err)
	}
}

func TestTheTableShowsWhatDeepFound(t *testing.T) {
	r := example()
	f := &r.Findings[0]
	f.Mutants = &prove.MutantScore{Noticed: 1, Of: 2, Survivors: []string{"a1-m1"}}
	f.Trials = append(f.Trials, prove.TrialReport{ID: "a1-m1", Purpose: "mutant", Replay: "assay replay R a1-m1", Edit: "@@ -1 +1 @@\n-\told\n+\tneu\n"},
		prove.TrialReport{ID: "a1-1", Purpose: "undo", Edit: "+ not this one\n"})
	out := string(render(t, "table", r, report.Style{Width: 120}))
	for _, want := range []string{"; 1 of 2", "not noticed at calc/add.go:10: assay replay R a1-m1", "    -    old\n    +    neu\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "not this one") {
		t.Error("a trial that is no survivor is shown")
	}
	if err := validate(t, schema(t), render(t, "json", r, report.Style{})); err != nil {
		t.Error(err)
	}
}
