package pytest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"assay/harness"
)

// errHang ends a run in which one test passed its own limit.
var errHang = errors.New("a test passed its own limit")

// watchInterval is how often a run's records are looked at.
const watchInterval = 200 * time.Millisecond

// A watchdog follows the records of one run and knows which test is running
// and since when, so that one hanging test costs its own limit and not that of
// the whole selection.
type watchdog struct {
	path   string // of the records
	limit  func(harness.TestID) time.Duration
	spin   func(harness.TestID) time.Duration // the same of processor time; nil: none
	used   func() (time.Duration, bool)       // the processor time of the run; known with spin
	offset int64
	rest   []byte // a line that is not finished yet
	ids    map[int]harness.TestID
	now    harness.TestID // the running test; "" between tests
	since  time.Time
	before time.Duration // the processor time when now was first seen
}

func newWatchdog(records string, p patience) *watchdog {
	return &watchdog{path: records, limit: p.clock, spin: p.processor, ids: map[int]harness.TestID{}}
}

// A patience says how long each test of a run may take; nil: for ever.
type patience struct {
	clock     func(harness.TestID) time.Duration
	processor func(harness.TestID) time.Duration // of its process; followed in forks
}

// guard runs until ctx ends and calls hang once a test passes its limit.
func (w *watchdog) guard(ctx context.Context, hang context.CancelCauseFunc) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case at := <-tick.C:
			if w.follow(at) && (at.Sub(w.since) > w.limit(w.now) || w.spins(at)) {
				hang(errHang)
				return
			}
		}
	}
}

// spins reports whether the test that runs has used a processor for too long.
func (w *watchdog) spins(at time.Time) bool {
	if w.spin == nil {
		return false
	}
	used, known := w.used()
	if w.since.Equal(at) {
		w.before = used
		return false
	}
	return known && used-w.before > w.spin(w.now)
}

// follow reads what was written since the last look and reports whether a test
// is running. Records that cannot be read are left to readRecords, which sees
// them all when the run ended.
func (w *watchdog) follow(at time.Time) bool {
	f, err := os.Open(w.path)
	if err != nil {
		return false // not written yet
	}
	defer func() { _ = f.Close() }() // only read
	fresh, err := io.ReadAll(io.NewSectionReader(f, w.offset, 1<<62-w.offset))
	if err != nil {
		return false
	}
	w.offset += int64(len(fresh))
	lines := bytes.Split(append(w.rest, fresh...), []byte("\n"))
	w.rest = bytes.Clone(lines[len(lines)-1])
	for _, text := range lines[:len(lines)-1] {
		var rec line
		if json.Unmarshal(text, &rec) == nil {
			w.note(rec, at)
		}
	}
	return w.now != ""
}

func (w *watchdog) note(rec line, at time.Time) {
	switch rec.Kind {
	case "item":
		w.ids[rec.N] = harness.TestID(rec.ID)
	case "start":
		w.now, w.since = w.ids[rec.N], at
	case "end", "finish":
		w.now = ""
	}
}
