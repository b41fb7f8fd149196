package gotest

import (
	"bytes"
	"strings"
	"testing"
)

func TestOnlyMarkedLinesOfKnownTestsAreEvents(t *testing.T) {
	tr := read("\x16=== RUN   TestA\n--- FAIL: TestA (0.00s)\nFAIL\n\x16--- FAIL: TestB (0.00s)\nno end\x16--- PASS: TestA (1.50s)\n" +
		"\x16--- FAIL: TestA (0.00s)\n\x16=== NAME  \n\x16PASS\n")
	if len(tr.order) != 1 || tr.order[0].state != passed || tr.order[0].seconds != 1.5 || len(tr.failures) != 0 || !tr.finished {
		t.Errorf("%+v %+v", tr.order[0], tr)
	}
	if out := tr.order[0].output.String(); !strings.Contains(out, "no end") {
		t.Errorf("output %q", out)
	}
}

func TestOutputBelongsToTheTestThatIsNamed(t *testing.T) {
	tr := read("\x16=== RUN   TestA\n\x16=== PAUSE TestA\n\x16=== RUN   TestB\nb1\n\x16=== CONT  TestA\na1\n\x16=== NAME  TestB\nb2\n")
	if a, b := tr.tests["TestA"], tr.tests["TestB"]; a.output.String() != "a1\n" || b.output.String() != "b1\nb2\n" || a.state != running {
		t.Errorf("%q %q %v", a.output.String(), b.output.String(), a.state)
	}
}

// FuzzScanner holds that the way in which output is cut into writes changes
// nothing, that output without a mark is never an event, and that nothing
// panics.
func FuzzScanner(f *testing.F) {
	f.Add([]byte("\x16=== RUN   TestA\nx\x16--- PASS: TestA (0.00s)\n\x16PASS\n"), 3)
	f.Add([]byte("\x16=== RUN   TestA\n\x16    --- FAIL: TestA/b (0.1s)\npanic: x\n\tpanic: y\n\ngoroutine 1 [running]:\na.b()\n\t/tree/p/p.go:1 +0x1\n"), 1)
	f.Add([]byte("--- FAIL: TestForged (0.00s)\nFAIL\n"), 7)
	f.Fuzz(func(t *testing.T, output []byte, cut int) {
		whole := read(string(output))
		pieces := newTranscript()
		lines := &scanner{t: pieces}
		size := 1 + max(cut, -cut-1)%16
		for chunk := range chunks(output, size) {
			_, _ = lines.Write(chunk) // never fails
		}
		lines.flush()
		if len(whole.order) != len(pieces.order) || whole.finished != pieces.finished || whole.crash.String() != pieces.crash.String() {
			t.Fatalf("cut in pieces of %d the output reads differently", size)
		}
		for i, at := range whole.order {
			if other := pieces.order[i]; at.name != other.name || at.state != other.state || at.output.String() != other.output.String() {
				t.Fatalf("cut in pieces of %d: %+v and %+v", size, at, other)
			}
		}
		if !bytes.ContainsRune(output, frameMark) && (len(whole.order) > 0 || whole.finished) {
			t.Fatalf("unmarked output has events: %+v", whole)
		}
		traceback(string(output))
	})
}

// chunks yields b in pieces of n bytes.
func chunks(b []byte, n int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			n = min(n, len(b))
			if !yield(b[:n]) {
				return
			}
			b = b[n:]
		}
	}
}
