package report

import (
	"fmt"
	"io"
	"strings"

	"assay/harness"
	"assay/prove"
)

// writeGate shows what changed tests no longer catch, each as a patch with the
// test that caught it, and which tests no longer serve.
func writeGate(w io.Writer, r *prove.Report, s Style) {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Gate == nil {
			continue
		}
		for _, l := range f.Gate.Lost {
			line(w, "")
			paragraph(w, fmt.Sprintf("lost at %s: %s in %s:%d", Name(f), plain(l.Mutant.Description), plain(l.Mutant.File), l.Mutant.Line), "  ", s)
			writePatch(w, l.Mutant.Edit)
			paragraph(w, "  caught at base by "+testList(l.Caught)+because(firstLine(l.Message)), "    ", s)
			paragraph(w, "  now: "+plain(l.Why), "    ", s)
			for _, t := range f.Trials {
				if len(l.Trials) > 0 && t.ID == l.Trials[0] {
					paragraph(w, "  "+plain(t.Replay), "    ", s)
				}
			}
		}
		writeGone(w, f, s)
	}
}

// writeGone lists the tests of base that do not serve at head, by why.
func writeGone(w io.Writer, f *prove.Finding, s Style) {
	var order []string
	by := map[string][]harness.TestID{}
	for _, g := range f.Gate.Gone {
		if by[g.Why] == nil {
			order = append(order, g.Why)
		}
		by[g.Why] = append(by[g.Why], g.ID)
	}
	if len(order) > 0 {
		line(w, "")
	}
	for _, why := range order {
		paragraph(w, fmt.Sprintf("gone at %s: %s: %s", Name(f), testList(by[why]), plain(why)), "  ", s)
	}
}

// gateScore adds to why what the gate counts beside the verdict's own words.
func gateScore(f *prove.Finding, why string) string {
	if f.Gate == nil {
		return why
	}
	if n := len(f.Gate.Gone); n > 0 {
		why += fmt.Sprintf("; %d %s of base %s not serve at head", n, plural(n, "test", "tests"), plural(n, "does", "do"))
	}
	if n := len(f.Gate.BaseProduction); n > 0 {
		why += fmt.Sprintf("; the base's tests need the base's %s", strings.Join(bounded(f.Gate.BaseProduction), ", "))
	}
	return why
}

func testList(ids []harness.TestID) string {
	var list []string
	for _, id := range ids {
		list = append(list, testName(id))
	}
	return strings.Join(bounded(list), ", ")
}
