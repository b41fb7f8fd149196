package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/prove"
)

// noticed adds to why what --deep found: how many mutants tests notice.
func noticed(f *prove.Finding, why string) string {
	if f.Mutants == nil {
		return why
	}
	return fmt.Sprintf("%s; %d of %d mutants noticed", why, f.Mutants.Noticed, f.Mutants.Of)
}

// writeDeep shows each mutant of --deep that nothing notices, as a patch.
func writeDeep(w io.Writer, r *prove.Report, s Style) {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Mutants == nil {
			continue
		}
		for _, t := range f.Trials {
			if !slices.Contains(f.Mutants.Survivors, t.ID) {
				continue
			}
			line(w, "")
			paragraph(w, "not noticed at "+Name(f)+": "+t.Replay, "  ", s)
			writePatch(w, t.Edit)
		}
	}
}

// writePatch writes a unified diff, indented.
func writePatch(w io.Writer, patch string) {
	for l := range strings.Lines(patch) {
		line(w, strings.TrimRight("    "+patchLine(l), " "))
	}
}
