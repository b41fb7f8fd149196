package pytest

import (
	"io"
	"slices"

	"assay/harness"
)

// A runLog is everything the plugin wrote of one process.
type runLog struct {
	Python, Pytest string
	Dropped        []string // options and plugins that were switched off
	Tests          []*test  // in the order of collection, ids unique
	Collected      bool
	Missing        int // selected tests that were not collected
	Broken         []broken
	Internal       string   // an error of pytest or of a plugin
	Ignored        int      // test files that were left out of the collection
	Loaded         []string // with files left out: the files of the tree that were loaded
	Refused        string   // why a fork could not take its edits
	Escaped        string   // how a test in a fork got at the disk
	Finished       bool
	Exit           int
	Strays         []string
	Sources        []source          // the probed sources
	Unprobed       map[string]string // watched sources that ran without probes, and why
	Idle           events            // what belongs to no test

	byID    map[string]*test
	byPlace []*test // by place in the order of collection, duplicates included
	running *test
}

// A test is one node id. Two items with one id are one test: red when either
// is, since nobody can select one of them.
type test struct {
	ID      harness.TestID
	File    string // relative to the tree; "" outside
	Written place
	Started bool
	Ended   int // times it came to its end
	Items   int // times it was collected
	Seconds float64
	Red     *harness.Red
	Passed  bool // at least one passing call
	Skipped bool
	Events  events
}

// A place is where a test's function stands in the source, which for an
// inherited method is another class than that of its id. It is zero when that
// is not known.
type place struct {
	File string `json:"file"`
	Name string `json:"name"` // qualified, as in "TestLexer.test_trim"
}

// events are what happened while a test, or no test, was running.
type events struct {
	Hits    []int `json:"hits"`  // probes
	Opens   []int `json:"opens"` // watched files
	Spawned bool  `json:"spawned"`
}

func (e *events) add(more events) {
	e.Hits = append(e.Hits, more.Hits...)
	e.Opens = append(e.Opens, more.Opens...)
	e.Spawned = e.Spawned || more.Spawned
}

// A broken is a file, or a part of one, that could not be collected.
type broken struct {
	ID   string      `json:"id"`
	Red  harness.Red `json:"red"`
	Text string      `json:"text"`
}

// A source is where the probes of one file stand.
type source struct {
	File      string   `json:"file"`
	Base      int      `json:"base"`
	Points    [][3]int `json:"points"`    // first line, last line, 1 for a def or class (then the last line of its header)
	Functions [][2]int `json:"functions"` // last line of the header, last line
}

// A line is the union of all records; Kind tells them apart.
type line struct {
	Kind    string       `json:"k"`
	N       int          `json:"n"`
	ID      string       `json:"id"`
	File    string       `json:"file"`
	Text    string       `json:"text"`
	Why     string       `json:"why"`
	When    string       `json:"when"`
	Outcome string       `json:"outcome"`
	XFail   bool         `json:"xfail"`
	Red     *harness.Red `json:"red"`
	Seconds float64      `json:"seconds"`
	Missing int          `json:"missing"`
	Ignored int          `json:"ignored"`
	Loaded  []string     `json:"loaded"`
	Exit    int          `json:"exit"`
	Strays  []string     `json:"strays"`
	Idle    events       `json:"idle"`
	Python  string       `json:"python"`
	Pytest  string       `json:"pytest"`
	Written string       `json:"written"`
	Name    string       `json:"name"`
	source
	events
}

// readLog reads the records of one process. A last line without a line end is
// what a killed process did not finish, and is left out; any other line that
// is not a record is an error.
func readLog(r io.Reader) (*runLog, error) {
	l := &runLog{Unprobed: map[string]string{}, byID: map[string]*test{}}
	if err := harness.ReadRecords(r, "the plugin's records", l.add); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *runLog) add(rec line) {
	switch rec.Kind {
	case "begin":
		l.Python, l.Pytest = rec.Python, rec.Pytest
	case "note":
		l.Dropped = append(l.Dropped, rec.Text)
	case "broken":
		l.addBroken(rec)
	case "item":
		l.addItem(rec)
	case "collected":
		l.Collected, l.Missing = true, rec.Missing
	case "refused":
		l.Refused = rec.Why
	case "escaped":
		l.Escaped = rec.Why
	case "narrowed":
		l.Ignored, l.Loaded = rec.Ignored, rec.Loaded
	case "internal":
		l.Internal = rec.Text
	case "probed":
		rec.source.File = rec.File
		l.Sources = append(l.Sources, rec.source)
	case "unprobed":
		l.Unprobed[rec.File] = rec.Why
	case "finish":
		l.Finished, l.Exit, l.Strays, l.Idle = true, rec.Exit, rec.Strays, rec.Idle
	default:
		l.addToTest(rec)
	}
}

func (l *runLog) addBroken(rec line) {
	b := broken{ID: rec.ID, Text: rec.Text}
	if rec.Red != nil {
		b.Red = *rec.Red
	}
	// A file is collected twice where doctests are: what ails it is said once.
	if !slices.ContainsFunc(l.Broken, func(o broken) bool { return o.ID == b.ID && o.Text == b.Text }) {
		l.Broken = append(l.Broken, b)
	}
}

func (l *runLog) addItem(rec line) {
	t := l.byID[rec.ID]
	if t == nil {
		t = &test{ID: harness.TestID(rec.ID), File: rec.File, Written: place{rec.Written, rec.Name}}
		l.byID[rec.ID] = t
		l.Tests = append(l.Tests, t)
	}
	t.Items++
	l.byPlace = append(l.byPlace, t)
}

// addToTest handles the records that speak of one test.
func (l *runLog) addToTest(rec line) {
	t := l.byID[rec.ID]
	if rec.ID == "" && rec.N >= 0 && rec.N < len(l.byPlace) {
		t = l.byPlace[rec.N]
	}
	if t == nil {
		return // a report that a plugin made up for a test that was not selected
	}
	switch rec.Kind {
	case "start":
		t.Started, l.running = true, t
	case "end":
		t.Ended++
		t.Seconds += rec.Seconds
		t.Events.add(rec.events)
		l.running = nil
	case "report":
		t.report(rec)
	}
}

// report takes in the report of one phase. The red of the call is the most
// telling one; otherwise the first counts.
func (t *test) report(rec line) {
	switch {
	case rec.Outcome == "failed":
		if t.Red == nil || rec.When == "call" && t.Red.Phase != "call" {
			t.Red = rec.Red
		}
		if t.Red == nil {
			t.Red = &harness.Red{Kind: harness.RedError, Phase: rec.When}
		}
	case rec.Outcome == "skipped" && !rec.XFail:
		t.Skipped = true
	case rec.When == "call":
		t.Passed = true
	case rec.XFail: // expected to fail, and did so before its call
		t.Passed = true
	}
}

// result is how the test ended, as far as its own reports say.
func (t *test) result() harness.Result {
	r := harness.Result{ID: t.ID, Status: harness.Unreported, Seconds: t.Seconds}
	switch {
	case t.Red != nil:
		r.Status, r.Red = harness.Failed, t.Red
	case t.Ended < t.Items || t.Items == 0:
	case t.Passed:
		r.Status = harness.Passed
	case t.Skipped:
		r.Status = harness.Skipped
	}
	return r
}

// complete reports whether the session came to its end and every collected
// test has a result.
func (l *runLog) complete() bool {
	if !l.Finished || !l.Collected || l.Missing > 0 || l.running != nil {
		return false
	}
	for _, t := range l.Tests {
		if t.result().Status == harness.Unreported {
			return false
		}
	}
	return true
}
