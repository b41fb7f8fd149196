package report

import "assay/prove"

// A sheetProbe is one probed test of the page.
type sheetProbe struct {
	Test    string   `json:"test"`
	Verdict string   `json:"verdict"`
	About   []string `json:"about"`
	Preload string   `json:"preload,omitempty"`
}

// probesOf are the probes of r.
func probesOf(_ *prove.Report) []sheetProbe { return []sheetProbe{} }
