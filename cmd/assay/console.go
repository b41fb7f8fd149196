package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"

	"assay/prove"
	"assay/report"
)

// A console shows on standard error what a proof is doing: a board with a line
// for each tree at work on a terminal, lines elsewhere, nothing when quiet. It
// is the Observer of the command line and is called from one goroutine at a
// time.
type console struct {
	w       io.Writer
	board   *board // nil when w is no terminal
	quiet   bool
	verbose bool
	every   time.Duration // at most one line of progress in this time; 0: all of them
	said    time.Time     // when the last such line was written
	began   time.Time     // of the first hunk or mutant, once there is one
	judging bool
}

// linesEvery is how often progress is told where nobody watches.
const linesEvery = 10 * time.Second

// newConsole shows what the flags ask for on w.
func (f *proveFlags) newConsole(w io.Writer) *console {
	c := &console{w: w, quiet: f.quiet, verbose: f.verbose, began: time.Now()}
	inCI := os.Getenv("CI") != ""
	if inCI && !f.verbose {
		c.every = linesEvery
	}
	if file, ok := w.(*os.File); ok && !c.quiet && !inCI && os.Getenv("TERM") != "dumb" && isatty.IsTerminal(file.Fd()) {
		c.board = newBoard(w, time.Now)
	}
	return c
}

// Event shows one step.
func (c *console) Event(e prove.Event) {
	if c.quiet {
		return
	}
	if (e.Stage == "hunk" || e.Stage == "mutants") && !c.judging {
		c.judging, c.began = true, time.Now()
	}
	if e.Mutant != nil && (c.verbose || e.Mutant.Status == prove.Lived) {
		c.print(fmt.Sprintf("[%d/%d] %s: %s", e.Done, e.Total, mutantLine(e.Mutant), e.Mutant.Description))
	}
	if c.verbose && e.Trial != nil {
		c.print(trialLine(e))
	}
	if c.board != nil {
		c.board.event(e, c.left(e))
		return
	}
	c.tell(e)
}

// tell writes the lines of a proof that nobody watches: each stage at once, and
// what becomes of the hunks as often as c.every allows; the last one always.
func (c *console) tell(e prove.Event) {
	due := time.Since(c.said) >= c.every || e.Finding != nil && e.Done == e.Total
	switch {
	case e.Finding != nil && e.Stage == "changed":
		c.progress(fmt.Sprintf("changed: %s %s %s", e.Finding.Verdict, report.Name(e.Finding), e.Finding.Reason))
	case e.Finding != nil && due:
		c.progress(fmt.Sprintf("[%d/%d] %s%s %s %s%s", e.Done, e.Total, e.Finding.Verdict, soFar(e), report.Name(e.Finding), e.Finding.Reason, leftWords(c.left(e))))
	case e.Mutant != nil && time.Since(c.said) >= linesEvery:
		c.progress(fmt.Sprintf("[%d/%d] mutants%s", e.Done, e.Total, leftWords(c.left(e))))
	case e.Finding == nil && e.Trial == nil && e.Mutant == nil && e.Stage != "hunk":
		c.progress(e.Stage + ": " + e.What)
	case e.Trial != nil && c.every > 0 && due:
		c.progress(fmt.Sprintf("[%d] trying %s", e.Done, e.What))
	}
}

func mutantLine(m *prove.MutantReport) string {
	return fmt.Sprintf("%s %s:%d %s", m.Status, m.File, m.Start.Line, m.Operator)
}

// soFar marks a verdict that others may still change.
func soFar(e prove.Event) string {
	if e.Provisional {
		return " (so far)"
	}
	return ""
}

func (c *console) progress(text string) {
	c.said = time.Now()
	c.print(text)
}

// print writes one line, above the board if there is one.
func (c *console) print(text string) {
	var w = c.w
	if c.board != nil {
		w = c.board
	}
	_, _ = fmt.Fprintln(w, text) // progress is a courtesy; the report is what counts
}

// close takes the board away.
func (c *console) close() {
	if c.board != nil {
		c.board.close()
	}
}

// left estimates the time left from the hunks decided so far, 0 when there are
// none or all are.
func (c *console) left(e prove.Event) time.Duration {
	if e.Done == 0 || e.Done >= e.Total {
		return 0
	}
	return time.Since(c.began) / time.Duration(e.Done) * time.Duration(e.Total-e.Done)
}

// leftWords is an estimate for people; none when it is used up or was none.
func leftWords(left time.Duration) string {
	if left = left.Round(time.Second); left <= 0 {
		return ""
	}
	return fmt.Sprintf(", about %s left", left)
}

// trialLine is one trial for --verbose: purpose, what, and how each run ended.
func trialLine(e prove.Event) string {
	text := fmt.Sprintf("  trial %s %s %s:", e.Trial.ID, e.Trial.Purpose, e.What)
	for _, r := range e.Trial.Runs {
		text += fmt.Sprintf(" [%d tests, %d red, %.1f s", r.Tests, len(r.Red), r.Seconds)
		if r.Trouble != "" {
			text += ", " + string(r.Phase) + " failed"
		}
		text += "]"
	}
	return text
}
