package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"assay/prove"
	"assay/report"
)

// A board is progress on a terminal: one line for each hunk at work, and below
// them how many are done. Lines come when a hunk starts in a new slot and stay,
// so that nothing jumps. Whatever takes long shows its seconds: who waits sees
// that something is at work.
type board struct {
	all   *mpb.Progress
	total *mpb.Bar
	now   func() time.Time

	mu    sync.Mutex // the board is drawn from a goroutine of its own
	slots []task     // what each tree is at; the zero task when it rests
	bars  []*mpb.Bar
	stage task          // what is done before the first hunk, then the last verdict
	left  time.Duration // when the stage began; 0: not known
}

// A task is something that takes time, and since when.
type task struct {
	what  string
	began time.Time
}

// newBoard draws on w; now tells it the time.
func newBoard(w io.Writer, now func() time.Time, options ...mpb.ContainerOption) *board {
	b := &board{now: now, all: mpb.New(append([]mpb.ContainerOption{mpb.WithOutput(w)}, options...)...)}
	b.total = b.all.New(0, mpb.BarStyle().Lbound("[").Rbound("]"), mpb.BarPriority(1<<20), mpb.BarWidth(24),
		mpb.PrependDecorators(decor.Any(func(s decor.Statistics) string { return counted(s.Current, s.Total) })),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string { return " " + fit(b.text(), s.AvailableWidth-2) })))
	return b
}

// Write puts lines above the board.
func (b *board) Write(p []byte) (int, error) { return b.all.Write(p) }

// event shows one step; left is the time that is left, 0 when nobody knows.
func (b *board) event(e prove.Event, left time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case e.Stage == "hunk":
		b.take(e.What)
	case e.Finding != nil:
		b.free(e.What)
		b.stage, b.left = task{e.Finding.Verdict.String() + " " + report.Name(e.Finding), b.now()}, left
	case e.Mutant != nil:
		b.stage, b.left = task{mutantLine(e.Mutant), b.now()}, left
	case e.Trial == nil:
		b.stage, b.left = task{e.Stage + " " + e.What, b.now()}, 0
	}
	if e.Total > 0 {
		b.total.SetTotal(int64(e.Total), false)
	}
	b.total.SetCurrent(int64(e.Done))
}

// counted is how many of the hunks are done, once it is known how many there
// are.
func counted(done, total int64) string {
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d ", done, total)
}

// take gives a hunk the first free slot.
func (b *board) take(what string) {
	i := slices.Index(b.slots, task{})
	if i < 0 {
		i = len(b.slots)
		b.slots = append(b.slots, task{})
		line := mpb.BarFillerFunc(func(w io.Writer, s decor.Statistics) error {
			_, err := io.WriteString(w, fit(b.slot(i), s.AvailableWidth))
			return err
		})
		if bar, err := b.all.Add(0, line, mpb.BarPriority(i), mpb.BarFillerTrim()); err == nil {
			b.bars = append(b.bars, bar) // without its line a hunk is tried all the same
		}
	}
	b.slots[i] = task{what, b.now()}
}

func (b *board) free(what string) {
	if i := slices.IndexFunc(b.slots, func(t task) bool { return t.what == what }); i >= 0 {
		b.slots[i] = task{}
	}
}

func (b *board) slot(i int) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.slots[i] == (task{}) {
		return "  -"
	}
	return "  un-doing " + b.slots[i].what + b.taken(b.slots[i])
}

// taken is how long a task has been at work, once that is a second.
func (b *board) taken(t task) string {
	d := b.now().Sub(t.began).Truncate(time.Second)
	if d < time.Second || t.began.IsZero() {
		return ""
	}
	return ", " + d.String()
}

func (b *board) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left > 0 {
		return b.stage.what + leftWords(b.left-b.now().Sub(b.stage.began))
	}
	if b.bars != nil {
		return b.stage.what // the lines above show what takes time
	}
	return b.stage.what + b.taken(b.stage)
}

// close takes all lines away.
func (b *board) close() {
	for _, bar := range append(b.bars, b.total) {
		bar.Abort(true)
	}
	b.all.Wait()
}

// fit keeps the last columns of s that fit in width, where a path says most.
func fit(s string, width int) string {
	if displaywidth.String(s) <= width {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && displaywidth.String(string(r)) > max(0, width-1) {
		r = r[1:]
	}
	return "…" + string(r)
}
