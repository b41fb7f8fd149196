package pytest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/harness"
)

func TestTheWatchdogKnowsWhichTestRunsThoughALineIsHalfWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records")
	w := newWatchdog(path, patience{})
	at := time.Now()
	if w.follow(at) {
		t.Error("a test runs before anything was written")
	}
	for i, step := range []struct {
		text string
		now  harness.TestID
	}{
		{`{"k":"item","n":0,"id":"a"}` + "\n" + `{"k":"item","n":1,"id":"b"}` + "\n", ""},
		{`{"k":"start","n":1}` + "\n" + `{"k":"en`, "b"},
		{`d","n":1}` + "\n", ""},
		{`{"k":"start","n":0}` + "\n", "a"},
		{`{"k":"finish"}` + "\n", ""},
	} {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		_, werr := f.WriteString(step.text)
		if err := errors.Join(werr, f.Close()); err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Second)
		if running := w.follow(at); running != (step.now != "") || w.now != step.now {
			t.Errorf("step %d: %q runs, want %q", i, w.now, step.now)
		}
		if step.now == "a" && !w.since.Equal(at) {
			t.Errorf("step %d: running since %v, want %v", i, w.since, at)
		}
	}
}

func TestTheWatchdogEndsTheRunOfATestThatPassesItsOwnLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records")
	records := `{"k":"item","n":0,"id":"quick"}` + "\n" + `{"k":"item","n":1,"id":"slow"}` + "\n" + `{"k":"start","n":1}` + "\n"
	if err := os.WriteFile(path, []byte(records), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, hang := context.WithCancelCause(t.Context())
	var asked []harness.TestID
	newWatchdog(path, patience{clock: func(id harness.TestID) time.Duration { asked = append(asked, id); return 0 }}).guard(ctx, hang)
	if !errors.Is(context.Cause(ctx), errHang) || len(asked) == 0 || asked[0] != "slow" {
		t.Errorf("cause %v, asked for %v", context.Cause(ctx), asked)
	}
}

func TestTheWatchdogCountsProcessorTimeSinceATestBegan(t *testing.T) {
	used := 5 * time.Second // of the tests before
	w := newWatchdog("", patience{processor: func(harness.TestID) time.Duration { return time.Second }})
	w.used = func() (time.Duration, bool) { return used, true }
	at := time.Now()
	w.note(line{Kind: "start"}, at)
	for i, step := range []struct {
		more  time.Duration
		spins bool
	}{{0, false}, {time.Second, false}, {1, true}} {
		used += step.more
		if got := w.spins(at.Add(time.Duration(i) * time.Hour)); got != step.spins {
			t.Errorf("after %v more: %v", step.more, got)
		}
	}
	w.used = func() (time.Duration, bool) { return 1 << 40, false }
	if w.spins(at.Add(time.Hour)) {
		t.Error("a process that is gone spins")
	}
}
