// Package pyprobe probes Python tests: what is imported while a deadline is
// armed.
//
// A plugin of assay's (plugin/, written into the scratch directory) runs inside
// the project's own pytest, as a guest of the session that also runs the trials
// of a proof: the same interpreter, paths and options, no second process per
// test, no reruns, PYTEST_ADDOPTS dropped. It stands in for signal.setitimer and
// signal.alarm and for importlib's _find_and_load, and writes a JSON line for
// everything it sees; this package reads the lines.
//
// A hard deadline is one of the kernel's timers, be it armed by hand or by
// pytest-timeout's signal method. What else interrupts (interrupt_main, an
// exception sent to a thread) shows as an import that an exception from outside
// cut short. The deadlines of asyncio, anyio, trio, futures and child processes
// interrupt no import: what starts under them is slow, not late.
//
// Limits: C code that calls setitimer itself is not seen; a child process is
// not watched; time-outs by a watcher thread that ends the process leave no
// record but the crash.
package pyprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/harness"
	"assay/probe"
)

// New returns the prober of Python tests. Its places need a session that is a
// harness.Host.
func New() probe.Prober { return prober{} }

type prober struct{}

// Names takes files, node ids and directories; patterns that begin with a dot
// are Go's.
func (prober) Names(word string) bool {
	return strings.HasSuffix(fileOf(harness.TestID(word)), ".py") || !strings.HasPrefix(word, ".") && !strings.Contains(word, ".Test")
}

// jobVariable names the file that holds the job; the plugin takes it out of
// the environment before any test runs.
const jobVariable = "ASSAY_PROBE_JOB"

// An order is what one process is asked for; the plugin reads it as JSON.
type order struct {
	Records    string             `json:"records"`
	Watch      []string           `json:"watch"`
	Plants     map[string]float64 `json:"plants"` // module to seconds
	Nested     bool               `json:"nested"`
	ArmedDelay bool               `json:"armed_delay"`
	Delay      float64            `json:"delay"` // seconds; 0: longer than the deadline
	Interrupt  string             `json:"interrupt"`
	Timeouts   bool               `json:"timeouts"` // those of the suite count
	First      string             `json:"first"`    // the test that runs before the others
	Stretch    float64            `json:"stretch"`  // seconds by which each deadline is longer
}

func orderOf(c probe.Conditions) order {
	o := order{Watch: c.Watch, Plants: map[string]float64{}, Nested: c.Nested, ArmedDelay: c.ArmedDelay,
		Delay: c.Delay.Seconds(), Timeouts: c.Global}
	if c.Stretch {
		o.Stretch = probe.StretchBy.Seconds()
	}
	if o.Watch == nil {
		o.Watch = []string{}
	}
	for _, p := range c.Plants {
		o.Plants[p.Name] = p.Delay.Seconds()
	}
	return o
}

// A ran is one process that came to its end.
type ran struct {
	outcome harness.Outcome
	log     *log
}

// run starts one process with the plugin in it.
func run(ctx context.Context, p probe.Place, o order, g harness.Guest) (ran, error) {
	host, ok := p.Session.(harness.Host)
	if !ok {
		return ran{}, errors.New("the session cannot run a plugin of another room")
	}
	own, err := os.MkdirTemp(p.Scratch, "probe-")
	if err != nil {
		return ran{}, fmt.Errorf("make room for a probe: %w", err)
	}
	// What a test made unremovable stays below p.Scratch, which the caller
	// removes as a whole and reports.
	defer func() { _ = os.RemoveAll(own) }()
	o.Records = filepath.Join(own, "records")
	text, err := json.Marshal(o)
	if err != nil {
		return ran{}, err
	}
	file := filepath.Join(own, "probe.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return ran{}, fmt.Errorf("write the order of a probe: %w", err)
	}
	if g.Path, err = unpack(own); err != nil {
		return ran{}, fmt.Errorf("write assay's probe plugin: %w", err)
	}
	g.Dir, g.Scratch, g.Plugin, g.Env = p.Dir, own, module+".plugin", []string{jobVariable + "=" + file}
	out, err := host.Host(ctx, g)
	if err != nil {
		return ran{}, err
	}
	l, err := readFile(o.Records)
	return ran{out, l}, err
}

// fileOf is the file of a node id, as pytest's command line takes it.
func fileOf(test harness.TestID) string {
	file, _, _ := strings.Cut(string(test), "::")
	return filepath.FromSlash(file)
}
