package report

import (
	"fmt"
	"strings"

	"assay/prove"
)

// A sheetData is what the page is drawn from: the report as its script reads
// it. Text that comes from outside is cleaned here and only ever set as text
// there.
type sheetData struct {
	Repo     string       `json:"repo"`
	Base     string       `json:"base"`
	Head     string       `json:"head"`
	Version  string       `json:"version"`
	Started  string       `json:"started"`
	Seconds  float64      `json:"seconds"`
	Lost     string       `json:"lost"`
	Compared string       `json:"compared"`
	Run      string       `json:"run"` // the claim, and what to know of the run
	Hunks    []sheetHunk  `json:"hunks"`
	Patches  []string     `json:"patches"` // of trials; many try the same
	Next     [][2]string  `json:"next"`    // what to do for each reason
	Probes   []sheetProbe `json:"probes"`
	Preloads string       `json:"preloads"` // what would make late probes hold

	painter painter
	seen    map[string]int // where each patch stands in Patches
}

// A sheetHunk is one hunk of the page.
type sheetHunk struct {
	ID        string       `json:"id"`
	File      string       `json:"file"`
	OldFile   string       `json:"old,omitempty"`
	Name      string       `json:"name"`
	Kind      string       `json:"kind"`
	Verdict   string       `json:"verdict"`
	Reason    string       `json:"reason"`
	Why       string       `json:"why"`
	Known     bool         `json:"known,omitempty"`
	Rows      []sheetRow   `json:"rows"`
	Units     [][4]string  `json:"units,omitempty"` // name, verdict, reason, detail
	Message   string       `json:"message,omitempty"`
	Detail    string       `json:"detail,omitempty"`
	Facts     [][2]string  `json:"facts"`
	Killers   []string     `json:"killers,omitempty"`
	Partners  []string     `json:"partners,omitempty"` // IDs
	Trials    []sheetTrial `json:"trials,omitempty"`
	Mutants   string       `json:"mutants,omitempty"`
	Survivors []string     `json:"survivors,omitempty"` // IDs of trials
}

// A sheetRow is one line of a diff: its mark, its numbers on either side (0 for
// none), its text and the runs of highlight.
type sheetRow struct {
	Mark string `json:"m"`
	Old  int    `json:"o,omitempty"`
	New  int    `json:"n,omitempty"`
	Text string `json:"t"`
	Runs string `json:"h,omitempty"`
}

// A sheetTrial is one trial of a hunk.
type sheetTrial struct {
	ID      string     `json:"id"`
	Purpose string     `json:"purpose"`
	Env     string     `json:"env,omitempty"`
	Patch   int        `json:"patch"` // in Patches; -1 for none
	Tests   int        `json:"tests"`
	Basis   string     `json:"basis"`
	Runs    []sheetRun `json:"runs"`
	Replay  string     `json:"replay"`
}

// A sheetRun is one run of a trial.
type sheetRun struct {
	Tests   int      `json:"tests"`
	Red     []string `json:"red"`
	Seconds float64  `json:"seconds"`
	Trouble string   `json:"trouble,omitempty"`
}

func sheetOf(r *prove.Report) *sheetData {
	d := &sheetData{
		Repo: plain(r.Repo), Base: plain(r.Base), Head: plain(r.Head), Version: plain(r.Tool.Version), Seconds: r.Seconds,
		Started: r.Started.UTC().Format("2006-01-02 15:04 UTC"), Lost: lost(r), Compared: compared(r), Run: runText(r),
		Hunks: []sheetHunk{}, Patches: []string{}, Next: [][2]string{}, Probes: probesOf(r), Preloads: preloadText(r),
		painter: painter{}, seen: map[string]int{},
	}
	for _, v := range []prove.Verdict{prove.NotProven, prove.Inconclusive} {
		for _, reason := range prove.ReasonsOf(v) {
			if next(reason) != "" && hasReason(r, reason) {
				d.Next = append(d.Next, [2]string{string(reason), next(reason)})
			}
		}
	}
	for i := range r.Findings {
		d.Hunks = append(d.Hunks, d.hunk(r, &r.Findings[i]))
	}
	return d
}

func preloadText(r *prove.Report) string {
	var out strings.Builder
	writePreloads(&out, r.Probes, Style{Width: 110})
	writeUnprobed(&out, r, Style{Width: 110})
	return strings.Trim(out.String(), "\n")
}

func runText(r *prove.Report) string {
	var out strings.Builder
	writeClaim(&out, r, Style{Width: 110})
	writeRun(&out, r, Style{Width: 110})
	return strings.Trim(out.String(), "\n")
}

func (d *sheetData) hunk(r *prove.Report, f *prove.Finding) sheetHunk {
	_, short, _ := strings.Cut(byRung(f, why(f.Reason, detailOf(r, f), f.Message)), ": ")
	h := sheetHunk{
		ID: f.ID, File: plain(f.File), OldFile: plain(f.OldFile), Name: Name(f), Kind: f.Kind.String(), Verdict: f.Verdict.String(),
		Reason: string(f.Reason), Why: short, Known: f.Known, Rows: rowsOfDiff(f, d.painter), Message: block(f.Message), Detail: block(f.Detail),
		Facts: factsOf(f), Partners: f.Partners,
	}
	for _, u := range f.Units {
		h.Units = append(h.Units, [4]string{unitName(u), u.Verdict.String(), string(u.Reason), plain(u.Detail)})
	}
	if m := f.Mutants; m != nil {
		h.Mutants, h.Survivors = fmt.Sprintf("%d of %d mutants of these lines are noticed", m.Noticed, m.Of), m.Survivors
	}
	for _, id := range f.Killers {
		h.Killers = append(h.Killers, plain(string(id)))
	}
	for _, t := range f.Trials {
		h.Trials = append(h.Trials, d.trial(t))
	}
	return h
}

// factsOf are the small facts of a finding, in the order in which they are
// shown.
func factsOf(f *prove.Finding) [][2]string {
	facts := [][2]string{}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, [2]string{name, plain(value)})
		}
	}
	add("un-done by", rungWords(f.Rung))
	add("tests", tests(f))
	add("chosen by", string(f.Selection))
	add("noticed under", f.Env)
	add("kind", f.Kind.String()+because(f.KindWhy))
	add("renamed from", f.OldFile)
	add("repairs", strings.Join(f.Glue, "; "))
	add("note", f.Note)
	return facts
}

func rungWords(rung string) string {
	switch rung {
	case "revert":
		return "the old text put back"
	case "glue":
		return "the old text put back, with repairs that have no behaviour"
	case "neutralise":
		return "what it adds made to do nothing"
	case "partners":
		return "the old text put back, together with the hunks it needs"
	case "none", "":
		return ""
	}
	return rung
}

func (d *sheetData) trial(t prove.TrialReport) sheetTrial {
	out := sheetTrial{ID: t.ID, Purpose: t.Purpose, Env: plain(t.Env), Patch: -1, Tests: len(t.Tests), Basis: string(t.Basis), Replay: plain(t.Replay), Runs: []sheetRun{}}
	if t.Edit != "" {
		at, ok := d.seen[t.Edit]
		if !ok {
			at = len(d.Patches)
			d.seen[t.Edit] = at
			d.Patches = append(d.Patches, block(t.Edit))
		}
		out.Patch = at
	}
	for _, run := range t.Runs {
		s := sheetRun{Tests: run.Tests, Red: []string{}, Seconds: run.Seconds, Trouble: block(run.Trouble)}
		for _, id := range run.Red {
			s.Red = append(s.Red, plain(string(id)))
		}
		out.Runs = append(out.Runs, s)
	}
	return out
}
