package report

import (
	"fmt"
	"strings"

	"assay/prove"
)

// A notice is what a renderer for another tool says of one objection.
type notice struct {
	file        string
	first, last int    // lines at head, at least 1; 0 for a whole file
	id          string // stable: of the hunk, or the test
	rule        string // the reason
	grave       bool   // NOT_PROVEN or late, not INCONCLUSIVE
	known       bool   // to an earlier report
	title       string // verdict and reason
	text        string // one line: what was found, and what can be done
}

// notices are the objections of r in the order of the change, then those of
// its probes. Only those that are not known from an earlier report when fresh
// is set.
func notices(r *prove.Report, fresh bool) []notice {
	var all []notice
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.Objects() || fresh && f.Known {
			continue
		}
		n := notice{file: f.File, id: f.ID, rule: string(f.Reason), grave: f.Verdict == prove.NotProven, known: f.Known,
			title: f.Verdict.String() + ": " + string(f.Reason), text: sentence(r, f)}
		n.first, n.last = place(f)
		all = append(all, n)
	}
	return append(all, probeNotices(r)...)
}

// sentence is why and what can be done, on one line.
func sentence(r *prove.Report, f *prove.Finding) string {
	text := byRung(f, why(f.Reason, detailOf(r, f), f.Message))
	_, text, _ = strings.Cut(text, ": ")
	if units := unitsBehind(f); units != "" {
		text += " [" + units + "]"
	}
	if n := tests(f); n != "" && f.Verdict == prove.NotProven && f.Covering > 0 {
		text += " (" + n + " tests noticed)"
	}
	if do := next(f.Reason); do != "" {
		text += "; " + do
	}
	return text
}

// unitsBehind names the declarations that a finding's verdict comes from, when
// it has several units that do not all say the same.
func unitsBehind(f *prove.Finding) string {
	if alike(f.Units) {
		return ""
	}
	var names []string
	for _, u := range f.Units {
		if u.Verdict == f.Verdict && u.Reason == f.Reason {
			names = append(names, unitName(u))
		}
	}
	return strings.Join(bounded(names), ", ")
}

// alike reports whether the units of a hunk say no more than the hunk does.
func alike(units []prove.UnitReport) bool {
	for _, u := range units {
		if u.Verdict != units[0].Verdict || u.Reason != units[0].Reason || u.Detail != units[0].Detail {
			return false
		}
	}
	return len(units) < 2 || units[0].Verdict == prove.NothingToProve
}

// place is where a finding stands at head. What was deleted stands at the line
// before it, or at line 1.
func place(f *prove.Finding) (first, last int) {
	if f.New == f.Old && f.New.Start == 0 && f.New.Lines == 0 {
		return 0, 0
	}
	first = max(1, f.New.Start)
	return first, max(first, f.New.End())
}

// seconds is how long the trials of a finding took together.
func seconds(f *prove.Finding) float64 {
	total := 0.0
	for _, t := range f.Trials {
		for _, run := range t.Runs {
			total += run.Seconds
		}
	}
	return total
}

// lost is the warning above every report whose whole change can vanish
// unnoticed; "" for the others.
func lost(r *prove.Report) string {
	if !r.Unnoticed() {
		return ""
	}
	return "No test tells this change from its absence. With all of it un-done every test stays green: right for a refactor, damning for a fix."
}

// compared says how the objections stand to those of an earlier report.
func compared(r *prove.Report) string {
	if r.Compared == nil {
		return ""
	}
	return fmt.Sprintf("Against the report of %.12s: %d new, %d known, %d gone", plain(r.Compared.With), r.Compared.New, r.Compared.Known, r.Compared.Gone)
}
