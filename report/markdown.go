package report

import (
	"fmt"
	"io"
	"strings"

	"assay/probe"
	"assay/prove"
)

// Marker is the first line of every Markdown report. A program that comments
// on pull requests finds its earlier comment by it and edits that one.
const Marker = "<!-- assay:report -->"

// markdownLimit is how many bytes a Markdown report has at most. GitHub takes
// 65,536 characters in a comment, and a byte is never more than one.
const markdownLimit = 65_000

// Markdown writes r for a comment on a pull request: what matters most first,
// at most 65,000 bytes. What does not fit is counted at the end. Nothing that
// comes from the change or its tests is taken for markup or for a mention.
func Markdown(w io.Writer, r *prove.Report, _ Style) error {
	pages := &sheet{left: markdownLimit - len(leftOut(len(r.Findings)))}
	pages.add(markdownHead(r))
	pages.table("NOT_PROVEN and INCONCLUSIVE", objected(r), r)
	skipped := 0
	for _, f := range objected(r) {
		if !pages.add(evidence(f)) {
			skipped++
		}
	}
	for _, p := range r.Probes {
		if !pages.add(probeEvidence(p)) {
			skipped++
		}
	}
	if text := markdownRun(r); text != "" && !pages.add(text) {
		skipped++
	}
	pages.fold("PROVEN", of(r, prove.Proven), r)
	pages.fold("NOTHING_TO_PROVE", of(r, prove.NothingToProve), r)
	if skipped += pages.skipped; skipped > 0 {
		pages.text.WriteString(leftOut(skipped))
	}
	_, err := io.WriteString(w, pages.text.String())
	return err
}

func leftOut(n int) string {
	return fmt.Sprintf("\n%d parts of the report do not fit into a comment; the saved report has them all.\n", n)
}

// A sheet is text with a limit; what does not fit is counted.
type sheet struct {
	text    strings.Builder
	left    int
	skipped int
}

// add writes text when it fits, whole or not at all.
func (s *sheet) add(text string) bool {
	if len(text) > s.left {
		return false
	}
	s.left -= len(text)
	s.text.WriteString(text)
	return true
}

const tableHead = "| verdict | hunk | why | tests |\n|---|---|---|---|\n"

// table writes as many rows as fit.
func (s *sheet) table(title string, findings []*prove.Finding, r *prove.Report) {
	if len(findings) == 0 || !s.add("\n### "+title+"\n\n"+tableHead) {
		s.skipped += len(findings)
		return
	}
	for i, f := range findings {
		if !s.add(markdownRow(r, f)) {
			s.skipped += len(findings) - i
			return
		}
	}
}

// fold writes a table that the reader has to open.
func (s *sheet) fold(title string, findings []*prove.Finding, r *prove.Report) {
	const end = "\n</details>\n"
	head := fmt.Sprintf("\n<details><summary>%d %s</summary>\n\n%s", len(findings), title, tableHead)
	if len(findings) == 0 {
		return
	}
	if s.left < len(head)+len(end) {
		s.skipped += len(findings)
		return
	}
	s.left -= len(end)
	s.add(head)
	for i, f := range findings {
		if !s.add(markdownRow(r, f)) {
			s.skipped += len(findings) - i
			break
		}
	}
	s.text.WriteString(end)
}

func objected(r *prove.Report) []*prove.Finding {
	return append(of(r, prove.NotProven), of(r, prove.Inconclusive)...)
}

func of(r *prove.Report, v prove.Verdict) []*prove.Finding {
	var all []*prove.Finding
	for i := range r.Findings {
		if r.Findings[i].Verdict == v {
			all = append(all, &r.Findings[i])
		}
	}
	return all
}

func markdownHead(r *prove.Report) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n## assay: %s\n\n", Marker, Totals(r.Counts))
	fmt.Fprintf(&out, "Does any test notice when a piece of `%.12s`..`%.12s` is not there?\n", plain(r.Base), plain(r.Head))
	if len(r.Probes)+len(r.Unprobed) > 0 {
		fmt.Fprintf(&out, "\nProbes: %s.\n", ProbeTotals(r))
	}
	if text := lost(r); text != "" {
		fmt.Fprintf(&out, "\n> [!WARNING]\n> %s\n", text)
	}
	if text := compared(r); text != "" {
		fmt.Fprintf(&out, "\n%s.\n", text)
	}
	return out.String()
}

func markdownRow(r *prove.Report, f *prove.Finding) string {
	why := byRung(f, why(f.Reason, detailOf(r, f), f.Message))
	reason, rest, _ := strings.Cut(why, ": ")
	cell := reason
	if f.Known {
		cell = "known, " + cell
	}
	if rest != "" {
		cell += ": " + codeSpan(clipped(rest, 200))
	}
	if units := unitsBehind(f); units != "" {
		cell += " in " + codeSpan(units)
	}
	if m := f.Mutants; m != nil {
		cell += fmt.Sprintf("; %d of %d mutants noticed", m.Noticed, m.Of)
	}
	who := tests(f)
	if len(f.Killers) > 0 {
		who = codeSpan(clipped(who, 80))
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", f.Verdict, codeSpan(Name(f)), cell, who)
}

// evidence shows an objected hunk: its lines, what to do, how to run it again.
func evidence(f *prove.Finding) string {
	if f.Diff == "" || f.Known {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "\n<details><summary>%s <code>%s</code>: %s</summary>\n\n", f.Verdict, escapeHTML(Name(f)), f.Reason)
	out.WriteString(fenced("diff", shortened(block(f.Diff), 60)))
	if do := next(f.Reason); do != "" {
		fmt.Fprintf(&out, "\nWhat to do: %s (`assay explain %s`).\n", do, f.Reason)
	}
	if n := len(f.Trials); n > 0 {
		fmt.Fprintf(&out, "\nRun it again: %s\n", codeSpan(plain(f.Trials[0].Replay)))
	}
	out.WriteString("\n</details>\n")
	return out.String()
}

// probeEvidence shows a probe that somebody has to look at.
func probeEvidence(p probe.Probe) string {
	if p.Verdict == probe.Held && !p.Objects() {
		return ""
	}
	return fmt.Sprintf("\n<details><summary>probe %s: <code>%s</code></summary>\n\n%s\n</details>\n", p.Verdict,
		escapeHTML(plain(string(p.Test))), fenced("text", block(strings.Join(about(p), "\n"))))
}

// markdownRun is the claim, and what a reader should know of the run.
func markdownRun(r *prove.Report) string {
	var out strings.Builder
	writeClaim(&out, r, Style{Width: 100})
	writeRun(&out, r, Style{Width: 100})
	if strings.TrimSpace(out.String()) == "" {
		return ""
	}
	return "\n" + fenced("text", strings.Trim(out.String(), "\n")+"\n")
}

// codeSpan is text as a code span of one line, also inside a table.
func codeSpan(s string) string {
	s = strings.ReplaceAll(plain(s), "|", `\|`)
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if s == "" {
		return ""
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// fenced is text of several lines as a code block.
func fenced(language, text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + language + "\n" + text + fence + "\n"
}

func longestRun(s string, of rune) int {
	longest, now := 0, 0
	for _, r := range s {
		if r != of {
			now = 0
			continue
		}
		now++
		longest = max(longest, now)
	}
	return longest
}

// clipped keeps the first n characters of s.
func clipped(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// shortened keeps the first n lines of text and counts the others.
func shortened(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= n+1 {
		return text
	}
	return strings.Join(lines[:n], "") + fmt.Sprintf("… %d more lines\n", len(lines)-n-1)
}

func escapeHTML(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}
