package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest"
)

// options are the flags.
type options struct {
	n       int
	seed    uint64
	verbose bool
	only    *regexp.Regexp
}

// module tries the edits of one module both ways and returns how many of the
// outcomes differ.
func (o options) module(ctx context.Context, dir string) (disagreed int, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return 0, err
	}
	scratch, err := os.MkdirTemp("", "assay-prepared")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	session, err := gotest.New().Open(ctx, dir, harness.Options{Env: os.Environ(), Scratch: scratch, Hang: 10 * time.Second})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	base, err := session.Baseline(ctx, dir, nil)
	if err != nil || base.Trouble != "" {
		return 0, errors.Join(err, errors.New(base.Trouble))
	}
	variants, err := o.draw(dir)
	if err != nil {
		return 0, err
	}
	ready, ok := session.(harness.Preparer)
	if !ok {
		return 0, errors.New("the Go harness prepares nothing")
	}
	began, cpu := time.Now(), spent()
	if err := ready.Prepare(ctx, dir, variants); err != nil {
		return 0, err
	}
	fmt.Printf("%s: %d tests green, %d edits prepared in %.1f s, %.1f CPU s\n", filepath.Base(dir), len(base.Green), len(variants), time.Since(began).Seconds(), spent()-cpu)
	t := &tally{dir: dir, scratch: scratch, session: session, ready: ready, verbose: o.verbose}
	for _, edits := range variants {
		if err := t.both(ctx, edits); err != nil {
			return 0, err
		}
	}
	t.print()
	return t.disagreed, nil
}

// A tally is what the trials of one module came to.
type tally struct {
	dir, scratch                        string
	session                             harness.Session
	ready                               harness.Preparer
	verbose                             bool
	done, notBuilt, disagreed, red, all int
	cpuTry, cpuRun                      float64
}

func (t *tally) print() {
	fmt.Printf("  %d edits: %d tried prepared (%d red), %d left to disk of which %d do not build; CPU %.2f s prepared, %.2f s on disk, ratio %.0f; disagreements %d\n",
		t.all, t.done, t.red, t.all-t.done, t.notBuilt, t.cpuTry, t.cpuRun, t.cpuRun/max(t.cpuTry, 0.001), t.disagreed)
}

// both tries one edit prepared and, when that was possible, on disk.
func (t *tally) both(ctx context.Context, edits []change.Edit) error {
	t.all++
	job := harness.Job{Dir: t.dir, Edits: edits, Selection: t.session.Cover(edits[0].Path, change.Span{}), Scratch: t.scratch}
	cpu := spent()
	tried, done, err := t.ready.Try(ctx, job)
	if err != nil {
		return err
	}
	if done {
		t.cpuTry += spent() - cpu
	}
	cpu = spent()
	ran, err := t.onDisk(ctx, job)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s:%d-%d %q", edits[0].Path, edits[0].Start, edits[0].End, edits[0].Text)
	if !done {
		if ran.Phase == harness.PhaseBuild {
			t.notBuilt++
		} else {
			fmt.Printf("  left to disk: %s\n", name)
		}
		return nil
	}
	t.done++
	t.cpuRun += spent() - cpu
	if len(ran.Red()) > 0 {
		t.red++
	}
	if a, b := facts(tried), facts(ran); a != b {
		t.disagreed++
		fmt.Printf("  DISAGREEMENT %s\n    prepared: %s\n    on disk:  %s\n", name, a, b)
	} else if t.verbose {
		fmt.Printf("  %s: %s\n", name, a)
	}
	return nil
}

func (t *tally) onDisk(ctx context.Context, job harness.Job) (harness.Outcome, error) {
	name := filepath.Join(t.dir, filepath.FromSlash(job.Edits[0].Path))
	head, err := os.ReadFile(name)
	if err != nil {
		return harness.Outcome{}, err
	}
	text, err := change.Apply(head, job.Edits)
	if err != nil {
		return harness.Outcome{}, err
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return harness.Outcome{}, err
	}
	o, err := t.session.Run(ctx, job)
	return o, errors.Join(err, os.WriteFile(name, head, 0o644))
}

// facts is what a verdict may stand on: how far the run came, whether it is
// complete, and which tests are red, and how.
func facts(o harness.Outcome) string {
	var red []string
	for _, r := range o.Red() {
		red = append(red, fmt.Sprintf("%s(%s)", r.ID, r.Red.Kind))
	}
	slices.Sort(red)
	red = slices.Compact(red)
	shown := strings.Join(red, " ")
	return fmt.Sprintf("phase %s, complete %v, timed out %v, %d red: %.600s (trouble %.80q)", o.Phase, o.Complete, o.TimedOut, len(red), shown, o.Trouble)
}

// spent is the CPU time of this process and of those it waited for, in seconds.
func spent() float64 {
	total := 0.0
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			total += float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
		}
	}
	return total
}
