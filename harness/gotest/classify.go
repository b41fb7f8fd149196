package gotest

import (
	"fmt"
	"slices"
	"strings"

	"assay/harness"
)

// maxMessage bounds the message of a red, in bytes.
const maxMessage = 1 << 10

// reds are how the tests of one transcript are red, and what is to be said of
// the binary as a whole.
type reds struct {
	of      map[string]*harness.Red // by test name
	every   *harness.Red            // of every test: the process panicked before any began
	trouble string                  // how the binary died, "" when it ended by itself
	hung    bool
	unsure  bool // it died by a panic that may be another test's doing
}

// classify says how the tests of a transcript are red. Only events and dying
// words are read; the exit code tells a crash from a text that looks like one.
func classify(t *transcript, end harness.Exited, p places) reds {
	r := reds{of: map[string]*harness.Red{}}
	if !t.finished {
		r.died(t, end, p)
	}
	for _, at := range t.failures {
		if r.of[at.name] == nil && !t.hasBelow(at, func(sub *test) bool { return sub.state == failed }) {
			r.of[at.name] = assertion(at.output.String(), p)
		}
	}
	r.inherit(t, p)
	return r
}

// inherit gives a test whose subtest is red the red of that subtest, unless it
// says more itself.
func (r *reds) inherit(t *transcript, p places) {
	for _, at := range t.order {
		red := r.of[at.name]
		if red == nil {
			continue
		}
		for _, name := range above(at.name) {
			parent := t.tests[name]
			if parent == nil || r.of[name] != nil {
				break
			}
			copied := *red
			if own := assertion(parent.output.String(), p); parent.state == failed && len(own.Frames) > 0 {
				copied = *own
			}
			r.of[name] = &copied
		}
	}
}

// died classifies the end of a binary that did not finish.
func (r *reds) died(t *transcript, end harness.Exited, p places) {
	words := t.crashed()
	panicked := words != "" && (end.Code == 2 || end.Signal != "")
	switch {
	case panicked && strings.HasPrefix(words, "panic: test timed out after "):
		r.timedOut(t, words, p)
	case end.TimedOut:
		r.hung = true
		r.trouble = "the limit passed while " + names(t.live()) + " ran"
		for _, at := range t.live() {
			r.of[at.name] = &harness.Red{Kind: harness.RedHang, Phase: "call", Message: r.trouble}
		}
	case panicked:
		r.panicked(t, words, p)
	default:
		r.exited(t, end)
	}
}

// timedOut reads the panic of -test.timeout, which names the running tests.
func (r *reds) timedOut(t *transcript, words string, p places) {
	r.hung = true
	r.trouble = strings.TrimPrefix(head(words), "panic: ")
	all := traceback(words)
	for _, at := range t.live() {
		top, _, _ := strings.Cut(at.name, "/")
		r.of[at.name] = &harness.Red{Kind: harness.RedHang, Phase: "call", Type: "panic", Message: r.trouble,
			Frames: framesIn(through(all, p, top).calls, p)}
	}
}

// panicked blames the test in which the process died by a panic or by a fatal
// error of the runtime.
func (r *reds) panicked(t *transcript, words string, p places) {
	g := culprit(traceback(words), p)
	red := &harness.Red{Kind: harness.RedPanic, Phase: "call", Type: "panic", Message: head(words), Frames: framesIn(g.calls, p)}
	switch {
	case strings.HasPrefix(words, "fatal error: "):
		red.Type = "fatal error"
	case strings.HasPrefix(words, "panic: unexpected call to os.Exit(0) during test"):
		red.Kind = harness.RedExit
	}
	at, sure := blame(t, g)
	r.unsure = !sure
	r.trouble = red.Message
	if at != nil {
		r.of[at.name] = red
		return
	}
	r.trouble += " (" + where(t) + ")"
	if len(t.order) == 0 && red.Kind == harness.RedPanic {
		red.Message = clip(r.trouble)
		r.every = red
	}
}

// blame returns the test that a crash of goroutine g belongs to, nil when that
// cannot be told, and whether it is sure. A panic in a test's own goroutine is
// preceded by the reports of that test and of those around it, innermost
// first. In another goroutine it is not, and the test may even have passed:
// `defer wg.Done()` wakes it before the runtime says its last words. Then the
// functions that started the goroutine tell, when they are known.
func blame(t *transcript, g goroutine) (at *test, sure bool) {
	last := lastFailure(t)
	if last != nil && g.passes("tRunner") {
		return last, true
	}
	live := t.live()
	for _, at := range live {
		if g.serves(at) {
			return at, true
		}
	}
	for _, at := range slices.Backward(t.order) {
		if g.serves(at) {
			return at, true
		}
	}
	if len(live) == 1 {
		return live[0], false
	}
	return nil, false
}

// lastFailure returns the innermost test of the last chain of failures: TestA/b
// when TestA/b and then TestA were reported.
func lastFailure(t *transcript) *test {
	if len(t.failures) == 0 {
		return nil
	}
	at := len(t.failures) - 1
	for at > 0 && strings.HasPrefix(t.failures[at-1].name, t.failures[at].name+"/") {
		at--
	}
	return t.failures[at]
}

// exited blames the test in which the process ended without a word.
func (r *reds) exited(t *transcript, end harness.Exited) {
	how := fmt.Sprintf("the test process exited with code %d", end.Code)
	switch {
	case end.OverMemory:
		how = fmt.Sprintf("the test process was ended because it used %d MiB of memory", end.Peak>>20)
	case end.Signal != "":
		how = "the test process was ended by signal: " + end.Signal
	}
	r.trouble = how + " (" + where(t) + ")"
	if live := t.live(); len(live) == 1 {
		r.of[live[0].name] = &harness.Red{Kind: harness.RedExit, Phase: "call", Message: r.trouble}
	}
}

// where says what ran when a binary died.
func where(t *transcript) string {
	live := t.live()
	switch {
	case len(t.order) == 0:
		return "before any test began"
	case len(live) == 0:
		return "outside any test"
	default:
		return "while " + names(live) + " ran"
	}
}

func names(tests []*test) string {
	if len(tests) == 0 {
		return "no test"
	}
	all := make([]string, len(tests))
	for i, at := range tests {
		all[i] = at.name
	}
	return strings.Join(all, ", ")
}

// head returns the first paragraph of dying words, cut to maxMessage.
func head(words string) string {
	text, _, _ := strings.Cut(words, "\n\n")
	return clip(text)
}

func clip(s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage-3], "") + "..."
}
