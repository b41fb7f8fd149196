package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"assay/prove"
)

// MutationTable writes r for people: a row for each function, then each
// survivor as a patch, what was not decided, and the totals last.
func MutationTable(w io.Writer, r *prove.MutationReport, s Style) error {
	s.Width = max(s.Width, leastWidth)
	var out bytes.Buffer
	if len(r.Functions) > 0 {
		if err := writeFunctions(&out, r, s); err != nil {
			return err
		}
	}
	writeSurvivors(&out, r, s)
	writeUnsettled(&out, r, s)
	writeMutationRun(&out, r, s)
	line(&out, MutationTotals(r))
	_, err := w.Write(out.Bytes())
	return err
}

var functionHeader = []string{"FUNCTION", "KILLED", "SURVIVED", "UNCOVERED", "TIMED OUT", "OTHER", "SCORE"}

// writeFunctions draws the counts of each function. OTHER is what is in no
// score beside the timed out: suppressed, undecided and not reached.
func writeFunctions(out *bytes.Buffer, r *prove.MutationReport, s Style) error {
	taken := 0
	for _, h := range functionHeader[1:] {
		taken += len(h) + gap
	}
	var drawn bytes.Buffer
	config := plainCells()
	config.Header.Padding.PerColumn, config.Row.Padding.PerColumn = nil, nil
	right := tw.CellAlignment{PerColumn: []tw.Align{tw.AlignLeft, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight}}
	config.Header.Alignment, config.Row.Alignment = right, right
	table := tablewriter.NewTable(&drawn, tablewriter.WithConfig(config), tablewriter.WithRenderer(borderless()))
	table.Header(functionHeader)
	file := ""
	for _, f := range r.Functions {
		if f.File != file {
			file = f.File
			if err := table.Append([]string{strings.Join(wrapPath(plain(file), s.Width-taken), "\n"), "", "", "", "", "", ""}); err != nil {
				return err
			}
		}
		name := f.Name
		if name == "" {
			name = "(package level)"
		}
		c := f.Counts
		cells := []string{"  " + strings.Join(wrapPath(plain(name), s.Width-taken-2), "\n  ")}
		for _, n := range []int{c.Killed, c.Survived, c.Uncovered, c.TimedOut, c.Suppressed + c.Undecided + c.NotReached} {
			cells = append(cells, number(n))
		}
		if err := table.Append(append(cells, percent(f.Score))); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	for l := range strings.Lines(drawn.String()) {
		out.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return nil
}

// number leaves nought out, so that the eye finds what is there.
func number(n int) string {
	if n == 0 {
		return "·"
	}
	return fmt.Sprint(n)
}

func percent(score *float64) string {
	if score == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", *score)
}

// writeSurvivors shows each survivor with its patch; mutants that no test
// reaches are listed by place alone, since any patch would do.
func writeSurvivors(w io.Writer, r *prove.MutationReport, s Style) {
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.Status == prove.Lived {
			line(w, "")
			paragraph(w, sgr("survived", "31;1", s.Colour)+" "+mutantName(m)+" ("+plain(m.Detail)+")", "  ", s)
			writePatch(w, m.Edit)
		}
	}
	var uncovered []string
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.Status == prove.Unreached {
			place := fmt.Sprintf("%s:%d", m.File, m.Start.Line)
			if n := len(uncovered); n == 0 || uncovered[n-1] != place {
				uncovered = append(uncovered, place)
			}
		}
	}
	if len(uncovered) > 0 {
		line(w, "")
		paragraph(w, "no test executes: "+strings.Join(uncovered, ", "), "  ", s)
	}
}

// patchLine is one line of a patch: its tabs as four columns, and without what could
// steer a terminal.
func patchLine(l string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(l, "\t", "    "))
}

func mutantName(m *prove.MutantReport) string {
	return fmt.Sprintf("%s:%d %s: %s", m.File, m.Start.Line, m.Operator, plain(m.Description))
}

// writeUnsettled lists what timed out or could not be decided, and counts what
// was suppressed by rule.
func writeUnsettled(w io.Writer, r *prove.MutationReport, s Style) {
	first := true
	say := func(text string) {
		if first {
			line(w, "")
		}
		first = false
		paragraph(w, text, "  ", s)
	}
	rules, count := []string{}, map[string]int{}
	for i := range r.Mutants {
		switch m := &r.Mutants[i]; m.Status {
		case prove.Hung:
			say("timed out " + mutantName(m))
		case prove.Undecided:
			say("undecided " + mutantName(m) + " (" + string(m.Reason) + ": " + plain(m.Detail) + ")")
		case prove.Suppressed:
			if count[m.Detail] == 0 {
				rules = append(rules, m.Detail)
			}
			count[m.Detail]++
		}
	}
	for _, rule := range rules {
		say(fmt.Sprintf("suppressed %d by %s", count[rule], plain(rule)))
	}
}

// writeMutationRun writes what mutationRun says.
func writeMutationRun(w io.Writer, r *prove.MutationReport, s Style) {
	line(w, "")
	for _, text := range mutationRun(r) {
		paragraph(w, text, "  ", s)
	}
}

// mutationRun is what a reader should know of the run.
func mutationRun(r *prove.MutationReport) []string {
	var said []string
	for _, l := range r.Baseline.Languages {
		if l.Trouble != "" {
			said = append(said, l.Name+": no test could be used: "+plain(l.Trouble))
		}
		said = append(said, names(l.Name+": red at head, not used: ", l.Red)...)
		said = append(said, names(l.Name+": flaky, not used: ", l.Flaky)...)
	}
	for _, note := range r.Notes {
		said = append(said, "note: "+plain(note))
	}
	if r.Sample.Taken < r.Sample.Of || r.Counts.NotReached > 0 {
		said = append(said, fmt.Sprintf("%d of %d mutants drawn with --seed %d, %d of them not reached", r.Sample.Taken, r.Sample.Of, r.Sample.Seed, r.Counts.NotReached))
	}
	return said
}

// MutationTotals is the line that closes a mutation report; its form is fixed.
func MutationTotals(r *prove.MutationReport) string {
	c := r.Counts
	return fmt.Sprintf("%d killed · %d survived · %d uncovered · %d timed out · %d undecided · %d suppressed · %d not reached · score %s",
		c.Killed, c.Survived, c.Uncovered, c.TimedOut, c.Undecided, c.Suppressed, c.NotReached, percent(r.Score))
}
