package prove

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"assay/change"
	"assay/harness"
)

// report turns what the proof holds into plain data, in the change's order.
func (p *proof) report(began time.Time) *Report {
	p.settleRest()
	p.hintAll()
	r := p.blank(began)
	if p.cfg.ClaimOnly {
		return r
	}
	for _, h := range p.change.Hunks() {
		if p.cfg.TestsOnly && h.File.Kind != change.Test && h.File.Kind != change.Support {
			r.LeftOut++
			continue
		}
		f := p.finding(h, p.subjectsOf(h))
		r.Counts.Add(f)
		switch f.Reason {
		case Budget:
			r.NotReached.Budget++
		case Interrupted:
			r.NotReached.Interrupted++
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

// blank is the report without its findings.
func (p *proof) blank(began time.Time) *Report {
	r := &Report{
		Schema: Schema, Tool: Tool{Version: p.cfg.Version}, Started: began.UTC().Truncate(time.Second),
		Seconds: round(time.Since(began)), Base: p.change.Base.Commit, Head: p.change.Head.Commit,
		Repo: p.change.Repo, Uncommitted: p.change.Head.Uncommitted,
		Whole: p.whole, Claim: p.finishClaim(), Notes: p.notes,
		Baseline: Baseline{Languages: []LanguageBaseline{}}, Findings: []Finding{},
	}
	if r.Claim.Tests == nil {
		r.Claim.Tests = []ClaimTest{}
	}
	for _, l := range p.lanes {
		r.Baseline.Languages = append(r.Baseline.Languages, l.report())
	}
	p.noteProbes()
	r.Notes = p.notes
	for _, l := range p.lanes {
		r.Probes = append(r.Probes, l.probing.probes...)
	}
	return r
}

// settleRest gives every subject that was not reached the cause.
func (p *proof) settleRest() {
	cause := p.stopped
	if cause == "" {
		cause = Internal
	}
	for _, s := range p.subjects {
		if !s.settled {
			s.decision, s.settled = settle(cause, "not reached"), true
		}
	}
}

func (p *proof) subjectsOf(h *change.Hunk) []*subject {
	var of []*subject
	for _, s := range p.subjects {
		if s.hunk == h {
			of = append(of, s)
		}
	}
	return of
}

// Add counts one more finding.
func (c *Counts) Add(f Finding) {
	switch {
	case f.Reason == BaselineRed:
		c.BaselineRed++
	case f.Verdict == Proven:
		c.Proven++
	case f.Verdict == NotProven:
		c.NotProven++
	case f.Verdict == NothingToProve:
		c.NothingToProve++
	default:
		c.Inconclusive++
	}
}

func (l *lane) report() LanguageBaseline {
	b := LanguageBaseline{
		Name: l.Name, Env: l.under.Name, Toolchain: l.base.Toolchain, Green: len(l.base.Green) - len(l.flaky),
		Tests: len(l.base.Green) + len(l.base.Red) + len(l.base.Flaky) + len(l.base.Skipped),
		Red:   []harness.TestID{}, Flaky: slices.Concat([]harness.TestID{}, l.base.Flaky, slices.Sorted(maps.Keys(l.flaky))),
		Seconds: l.base.Seconds, Trouble: l.trouble, Output: l.base.Output,
	}
	for _, r := range l.base.Red {
		b.Red = append(b.Red, r.ID)
	}
	return b
}

// finding reports one hunk by its units: the worst unit speaks for it.
func (p *proof) finding(h *change.Hunk, units []*subject) Finding {
	f := Finding{
		ID: h.ID, File: h.File.Path, Kind: h.File.Kind, KindWhy: h.File.KindWhy, Language: h.File.Language,
		Old: h.Old, New: h.New, Rung: "none", Units: []UnitReport{}, Partners: []string{},
		Killers: []harness.TestID{}, Trials: []TrialReport{}, Diff: hunkDiff(h),
	}
	if h.File.Status == change.Renamed {
		f.OldFile = h.File.OldPath
	}
	worst := units[0]
	for _, s := range units {
		if s.plan != nil && s.decision.Reason == Carried {
			s.decision.Detail = p.carriers(s)
		}
		if severity(s.decision) > severity(worst.decision) {
			worst = s
		}
		f.Units = append(f.Units, UnitReport{Name: s.unit.Name, Old: s.unit.Old, New: s.unit.New,
			Verdict: s.decision.Verdict, Reason: s.decision.Reason, Detail: s.decision.Detail})
		f.Trials = append(f.Trials, s.trials...)
		for _, id := range s.decision.Killers {
			if !slices.Contains(f.Killers, id) {
				f.Killers = append(f.Killers, id)
			}
		}
		f.Covering = max(f.Covering, s.covering)
	}
	p.wholeFirst(f.Killers)
	d := worst.decision
	f.Verdict, f.Reason, f.Detail, f.Selection = d.Verdict, d.Reason, d.Detail, worst.basis
	f.Env = d.Env
	if d.Red != nil {
		f.RedKind, f.Message = string(d.Red.Kind), d.Red.Message
	}
	if f.Mutants = p.deep[h]; f.Mutants != nil {
		f.Trials = append(f.Trials, f.Mutants.trials...)
	}
	if f.Gate = p.gates[h]; f.Gate != nil {
		for _, l := range f.Gate.Lost {
			f.Trials = append(f.Trials, l.trials...)
		}
	}
	f.Rung = string(worst.rung())
	if worst.plan != nil {
		f.Note = worst.plan.Note
		if !d.Together {
			f.Glue = worst.plan.Glue
		}
	}
	for _, u := range worst.partners() {
		if id := u.Hunk.ID; id != h.ID && !slices.Contains(f.Partners, id) {
			f.Partners = append(f.Partners, id)
		}
	}
	return f
}

// wholeFirst puts the tests first that tell the whole change from its absence
// as well: they are the ones that speak of what the change is for.
func (p *proof) wholeFirst(killers []harness.TestID) {
	if p.whole == nil {
		return
	}
	rank := func(id harness.TestID) int {
		if slices.Contains(p.whole.Red, id) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(killers, func(a, b harness.TestID) int { return rank(a) - rank(b) })
}

// partners are the units un-done along for the subject's verdict.
func (s *subject) partners() []*change.Unit {
	var with []*change.Unit
	switch {
	case s.decision.Together:
		for _, other := range s.coupled {
			with = append(with, other.unit)
		}
	case s.plan != nil:
		with = s.plan.Partners
	}
	return with
}

// severity orders unit verdicts: NOT_PROVEN over INCONCLUSIVE over PROVEN
// (VERDICTS.md); what has nothing to prove speaks last.
func severity(d Decision) int {
	switch d.Verdict {
	case NotProven:
		return 3
	case Inconclusive:
		return 2
	case Proven:
		return 1
	}
	return 0
}

// A trialOf names a trial: whose, what for, with which edits and tests.
type trialOf struct {
	owner, purpose, language, env string
	edits                         []change.Edit
	sel                           harness.Selection
}

// repeats reports whether a reported trial is the same one.
func (t trialOf) repeats(r TrialReport) bool {
	sameEdit := func(a, b change.Edit) bool {
		return a.Path == b.Path && a.Op == b.Op && a.Start == b.Start && a.End == b.End && bytes.Equal(a.Text, b.Text)
	}
	return r.Purpose == t.purpose && r.Language == t.language && r.Env == t.env && slices.Equal(r.Tests, t.sel.Tests) && slices.EqualFunc(r.Edits, t.edits, sameEdit)
}

// addRun appends a run to the last trial when it repeats it, or else as a new
// trial.
func (p *proof) addRun(trials []TrialReport, t trialOf, o harness.Outcome) []TrialReport {
	run := runReport(o)
	if n := len(trials); n > 0 && t.repeats(trials[n-1]) {
		trials[n-1].Runs = append(trials[n-1].Runs, run)
		p.tried(trials[n-1], run)
		return trials
	}
	id := fmt.Sprintf("%s-%d", t.owner, len(trials)+1)
	trial := TrialReport{
		ID: id, Purpose: t.purpose, Language: t.language, Env: t.env, Edit: p.diff(t.edits), Edits: t.edits,
		Basis: t.sel.Basis, Tests: t.sel.Tests, Runs: []RunReport{run},
		Replay: fmt.Sprintf("assay replay %s %s", p.cfg.reportName(), id),
	}
	p.tried(trial, run)
	return append(trials, trial)
}

// tried tells the observer of one more run of a trial.
func (p *proof) tried(t TrialReport, run RunReport) {
	what := "head"
	if len(t.Edits) > 0 {
		what = t.Edits[0].Path
	}
	t.Runs = []RunReport{run}
	p.event(Event{Stage: "trial", What: what, Trial: &t})
}

func runReport(o harness.Outcome) RunReport {
	r := RunReport{Tests: o.Ran(), Red: []harness.TestID{}, Phase: o.Phase, Complete: o.Complete,
		Trouble: o.Trouble, Seconds: round(o.Duration), Argv: o.Argv}
	for _, t := range o.Red() {
		r.Red = append(r.Red, t.ID)
	}
	if len(r.Red) > 0 || !o.Complete {
		r.Output = o.Output
	}
	return r
}

// diff shows edits as a unified diff against head.
func (p *proof) diff(edits []change.Edit) string {
	byPath := map[string][]change.Edit{}
	var paths []string
	for _, e := range edits {
		if byPath[e.Path] == nil {
			paths = append(paths, e.Path)
		}
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	var b strings.Builder
	for _, path := range paths {
		head, old, neu := p.headOf(path), change.PathText("a/"+path), change.PathText("b/"+path)
		switch first := byPath[path][0]; first.Op {
		case change.Remove:
			b.WriteString(udiff.Unified(old, "/dev/null", head, ""))
		case change.Create:
			b.WriteString(udiff.Unified("/dev/null", neu, "", string(first.Text)))
		default:
			// Edits that overlap fail when they are applied, and say so there.
			after, err := change.Apply([]byte(head), byPath[path])
			if err != nil {
				fmt.Fprintf(&b, "%v\n", err)
				continue
			}
			b.WriteString(udiff.Unified(old, neu, head, string(after)))
		}
	}
	return b.String()
}

func (p *proof) headOf(path string) string {
	for _, f := range p.change.Files {
		if f.Path == path && f.Status != change.Deleted {
			return string(f.New)
		}
	}
	for _, f := range p.cfg.Files {
		if f.Path == path {
			return string(f.New)
		}
	}
	return ""
}

func round(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }
