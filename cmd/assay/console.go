package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"

	"assay/prove"
	"assay/report"
)

// A console shows on standard error what a proof is doing: a bar on a
// terminal, one line for each decided hunk elsewhere. It is the Observer of
// the command line and is called from one goroutine at a time.
type console struct {
	w       io.Writer
	bar     *progressbar.ProgressBar // nil when w is no terminal
	verbose bool
	began   time.Time // of the first hunk, once there is one
	judging bool
}

func newConsole(w io.Writer, verbose bool) *console {
	c := &console{w: w, verbose: verbose, began: time.Now()}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) && os.Getenv("CI") == "" {
		c.bar = progressbar.NewOptions(-1,
			progressbar.OptionSetWriter(w), progressbar.OptionShowCount(), progressbar.OptionSetWidth(20),
			progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
	}
	return c
}

// Event shows one step.
func (c *console) Event(e prove.Event) {
	if e.Stage == "hunk" && !c.judging {
		c.judging, c.began = true, time.Now()
	}
	if e.Mutant != nil && (c.verbose || e.Mutant.Status == prove.Lived) {
		c.print(fmt.Sprintf("[%d/%d] %s %s:%d %s: %s", e.Done, e.Total, e.Mutant.Status, e.Mutant.File, e.Mutant.Start.Line, e.Mutant.Operator, e.Mutant.Description))
	}
	if c.verbose && e.Trial != nil {
		c.print(trialLine(e))
	}
	if c.bar != nil {
		c.move(e)
		return
	}
	switch {
	case e.Finding != nil && e.Stage == "changed":
		c.print(fmt.Sprintf("changed: %s %s %s", e.Finding.Verdict, report.Name(e.Finding), e.Finding.Reason))
	case e.Finding != nil:
		c.print(fmt.Sprintf("[%d/%d] %s%s %s %s%s", e.Done, e.Total, e.Finding.Verdict, soFar(e), report.Name(e.Finding), e.Finding.Reason, c.left(e)))
	case e.Trial == nil && e.Mutant == nil && e.Stage != "hunk":
		c.print(e.Stage + ": " + e.What)
	}
}

// soFar marks a verdict that others may still change.
func soFar(e prove.Event) string {
	if e.Provisional {
		return " (so far)"
	}
	return ""
}

// move shows the step on the bar: what is running, done of total, time left.
func (c *console) move(e prove.Event) {
	if e.Total > 0 {
		c.bar.ChangeMax(e.Total)
	}
	c.bar.Describe(clip(e.Stage+" "+e.What, 36))
	_ = c.bar.Set(e.Done) // a bar that cannot be drawn takes nothing from the proof
}

// print writes one line, above the bar if there is one.
func (c *console) print(text string) {
	if c.bar != nil {
		_ = c.bar.Clear() // see move
	}
	_, _ = fmt.Fprintln(c.w, text) // progress is a courtesy; the report is what counts
}

// close takes the bar away.
func (c *console) close() {
	if c.bar != nil {
		_ = c.bar.Finish() // see move
	}
}

// left estimates the time left from the hunks decided so far.
func (c *console) left(e prove.Event) string {
	if e.Done == 0 || e.Done >= e.Total {
		return ""
	}
	left := time.Since(c.began) / time.Duration(e.Done) * time.Duration(e.Total-e.Done)
	return fmt.Sprintf(", about %s left", left.Round(time.Second))
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

// clip keeps the last n characters of s, where a path says most.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return "…" + string(r[len(r)-n+1:])
}
