package report

import (
	"bytes"
	"fmt"
	"io"

	"assay/prove"
)

// Claim writes only what the added and edited tests do without the change: one
// line a test with the red's message, then the verdict.
func Claim(w io.Writer, r *prove.Report, s Style) error {
	s.Width = max(s.Width, leastWidth)
	var out bytes.Buffer
	for _, t := range r.Claim.Tests {
		paragraph(&out, fmt.Sprintf("%-17s  %s%s", t.Verdict, plain(string(t.ID)), because(t.Reason)), "    ", s)
		if t.Message != "" {
			paragraph(&out, "    "+said(t.Message), "    ", s)
		}
		if t.Repeats > 0 && t.Verdict != prove.ClaimCannotTell {
			line(&out, fmt.Sprintf("    green %d times at head", t.Repeats+2))
		}
	}
	if len(r.Claim.Tests) > 0 {
		line(&out, "")
	}
	paragraph(&out, "claim "+r.Claim.Verdict+because(r.Claim.Reason), "  ", s)
	_, err := w.Write(out.Bytes())
	return err
}
