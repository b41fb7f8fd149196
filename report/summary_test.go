package report_test

import (
	"strings"
	"testing"

	"assay/prove"
	"assay/report"
)

// What is to be done about head itself is not what is to be done about a hunk
// that does not build alone.
func TestAHeadThatDoesNotBuildSaysWhatToDo(t *testing.T) {
	const trouble = "lex.go:3: undefined: x"
	r := &prove.Report{Baseline: prove.Baseline{Languages: []prove.LanguageBaseline{{Name: "go", Trouble: trouble}}},
		Findings: []prove.Finding{
			{File: "lex.go", New: span(3, 1), Reason: prove.DoesNotBuild, Detail: trouble},
			{File: "half.py", New: span(3, 1), Reason: prove.DoesNotBuild, Detail: "the file does not parse at head: <<<<<<<"},
		}}
	got := string(render(t, "table", r, report.Style{Width: 80}))
	for _, want := range []string{"\nWhat to do:\n  go: make the tests run at head first (", "\n  does not parse at head: repair half.py first, then prove again\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report does not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "these lines cannot be taken away alone") {
		t.Errorf("the advice is about the hunk:\n%s", got)
	}
}

// unnoticed makes r a report of a change that no test tells from its absence.
func unnoticed(r *prove.Report) {
	r.Whole = &prove.Whole{Result: "green"}
	r.Claim = prove.Claim{Verdict: prove.ClaimRefuted, Tests: []prove.ClaimTest{{ID: "calc.TestSub", Verdict: prove.PassesEitherWay}}}
}

// A new function with its test is the most common change: nothing but that test
// knows the function, and it cannot even be built without it.
func TestATestThatCannotBeBuiltWithoutTheChangeTellsItFromItsAbsence(t *testing.T) {
	r := example()
	unnoticed(r)
	r.Whole.Dropped = []string{"kind_test.go::TestKind"}
	if out := string(render(t, "table", r, report.Style{Width: 200})); !strings.HasPrefix(out, "No test tells this change from its absence.") {
		t.Errorf("a change that its tests do not notice begins with\n%.80s", out)
	}
	r.Claim.Tests[0].Verdict = prove.FailsWithout
	for _, format := range []string{"table", "markdown", "html", "github"} {
		if out := string(render(t, format, r, report.Style{Width: 200})); strings.Contains(out, "No test tells") {
			t.Errorf("%s says that no test tells the change from its absence", format)
		}
	}
	for _, format := range []string{"table", "markdown", "html"} {
		if out := string(render(t, format, r, report.Style{Width: 200})); !strings.Contains(out, "TestKind") {
			t.Errorf("%s does not name the test that was left out", format)
		}
	}
}
