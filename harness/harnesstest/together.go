package harnesstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/change"
	"assay/harness"
)

// directoriesDoNotMix runs an edit in one directory while another holds head.
func (s *suite) directoriesDoNotMix(t *testing.T) {
	other := write(t, s.Files)
	e := s.Assertion.edit(t, s.Files)
	onDisk(t, other, s.Files, e)
	broken, head := s.job(t, other, s.cover()), s.job(t, s.dir, s.cover())
	broken.Edits = []change.Edit{e}
	var red, green harness.Outcome
	var redErr, greenErr error
	var both sync.WaitGroup
	both.Go(func() { red, redErr = s.session.Run(t.Context(), broken) })
	both.Go(func() { green, greenErr = s.session.Run(t.Context(), head) })
	both.Wait()
	if err := errors.Join(redErr, greenErr); err != nil {
		t.Fatal(err)
	}
	s.isRed(t, red, s.Assertion)
	s.isGreen(t, green, s.cover())
}

// cancelLeavesNothing ends the context while a test hangs.
func (s *suite) cancelLeavesNothing(t *testing.T) {
	if err := os.Remove(s.started); err != nil {
		t.Fatalf("the hanging edit did not write %s: %v", StartedVar, err)
	}
	e := s.Hang.edit(t, s.Files)
	onDisk(t, s.dir, s.Files, e)
	job := s.job(t, s.dir, s.alone(s.Hang))
	job.Edits, job.Limit = []change.Edit{e}, time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := s.session.Run(ctx, job)
		done <- err
	}()
	pid := awaitPid(t, s.started, done)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run returned %v, want context.Canceled", err)
	}
	RequireGone(t, pid)
}

// awaitPid waits for the line that the hanging edit writes to path.
func awaitPid(t *testing.T, path string, done <-chan error) int {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		text, err := os.ReadFile(path)
		if err == nil && bytes.HasSuffix(text, []byte("\n")) {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		select {
		case err := <-done:
			t.Fatalf("the run ended before its test hung: %v", err)
		case <-tick.C:
		}
	}
}

// show tells an outcome in a few lines.
func show(o harness.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "phase %s, complete %v, timed out %v, exit %d, signal %q, missing %q, trouble %q", o.Phase, o.Complete, o.TimedOut, o.Exit, o.Signal, o.Missing, o.Trouble)
	for _, r := range o.Tests {
		fmt.Fprintf(&b, "\n  %s %s", r.Status, r.ID)
		if r.Red != nil {
			fmt.Fprintf(&b, ": %+v", *r.Red)
		}
	}
	return b.String() + "\n" + o.Output
}
