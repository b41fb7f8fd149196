package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"

	"assay/probe"
	"assay/prove"
)

// ProbeLines writes one JSON object a line, one for each probed test, in the
// order in which they were probed.
func ProbeLines(w io.Writer, r *prove.Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range r.Probes {
		p := r.Probes[i]
		fillLists(reflect.ValueOf(&p).Elem())
		if err := enc.Encode(p); err != nil {
			return err
		}
	}
	return nil
}

// ProbeTable writes the probes of r for people: one row a test, below it what
// was late and the attempts when there are several, then the preload that
// would fix it, what was not probed, and the totals last. Like Table it is at
// most s.Width wide but for code and totals.
func ProbeTable(w io.Writer, r *prove.Report, s Style) error {
	s.Width = max(s.Width, leastWidth)
	var out bytes.Buffer
	writeProbes(&out, r, s)
	writeRun(&out, r, s)
	line(&out, "")
	line(&out, ProbeTotals(r))
	_, err := w.Write(out.Bytes())
	return err
}

// writeProbes is the part of a report that its probes are.
func writeProbes(w io.Writer, r *prove.Report, s Style) {
	if len(r.Probes) > 0 {
		line(w, "VERDICT       TEST")
		line(w, strings.Repeat("─", s.Width))
	}
	for _, p := range r.Probes {
		writeProbe(w, p, s)
	}
	writePreloads(w, r.Probes, s)
	writeUnprobed(w, r, s)
}

// ProbeTotals is the line that closes a report of probes.
func ProbeTotals(r *prove.Report) string {
	count := map[probe.Verdict]int{}
	for _, p := range r.Probes {
		count[p.Verdict]++
	}
	return fmt.Sprintf("%d held · %d late · %d inconclusive · %d not probed",
		count[probe.Held], count[probe.Late], count[probe.Inconclusive], len(r.Unprobed))
}

// probeColumn is where the second column of a probe begins.
const probeColumn = len("inconclusive") + gap

func writeProbe(w io.Writer, p probe.Probe, s Style) {
	name := wrapPath(plain(string(p.Test)), s.Width-probeColumn)
	code := map[probe.Verdict]string{probe.Held: "32", probe.Late: "31;1", probe.Inconclusive: "33"}[p.Verdict]
	pad := strings.Repeat(" ", probeColumn-displaywidth.String(string(p.Verdict)))
	line(w, sgr(string(p.Verdict), code, s.Colour)+pad+name[0])
	for _, rest := range name[1:] {
		line(w, strings.Repeat(" ", probeColumn)+rest)
	}
	for _, text := range about(p) {
		paragraph(w, strings.Repeat(" ", probeColumn)+plain(text), strings.Repeat(" ", probeColumn+2), s)
	}
}

// about are the lines below a probe.
func about(p probe.Probe) []string {
	var said []string
	if p.Verdict != probe.Held || p.Detail != "" {
		said = append(said, string(p.Reason)+reasonDetail(p.Detail))
	}
	armings := p.Armed
	if len(armings) == 0 {
		armings = p.Suite
	}
	said = append(said, bounded(each(armings, armed))...)
	for _, l := range bounded(firsts(p.Late)) {
		said = append(said, "late: "+l)
	}
	if len(p.Armed) == 0 {
		for _, l := range bounded(firsts(p.UnderSuite)) {
			said = append(said, "under the suite's time-out: "+l)
		}
	}
	for _, l := range bounded(firsts(p.Slow)) {
		said = append(said, "slow: "+l)
	}
	for _, c := range p.Clobbered {
		said = append(said, fmt.Sprintf("clobbered: the deadline of %s was %s by %s with %.1f s left", c.Of, c.How, c.At, c.Seconds))
	}
	if len(p.Aborted) > 0 {
		said = append(said, "cut short: "+strings.Join(bounded(each(p.Aborted, aborted)), ", "))
	}
	if len(p.HalfImported) > 0 {
		said = append(said, "left half imported: "+strings.Join(bounded(p.HalfImported), ", "))
	}
	for _, v := range p.Victims {
		said = append(said, fmt.Sprintf("victim: %s: %s", v.Test, v.Message))
	}
	for _, u := range p.Unmet {
		said = append(said, "not as assay.toml expects: "+u)
	}
	return append(said, attempts(p)...)
}

