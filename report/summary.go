package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
	"assay/prove"
)

// shown is how many names a list for people holds before it is counted.
const shown = 5

// Totals is the line that closes every report; its form is fixed.
func Totals(c prove.Counts) string {
	return fmt.Sprintf("%d PROVEN · %d NOT_PROVEN · %d INCONCLUSIVE · %d nothing to prove · %d baseline red",
		c.Proven, c.NotProven, c.Inconclusive, c.NothingToProve, c.BaselineRed)
}

// writeWarning says above everything that the whole change can vanish
// unnoticed.
func writeWarning(w io.Writer, r *prove.Report, s Style) {
	if !r.Unnoticed() {
		return
	}
	line(w, sgr("No test tells this change from its absence.", "31;1", s.Colour))
	paragraph(w, "With all of it un-done every test stays green: right for a refactor, damning for a fix.", "", s)
	line(w, "")
}

func writeSummary(w io.Writer, r *prove.Report, s Style) {
	switch {
	case len(r.Findings) == 0 && r.LeftOut > 0:
		paragraph(w, fmt.Sprintf("The change edits no test code, which is all that --tests-only judges; %s left out. Leave the flag away to judge the rest, test data included.", hunksAre(r.LeftOut)), "", s)
	case len(r.Findings) == 0:
		line(w, "Nothing differs between base and head.")
	}
	writeNext(w, r, s)
	writeClaim(w, r, s)
	writeRun(w, r, s)
	line(w, "")
	if text := compared(r); text != "" {
		paragraph(w, text, "  ", s)
	}
	line(w, Totals(r.Counts))
}

func hunksAre(n int) string {
	if n == 1 {
		return "1 hunk is"
	}
	return fmt.Sprintf("%d hunks are", n)
}

// writeNext says once for each reason that somebody can act on what to do.
func writeNext(w io.Writer, r *prove.Report, s Style) {
	var said []prove.Reason
	for _, v := range []prove.Verdict{prove.NotProven, prove.Inconclusive} {
		for _, reason := range prove.ReasonsOf(v) {
			if next(reason) != "" && hasReason(r, reason) {
				said = append(said, reason)
			}
		}
	}
	ill := illAtHead(r)
	if len(said)+len(ill) > 0 {
		line(w, "\nWhat to do:")
	}
	for _, text := range ill {
		paragraph(w, "  "+text, "    ", s)
	}
	for _, reason := range said {
		paragraph(w, fmt.Sprintf("  %s: %s", reason, next(reason)), "    ", s)
	}
	if len(said) > 0 {
		paragraph(w, "  (assay explain "+string(said[0])+" says more, and so for each)", "    ", s)
	}
}

// illAtHead says what to do about head itself: what is not proven for its sake
// has nothing to do with the hunks.
func illAtHead(r *prove.Report) []string {
	var said []string
	for _, l := range r.Baseline.Languages {
		if slices.ContainsFunc(r.Findings, func(f prove.Finding) bool { return suffers(f, l) }) {
			said = append(said, fmt.Sprintf("%s: make the tests run at head first (the trouble is named below; assay doctor shows it too), then prove again", l.Name))
		}
	}
	var broken []string
	for _, f := range r.Findings {
		if file := plain(change.PathText(f.File)); headIsBroken(f) && !slices.Contains(broken, file) {
			broken = append(broken, file)
		}
	}
	if len(broken) > 0 {
		said = append(said, "does not parse at head: repair "+strings.Join(bounded(broken), ", ")+" first, then prove again")
	}
	return said
}

// suffers reports whether a finding only says why its language's tests do not
// build or collect at head.
func suffers(f prove.Finding, l prove.LanguageBaseline) bool {
	return (f.Reason == prove.DoesNotBuild || f.Reason == prove.CollectionFailed) && l.Trouble != "" && strings.Contains(f.Detail, l.Trouble)
}

// headIsBroken reports whether a finding only says that its file is no program
// of its language at head.
func headIsBroken(f prove.Finding) bool {
	return strings.HasPrefix(f.Detail, "the file does not parse at head")
}

