package report

import (
	"assay/prove"
)

// A sheetProbe is one probed test of the page.
type sheetProbe struct {
	Test    string   `json:"test"`
	Verdict string   `json:"verdict"`
	About   []string `json:"about"`
}

// probesOf are the probes of r.
func probesOf(r *prove.Report) []sheetProbe {
	all := []sheetProbe{}
	for _, p := range r.Probes {
		all = append(all, sheetProbe{plain(string(p.Test)), string(p.Verdict), each(about(p), plain)})
	}
	return all
}
