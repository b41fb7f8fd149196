package gotest

import (
	"bytes"
	"strings"
)

// Limits of what a transcript keeps, in bytes.
const (
	maxOutput = 16 << 10  // of one test: its first lines
	maxCrash  = 512 << 10 // of the dying words of a binary
)

// A state is where a test of a transcript stands.
type state int

const (
	running state = iota
	paused
	passed
	failed
	skipped
)

// A test is what a transcript knows of one test, subtest, example or seed.
type test struct {
	name    string
	state   state
	seconds float64
	output  bytes.Buffer // its first maxOutput bytes
}

func (t *test) ended() bool { return t.state >= passed }

// A transcript is what one test binary said of itself, in order.
type transcript struct {
	tests    map[string]*test
	order    []*test
	current  *test        // that output belongs to; nil for none
	failures []*test      // in the order of their reports
	finished bool         // the binary said PASS or FAIL at its end
	crash    bytes.Buffer // from the last line that looks like dying words on
}

func newTranscript() *transcript { return &transcript{tests: map[string]*test{}} }

// update handles "=== ACTION  name" and reports whether it is known.
func (t *transcript) update(action, name string) bool {
	switch action {
	case "RUN":
		if name == "" || t.tests[name] != nil {
			return name != "" // run again (-test.count): the first start counts
		}
		t.current = &test{name: name}
		t.tests[name] = t.current
		t.order = append(t.order, t.current)
	case "PAUSE":
		if at := t.tests[name]; at != nil && !at.ended() {
			at.state = paused
		}
	case "CONT":
		t.current = t.tests[name]
		if t.current != nil && t.current.state == paused {
			t.current.state = running
		}
	case "NAME":
		t.current = t.tests[name]
	case "ATTR", "ARTIFACTS":
	default:
		return false
	}
	return true
}

// report handles "--- STATUS: name". A report about a test that never began,
// or that already ended, is not believed.
func (t *transcript) report(status, name string, seconds float64) bool {
	at := t.tests[name]
	if at == nil || at.ended() {
		return false
	}
	switch status {
	case "PASS":
		at.state = passed
	case "FAIL":
		at.state = failed
		t.failures = append(t.failures, at)
	case "SKIP":
		at.state = skipped
	default:
		return false
	}
	at.seconds = seconds
	t.current = at // an example prints got and want after its report
	return true
}

func (t *transcript) finish() {
	t.finished = true
	t.current = nil
}

func (t *transcript) output(line []byte) {
	if i := dyingWords(line); i >= 0 {
		t.crash.Reset()
		t.crash.Write(line[i:])
	} else if n := t.crash.Len(); n > 0 && n < maxCrash {
		t.crash.Write(line)
	}
	if t.current != nil && t.current.output.Len() < maxOutput {
		t.current.output.Write(line)
	}
}

// dyingWords returns where in line the Go runtime may begin to say why the
// process ends, or -1. Only what follows tells whether it did: see crashed. A
// nested panic is indented by a tab and belongs to the first.
func dyingWords(line []byte) int {
	if bytes.HasPrefix(line, []byte("\tpanic: ")) {
		return -1
	}
	at := -1
	for _, begin := range []string{"panic: ", "fatal error: "} {
		if i := bytes.Index(line, []byte(begin)); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// crashed returns the dying words of the binary, "" when it has none.
func (t *transcript) crashed() string {
	words := t.crash.String()
	if !strings.Contains(words, "\ngoroutine ") && !strings.Contains(words, "\nruntime stack:") {
		return ""
	}
	return words
}

// live returns the tests that run at the end: neither ended nor paused, and
// without a subtest that runs.
func (t *transcript) live() []*test {
	var live []*test
	for _, at := range t.order {
		if at.state == running && !t.hasBelow(at, func(sub *test) bool { return sub.state == running }) {
			live = append(live, at)
		}
	}
	return live
}

// hasBelow reports whether a subtest of at satisfies is.
func (t *transcript) hasBelow(at *test, is func(*test) bool) bool {
	for _, sub := range t.order {
		if strings.HasPrefix(sub.name, at.name+"/") && is(sub) {
			return true
		}
	}
	return false
}

// above returns the names of the tests that name is a subtest of, innermost
// first.
func above(name string) []string {
	var names []string
	for i := strings.LastIndexByte(name, '/'); i >= 0; i = strings.LastIndexByte(name[:i], '/') {
		names = append(names, name[:i])
	}
	return names
}