func reasonDetail(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + detail
}

func each[T any](all []T, word func(T) string) []string {
	var words []string
	for _, one := range all {
		words = append(words, word(one))
	}
	return words
}

func armed(a probe.Arming) string {
	text := fmt.Sprintf("armed: %s %g s at %s, in %s", a.By, a.Seconds, a.At, a.Phase)
	if a.Fixture != "" {
		text += ", by the fixture " + a.Fixture
	}
	var missing []string
	for name, loaded := range a.Watch {
		if !loaded {
			missing = append(missing, name)
		}
	}
	if slices.Sort(missing); len(missing) > 0 {
		text += "; not loaded then: " + strings.Join(missing, ", ")
	}
	return text
}

// firsts are those that were asked for by themselves, each with the number of
// those inside it.
func firsts(all []probe.First) []string {
	var texts []string
	for i, f := range all {
		if f.Depth > 0 && i > 0 {
			continue
		}
		inside := 0
		for _, n := range all[i+1:] {
			if n.Depth <= f.Depth {
				break
			}
			inside++
		}
		texts = append(texts, first(f, inside))
	}
	return texts
}

func first(f probe.First, inside int) string {
	text := fmt.Sprintf("%s at %s, %.0f ms", f.Module, f.At, f.MS)
	if inside > 0 {
		text += fmt.Sprintf(", with %d inside", inside)
	}
	for _, mark := range []struct {
		on   bool
		text string
	}{{f.Missing, "found nothing"}, {f.Runner, "asked for by the test runner"}, {f.Again, "was thrown away before"}, {f.Exec, "executed without an import"},
		{f.Thread != "", "in thread " + f.Thread}, {f.By != "", "under " + f.By}} {
		if mark.on {
			text += ", " + mark.text
		}
	}
	return text
}

func aborted(a probe.Aborted) string { return a.Module + " by " + a.By }

func attempts(p probe.Probe) []string {
	if len(p.Attempts) < 2 {
		return nil
	}
	var texts []string
	for _, a := range p.Attempts {
		text := fmt.Sprintf("%s (%s, exit %d)", a.Verdict, a.Status, a.Code)
		if a.Stretched {
			text = fmt.Sprintf("one with longer deadlines (%s)", a.Status)
		}
		texts = append(texts, text)
	}
	return []string{fmt.Sprintf("%d processes: %s", len(texts), strings.Join(texts, ", "))}
}

// writePreloads shows what to load before each deadline, as code.
func writePreloads(w io.Writer, probes []probe.Probe, s Style) {
	for _, p := range probe.Preloads(probes) {
		line(w, "")
		tests := plain(string(p.Tests[0]))
		if n := len(p.Tests) - 1; n > 0 {
			tests += fmt.Sprintf(" and %d more", n)
		}
		paragraph(w, "Load this before the deadline of "+tests+" is armed:", "  ", s)
		for l := range strings.Lines(p.Text()) {
			line(w, strings.TrimRight("    "+plainCode(l), " "))
		}
	}
}

// plainCode makes a line of code safe to print; its spaces are part of it.
func plainCode(l string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, stripEscapes(l))
}

func writeUnprobed(w io.Writer, r *prove.Report, s Style) {
	if len(r.Unprobed) == 0 {
		return
	}
	line(w, "")
	paragraph(w, fmt.Sprintf("%d %s a deadline and %s not probed:", len(r.Unprobed),
		plural(len(r.Unprobed), "test arms", "tests arm"), plural(len(r.Unprobed), "was", "were")), "  ", s)
	for _, u := range r.Unprobed {
		by := u.At
		if u.Fixture != "" {
			by = u.Fixture + " at " + u.At
		}
		paragraph(w, fmt.Sprintf("  %s (%s): %s", plain(string(u.Test)), plain(by), plain(u.Why)), "    ", s)
	}
}