// hasReason reports whether a reason is about a hunk, not about head.
func hasReason(r *prove.Report, reason prove.Reason) bool {
	return slices.ContainsFunc(r.Findings, func(f prove.Finding) bool {
		ofHead := headIsBroken(f) || slices.ContainsFunc(r.Baseline.Languages, func(l prove.LanguageBaseline) bool { return suffers(f, l) })
		if ofHead {
			return false
		}
		return f.Reason == reason || slices.ContainsFunc(f.Units, func(u prove.UnitReport) bool { return u.Reason == reason })
	})
}

// writeClaim says what the added and edited tests do without the change.
func writeClaim(w io.Writer, r *prove.Report, s Style) {
	if len(r.Claim.Tests) == 0 {
		return
	}
	failing := 0
	var others []string
	for _, t := range r.Claim.Tests {
		if t.Verdict == "fails-without" {
			failing++
			continue
		}
		words := testName(t.ID) + " " + t.Verdict
		if t.Reason != "" {
			words += " (" + plain(t.Reason) + ")"
		}
		others = append(others, words)
	}
	line(w, "")
	paragraph(w, fmt.Sprintf("Claim %s: %d of %d added or edited %s without the change%s", r.Claim.Verdict, failing,
		len(r.Claim.Tests), plural(len(r.Claim.Tests), "test fails", "tests fail"), because(r.Claim.Reason)), "  ", s)
	for _, words := range bounded(others) {
		paragraph(w, "  "+words, "    ", s)
	}
}

// writeRun says what a reader should know of the run: tests that could not
// serve as evidence, notes, and hunks that nobody looked at.
func writeRun(w io.Writer, r *prove.Report, s Style) {
	var said []string
	for _, l := range r.Baseline.Languages {
		if l.Trouble != "" {
			said = append(said, l.Name+": no test could be used: "+plain(l.Trouble))
		}
		said = append(said, names(l.Name+": red at head, not used: ", l.Red)...)
		said = append(said, names(l.Name+": flaky, not used: ", l.Flaky)...)
	}
	if len(r.Findings) > 0 && len(r.Probes) > 0 {
		said = append(said, "probes of tests that arm a deadline, at head: "+ProbeTotals(r))
	}
	if r.Whole != nil && r.Whole.Result == "green" && len(r.Whole.Dropped) > 0 {
		said = append(said, "with the whole change un-done every test stays green; left out there, since they need the change itself: "+
			strings.Join(bounded(plainAll(r.Whole.Dropped)), ", "))
	}
	for _, note := range r.Notes {
		said = append(said, "note: "+plain(note))
	}
	if n := r.NotReached.Budget; n > 0 {
		said = append(said, fmt.Sprintf("not reached: %d by --budget or --max-hunks", n))
	}
	if n := r.NotReached.Interrupted; n > 0 {
		said = append(said, fmt.Sprintf("not reached: %d when interrupted", n))
	}
	if len(said) > 0 {
		line(w, "")
	}
	for _, text := range said {
		paragraph(w, text, "  ", s)
	}
}

// names is one sentence with the first of the ids, or none at all.
func names(what string, ids []harness.TestID) []string {
	if len(ids) == 0 {
		return nil
	}
	var list []string
	for _, id := range ids {
		list = append(list, testName(id))
	}
	return []string{what + strings.Join(bounded(list), ", ")}
}

func plainAll(texts []string) []string {
	var all []string
	for _, t := range texts {
		all = append(all, plain(t))
	}
	return all
}

// bounded keeps the first names of a list and counts the others.
func bounded(list []string) []string {
	if len(list) <= shown {
		return list
	}
	return append(slices.Clone(list[:shown]), fmt.Sprintf("and %d more", len(list)-shown))
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + plain(reason) + ")"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// unitScore counts the verdicts of the units of one hunk.
func unitScore(units []prove.UnitReport) string {
	count := map[prove.Verdict]int{}
	for _, u := range units {
		count[u.Verdict]++
	}
	var parts []string
	for _, v := range []prove.Verdict{prove.Proven, prove.NotProven, prove.Inconclusive, prove.NothingToProve} {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	return fmt.Sprintf("%d units: %s", len(units), strings.Join(parts, ", "))
}

func unitName(u prove.UnitReport) string {
	if u.Name != "" {
		return plain(u.Name)
	}
	return fmt.Sprintf("line %d", max(u.New.Start, 1))
}
