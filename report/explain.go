package report

import (
	"bytes"
	"fmt"
	"io"

	"assay/change"
	"assay/prove"
)

// Explain writes how each file was classified, by which rule, and with which
// tests each of its hunks was tried.
func Explain(w io.Writer, r *prove.Report, s Style) error {
	s.Width = max(s.Width, leastWidth)
	var out bytes.Buffer
	file := ""
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.File != file {
			file = f.File
			text := fmt.Sprintf("%s: %s%s", plain(change.PathText(f.File)), f.Kind, because(f.KindWhy))
			if f.Language != "" {
				text += ", " + f.Language
			}
			paragraph(&out, text, "    ", s)
		}
		paragraph(&out, fmt.Sprintf("  %s: %s", Name(f), selection(f)), "    ", s)
	}
	line(&out, "")
	_, err := w.Write(out.Bytes())
	return err
}

// selection says which tests were chosen for a hunk and how that is known.
func selection(f *prove.Finding) string {
	if len(f.Trials) == 0 {
		return "no test was run"
	}
	return fmt.Sprintf("%d tests by %s, %d trials", f.Covering, basis(f), len(f.Trials))
}

func basis(f *prove.Finding) string {
	if f.Selection == "" {
		return "none"
	}
	return string(f.Selection)
}
