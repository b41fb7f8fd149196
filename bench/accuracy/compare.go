package main

import (
	"fmt"
	"maps"
	"slices"

	"assay/mutate"
	"assay/prove"
)

// A tally is the comparison over one language.
type tally struct {
	lang                                          string
	hunks, agree, reading, inconclusive, noReport int
	falseProven, falseNotProven, falseNothing     int
	missing                                       int
	reasons                                       map[prove.Reason]int
	lines                                         []string
}

func newTally(lang string) *tally { return &tally{lang: lang, reasons: map[prove.Reason]int{}} }

// clean reports whether nothing false was said and nothing left out.
func (t *tally) clean() bool {
	return t.falseProven+t.falseNotProven+t.falseNothing+t.missing+t.noReport == 0
}

// compare holds every hunk of the truth against the report.
func (t *tally) compare(c commit, r *prove.Report) {
	for _, h := range c.Hunks {
		t.hunks++
		f := find(r, h)
		if f == nil {
			t.missing++
			t.say(c, h, nil, "MISSING from the report")
			continue
		}
		t.judge(c, h, f)
	}
}

// find is the finding of the same hunk: same file and same spans.
func find(r *prove.Report, h truth) *prove.Finding {
	for i, f := range r.Findings {
		if f.File == h.File && f.Old.Start == h.OldStart && f.Old.Lines == h.OldLines && f.New.Start == h.NewStart && f.New.Lines == h.NewLines {
			return &r.Findings[i]
		}
	}
	return nil
}

// judge compares one verdict. A red that is only missing names, and a red in a
// change whose whole undo is green, are no proof; where plain un-doing does
// not build, or breaks names that a higher rung of the ladder keeps, a verdict
// is listed for reading.
func (t *tally) judge(c commit, h truth, f *prove.Finding) {
	red := h.Verdict == "RED" && h.RedClass != "broken-name" && c.WholeRevert != "GREEN"
	switch {
	case f.Verdict == prove.Inconclusive:
		t.inconclusive++
		t.reasons[f.Reason]++
		if h.Verdict == "RED" || h.Verdict == "GREEN" {
			t.say(c, h, f, "no verdict")
		}
	case h.Verdict != "RED" && h.Verdict != "GREEN":
		t.reading++
		t.say(c, h, f, "to read")
	case f.Verdict == prove.Proven && red, f.Verdict == prove.NotProven && h.Verdict == "GREEN", f.Verdict == prove.NothingToProve && h.Verdict == "GREEN":
		t.agree++
		if f.Verdict == prove.NothingToProve && !h.SameSemantics {
			t.say(c, h, f, "nothing to prove, to read")
		}
	case f.Verdict == prove.Proven && h.RedClass == "broken-name" && f.Rung != string(mutate.RungRevert):
		t.reading++
		t.say(c, h, f, "to read")
	case f.Verdict == prove.Proven:
		t.falseProven++
		t.say(c, h, f, "FALSE PROVEN")
	case f.Verdict == prove.NotProven && provenUnits(f) > 0:
		t.reading++
		t.say(c, h, f, "units differ, to read")
	case f.Verdict == prove.NotProven:
		t.falseNotProven++
		t.say(c, h, f, "FALSE NOT_PROVEN")
	case h.RedClass == "broken-name":
		t.agree++
	default:
		t.falseNothing++
		t.say(c, h, f, "FALSE NOTHING_TO_PROVE")
	}
}

func provenUnits(f *prove.Finding) int {
	n := 0
	for _, u := range f.Units {
		if u.Verdict == prove.Proven {
			n++
		}
	}
	return n
}

func (t *tally) say(c commit, h truth, f *prove.Finding, what string) {
	line := fmt.Sprintf("%-26s %s %.10s %s -%d,%d +%d,%d: truth %s", what, c.Repo, c.Commit, h.File, h.OldStart, h.OldLines, h.NewStart, h.NewLines, h.Verdict)
	if h.RedClass != "" {
		line += " " + h.RedClass
	}
	line += " (whole " + c.WholeRevert + ")"
	if f != nil {
		line += fmt.Sprintf(", assay %s %s: %s", f.Verdict, f.Reason, f.Detail)
	}
	t.lines = append(t.lines, line)
}

func (t *tally) print() {
	fmt.Printf("\n%s: %d hunks · %d agree · %d false PROVEN · %d false NOT_PROVEN · %d false NOTHING_TO_PROVE · %d missing · %d without a report\n",
		t.lang, t.hunks, t.agree, t.falseProven, t.falseNotProven, t.falseNothing, t.missing, t.noReport)
	fmt.Printf("%s: %d to read · %d INCONCLUSIVE", t.lang, t.reading, t.inconclusive)
	for _, r := range slices.Sorted(maps.Keys(t.reasons)) {
		fmt.Printf(" · %s %d", r, t.reasons[r])
	}
	fmt.Println()
	slices.Sort(t.lines)
	for _, l := range t.lines {
		fmt.Println("  " + l)
	}
}
