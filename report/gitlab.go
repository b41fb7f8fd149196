package report

import (
	"encoding/json"
	"io"

	"assay/prove"
)

// A gitlabIssue is one entry of GitLab's code quality report; its fields are
// those that GitLab requires of other tools' reports.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// GitLab writes the objections of r as a GitLab code quality report: NOT_PROVEN
// is major and INCONCLUSIVE minor. What is new in a merge request is found by
// GitLab itself, from the fingerprint: hunk and reason.
func GitLab(w io.Writer, r *prove.Report, _ Style) error {
	issues := []gitlabIssue{}
	for _, n := range notices(r, false) {
		severity := "minor"
		if n.grave {
			severity = "major"
		}
		issues = append(issues, gitlabIssue{
			Description: n.title + ". " + n.text, CheckName: "assay/" + n.rule,
			Fingerprint: n.id + "-" + n.rule, Severity: severity,
			Location: gitlabLocation{n.file, gitlabLines{max(1, n.first), max(1, n.last)}},
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(issues)
}
