package report

import (
	"fmt"
	"strings"

	"assay/prove"
)

// rowsOfDiff are the lines of a finding's diff with their numbers and colours.
// Each side is highlighted as one text, so that a string or a comment that
// spans lines is seen as one. A diff that cannot be read is shown as it is.
func rowsOfDiff(f *prove.Finding, p painter) []sheetRow {
	rows := []sheetRow{}
	var oldLine, newLine, a, b int
	for text := range strings.Lines(f.Diff) {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		if strings.HasPrefix(text, "@@") && len(rows) == 0 {
			if _, err := fmt.Sscanf(text, "@@ -%d,%d +%d,%d @@", &oldLine, &a, &newLine, &b); err != nil {
				oldLine, newLine = 0, 0 // numbers are a courtesy
			}
			continue
		}
		row := sheetRow{Mark: " ", Text: text}
		if text != "" {
			row.Mark, row.Text = text[:1], block(text[1:])
		}
		if row.Mark != "+" && row.Mark != `\` {
			row.Old = oldLine
			oldLine++
		}
		if row.Mark != "-" && row.Mark != `\` {
			row.New = newLine
			newLine++
		}
		rows = append(rows, row)
	}
	p.colour(f.File, rows, "-")
	p.colour(f.File, rows, "+")
	return rows
}

// colour highlights the lines of one side: those with its mark, seen among the
// lines that both have.
func (p painter) colour(file string, rows []sheetRow, mark string) {
	var of []int
	var lines []string
	for i, row := range rows {
		if row.Mark == mark || row.Mark == " " {
			of = append(of, i)
			lines = append(lines, row.Text)
		}
	}
	for i, runs := range p.highlight(file, lines) {
		rows[of[i]].Runs = runs
	}
}
