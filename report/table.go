package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"assay/prove"
)

// Least width that a table is drawn for, and the columns between two cells.
const (
	leastWidth = 60
	gap        = 2
)

// Table writes r for people: the claim above everything when the whole change
// can vanish unnoticed, one row a hunk (its units below it when there are
// several), what can be done about each objection, and the totals last. No
// line but the totals is wider than s.Width, which is taken as 60 when it is
// less.
func Table(w io.Writer, r *prove.Report, s Style) error {
	if len(r.Findings) == 0 && len(r.Probes)+len(r.Unprobed) > 0 {
		return ProbeTable(w, r, s) // what assay probe saved
	}
	s.Width = max(s.Width, leastWidth)
	var out bytes.Buffer
	writeWarning(&out, r, s)
	if len(r.Findings) > 0 {
		if err := writeRows(&out, rowsOf(r), s); err != nil {
			return err
		}
	}
	if len(r.Probes)+len(r.Unprobed) > 0 {
		line(&out, "")
		writeProbes(&out, r, s)
	}
	writeDeep(&out, r, s)
	writeGate(&out, r, s)
	writeSummary(&out, r, s)
	_, err := w.Write(out.Bytes())
	return err
}

// A row is one line of the table before it is wrapped.
type row struct {
	verdict prove.Verdict
	unit    bool // indented under the hunk above
	cells   [4]string
}

func rowsOf(r *prove.Report) []row {
	var rows []row
	for i := 0; i < len(r.Findings); i++ {
		f := &r.Findings[i]
		if n := alikeFrom(r.Findings[i:]); n > 1 {
			cell := fmt.Sprintf("%d hunks, %s", n, why(f.Reason, f.Detail, ""))
			rows = append(rows, row{f.Verdict, false, [4]string{f.Verdict.String(), Name(f), cell, ""}})
			i += n - 1
			continue
		}
		cell := byRung(f, why(f.Reason, detailOf(r, f), f.Message))
		units := telling(f.Units)
		switch settled := reasonsOf(units); {
		case len(f.Units) > 1 && settled != "":
			cell, units = settled, nil
		case len(units) < 2:
			units = nil
		default:
			cell = unitScore(units)
		}
		cell = gateScore(f, cell)
		if f.Known {
			cell = "known, " + cell
		}
		rows = append(rows, row{f.Verdict, false, [4]string{f.Verdict.String(), Name(f), noticed(f, cell), tests(f)}})
		for _, u := range units {
			rows = append(rows, row{u.Verdict, true, [4]string{u.Verdict.String(), unitName(u), why(u.Reason, u.Detail, ""), ""}})
		}
	}
	return rows
}

// alikeFrom counts the hunks from the first on that are settled by their file:
// one line says of all of them what there is to say.
func alikeFrom(findings []prove.Finding) int {
	first := &findings[0]
	switch first.Reason {
	case prove.TestHunk, prove.Inert, prove.Generated:
	default:
		return 1
	}
	n := 1
	for n < len(findings) && findings[n].File == first.File && findings[n].Reason == first.Reason && findings[n].Detail == first.Detail {
		n++
	}
	return n
}

// telling are the units of a hunk without its imports and package clause, when
// there are others: every new file has them.
func telling(units []prove.UnitReport) []prove.UnitReport {
	others := slices.DeleteFunc(slices.Clone(units), func(u prove.UnitReport) bool { return u.Reason == prove.Imports })
	if len(others) == 0 {
		return units
	}
	return others
}

// reasonsOf are the reasons of units that all have nothing to prove, each once:
// a reader has nothing to do for any of them. "" when some unit has something.
func reasonsOf(units []prove.UnitReport) string {
	var all []string
	for _, u := range units {
		if u.Verdict != prove.NothingToProve {
			return ""
		}
		if text := why(u.Reason, u.Detail, ""); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

// detailOf is the detail of a finding, unless it is what ails a whole language:
// the summary says that once for all of them.
func detailOf(r *prove.Report, f *prove.Finding) string {
	for _, l := range r.Baseline.Languages {
		if l.Trouble != "" && strings.Contains(f.Detail, l.Trouble) {
			return "no " + l.Name + " test could be used, see below"
		}
	}
	return f.Detail
}

// writeRows draws the rows. The cells are wrapped here and not by tablewriter,
// whose limits count the padding of a column or not depending on the column.
func writeRows(out *bytes.Buffer, rows []row, s Style) error {
	var drawn bytes.Buffer
	widths := columnWidths(rows, s.Width)
	table := tablewriter.NewTable(&drawn, tablewriter.WithConfig(plainCells()), tablewriter.WithRenderer(borderless()))
	table.Header(header[0], header[1], header[2], header[3])
	for _, r := range rows {
		if err := table.Append(cellsOf(r, widths, s)); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(drawn.String()) {
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return nil
}

var header = [4]string{"VERDICT", "HUNK", "WHY", "TESTS"}

func cellsOf(r row, widths [4]int, s Style) []string {
	hunk, verdict := wrapPath(r.cells[1], widths[1]), r.cells[0]
	if r.unit {
		hunk, verdict = wrapPath(r.cells[1], widths[1]-2), "  "+verdict
		for i := range hunk {
			hunk[i] = "  " + hunk[i]
		}
	}
	return []string{
		paint(verdict, r.verdict, s.Colour),
		strings.Join(hunk, "\n"),
		strings.Join(wrap(r.cells[2], widths[2]), "\n"),
		strings.Join(wrap(r.cells[3], widths[3]), "\n"),
	}
}

// columnWidths shares total among the columns: the verdict never shrinks, the
// hunk may have two fifths of the rest and the tests a quarter, the reason has
// what is left.
func columnWidths(rows []row, total int) [4]int {
	var want [4]int
	for i, h := range header {
		want[i] = displaywidth.String(h)
	}
	for _, r := range rows {
		for i, cell := range r.cells {
			n := displaywidth.String(cell)
			if r.unit && i < 2 {
				n += 2
			}
			want[i] = max(want[i], n)
		}
	}
	left := total - want[0] - 3*gap
	want[1] = min(want[1], left*2/5)
	want[3] = min(want[3], left/4)
	want[2] = min(want[2], left-want[1]-want[3])
	return want
}

func plainCells() tablewriter.Config {
	right := tw.Padding{Right: strings.Repeat(" ", gap), Overwrite: true}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Padding:    tw.CellPadding{Global: right, PerColumn: []tw.Padding{right, right, right, tw.PaddingNone}},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
	}
	return tablewriter.Config{Header: cell, Row: cell, Behavior: tw.Behavior{TrimSpace: tw.Off}}
}

func borderless() tw.Renderer {
	return renderer.NewBlueprint(tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbols(tw.StyleLight),
		Settings: tw.Settings{
			Separators: tw.SeparatorsNone,
			Lines:      tw.Lines{ShowHeaderLine: tw.On},
		},
	})
}

// paint colours a verdict; the verdict word itself stays, so that nothing
// depends on colour.
func paint(text string, v prove.Verdict, on bool) string {
	code := map[prove.Verdict]string{prove.Proven: "32", prove.NotProven: "31;1", prove.Inconclusive: "33", prove.NothingToProve: "2"}[v]
	return sgr(text, code, on)
}
