package report_test

import (
	"testing"

	"assay/report"
)

func TestAReportKnowsItsOwnKind(t *testing.T) {
	for _, format := range []string{"json", "html", "markdown", "sarif", "junit", "gitlab"} {
		if !report.Own(render(t, format, example(), report.Style{})) {
			t.Errorf("%s is not taken for a report of assay", format)
		}
	}
	for _, format := range []string{"json", "html", "mutation-report"} {
		if !report.Own(renderMutants(t, format, report.Style{})) {
			t.Errorf("%s of mutants is not taken for a report of assay", format)
		}
	}
	for _, text := range []string{"", "{}", "# About assay\n", `{"schema": "other/1"}`, "<html><title>assay</title>"} {
		if report.Own([]byte(text)) {
			t.Errorf("%q is taken for a report", text)
		}
	}
}
