package report

import (
	"io"
	"net/url"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"assay/docs"
	"assay/prove"
)

// SARIF writes the objections of r as a SARIF 2.1.0 log of one run, one rule a
// reason. NOT_PROVEN is a warning and INCONCLUSIVE a note: nothing is broken
// that an error would stand for. Each result carries the hunk's ID as its
// fingerprint, and after a comparison with an earlier report its state.
func SARIF(w io.Writer, r *prove.Report, _ Style) error {
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("assay").WithVersion(plain(r.Tool.Version))))
	run.WithColumnKind("utf16CodeUnits").WithAutomationDetails(sarif.NewRunAutomationDetails().WithID("assay/" + plain(r.Repo) + "/"))
	properties := sarif.NewPropertyBag()
	properties.Add("base", r.Base)
	properties.Add("head", r.Head)
	properties.Add("totals", Totals(r.Counts))
	run.WithProperties(properties)
	for _, n := range notices(r, false) {
		addRule(run, n)
		run.AddResult(result(r, n, run.GetRuleIndex(n.rule)))
	}
	if run.Results == nil {
		run.Results = []*sarif.Result{} // a log without results says that there are none
	}
	log := sarif.NewReport()
	log.AddRun(run)
	if err := log.PrettyWrite(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// addRule describes a reason, once; the page of the documents is its help, so
// that a reader has it where there is no network.
func addRule(run *sarif.Run, n notice) {
	rule := run.AddRule(n.rule)
	if rule.Name != nil {
		return
	}
	short := meaning(prove.Reason(n.rule))
	if short == "" {
		short = n.title
	}
	page, ok := docs.Reason(n.rule)
	if !ok {
		page = short
	}
	rule.WithName(n.rule).WithHelp(sarif.NewMultiformatMessageString().WithText(page).WithMarkdown(page)).
		WithShortDescription(sarif.NewMultiformatMessageString().WithText(short)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level(n)))
}

func level(n notice) string {
	if n.grave {
		return "warning"
	}
	return "note"
}

func result(r *prove.Report, n notice, rule int) *sarif.Result {
	at := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(relativeURI(n.file)).WithURIBaseID("%SRCROOT%"))
	if n.first > 0 {
		at.WithRegion(sarif.NewSimpleRegion(n.first, n.last))
	}
	res := sarif.NewRuleResult(n.rule).WithRuleIndex(rule).WithLevel(level(n)).
		WithMessage(sarif.NewTextMessage(n.title + ". " + n.text)).
		WithLocations([]*sarif.Location{sarif.NewLocationWithPhysicalLocation(at)}).
		WithPartialFingerprints(map[string]string{"assayHunk/v1": n.id})
	if r.Compared != nil {
		state := "new"
		if n.known {
			state = "unchanged"
		}
		res.WithBaselineState(state)
	}
	return res
}

// relativeURI is a slash-separated path as a relative URI: everything that is
// not plain ASCII is escaped.
func relativeURI(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(p), ":", "%3A") // or a first segment would be a scheme
	}
	return strings.Join(parts, "/")
}
