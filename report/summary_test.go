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
