package pytest

import (
	"fmt"
	"slices"
	"strings"

	"assay/harness"
)

// outcome puts together the facts of a run of the selected tests.
func outcome(ran running, selected []harness.TestID) harness.Outcome {
	o := harness.Outcome{
		Phase: harness.PhaseRun, TimedOut: ran.end.TimedOut, Signal: ran.end.Signal, Exit: ran.end.Code,
		Duration: ran.end.Duration, Env: ran.env, Output: ran.end.Tail, Strays: ran.log.Strays,
	}
	o.Complete = ran.log.complete()
	for _, id := range selected {
		o.Tests = append(o.Tests, ran.log.resultOf(id, ran.end))
	}
	switch {
	case !ran.log.Collected, ran.log.Missing > 0 && len(ran.log.Broken) > 0:
		o.Phase = harness.PhaseCollect
		o.Trouble, o.Missing = ran.collectTrouble()
	case !o.Complete:
		o.Trouble = ran.runTrouble()
	}
	return o
}

// newlyBroken is what did not collect in this run though it does at head.
func (r running) newlyBroken(atHead []string) []broken {
	return slices.DeleteFunc(slices.Clone(r.log.Broken), func(b broken) bool { return slices.Contains(atHead, b.ID) })
}

// resultOf is how a selected test ended. The test during which the process
// ended, and which had not failed by itself, is red for that reason.
func (l *runLog) resultOf(id harness.TestID, end harness.Exited) harness.Result {
	t := l.byID[string(id)]
	if t == nil {
		return harness.Result{ID: id, Status: harness.Unreported}
	}
	r := t.result()
	if t == l.running && r.Status == harness.Unreported {
		r.Status, r.Red = harness.Failed, ended(end)
	}
	return r
}

// ended is the red of a test during which the process ended.
func ended(end harness.Exited) *harness.Red {
	switch {
	case end.TimedOut:
		return &harness.Red{Kind: harness.RedHang, Phase: "call", Type: "hang",
			Message: fmt.Sprintf("still running when the limit passed after %.1f s", end.Duration.Seconds())}
	case end.OverMemory:
		return &harness.Red{Kind: harness.RedExit, Phase: "call", Type: "memory",
			Message: fmt.Sprintf("the process grew to %d MiB and was ended", end.Peak>>20)}
	case end.Signal != "":
		return &harness.Red{Kind: harness.RedExit, Phase: "call", Type: "signal", Message: "the process was ended by " + end.Signal}
	}
	return &harness.Red{Kind: harness.RedExit, Phase: "call", Type: "exit",
		Message: fmt.Sprintf("the process ended with exit code %d inside the test", end.Code)}
}

// collectTrouble says why tests could not be collected, and the symbol it is
// about when it is about one.
func (r running) collectTrouble() (trouble, missing string) {
	if len(r.log.Broken) > 0 {
		b := r.log.Broken[0]
		return fmt.Sprintf("%s cannot be collected: %s\n%s", b.ID, b.Red.Message, b.Text), b.Red.Symbol
	}
	switch {
	case r.end.TimedOut:
		return fmt.Sprintf("collecting the tests did not end within %.0f s", r.end.Duration.Seconds()), ""
	case r.end.OverMemory, r.end.Signal != "":
		return "the process died while tests were collected: " + ended(r.end).Message, ""
	case r.log.Internal != "":
		return "pytest failed while tests were collected: " + r.log.Internal, ""
	}
	return fmt.Sprintf("pytest ended with exit code %d before it collected tests: %s", r.end.Code, complaint(r.end.Tail)), ""
}

// runTrouble says why a run that began is not complete.
func (r running) runTrouble() string {
	switch {
	case r.log.running != nil:
		return fmt.Sprintf("%s: %s", r.log.running.ID, ended(r.end).Message)
	case r.end.TimedOut:
		return "the limit passed between two tests"
	case r.log.Internal != "":
		return "pytest failed: " + r.log.Internal
	case r.log.Missing > 0:
		return fmt.Sprintf("%d selected tests were not collected", r.log.Missing)
	case !r.log.Finished:
		return "the process ended before the session did: " + ended(r.end).Message
	}
	return "the session ended before every test had a result: " + complaint(r.end.Tail)
}

// complaint is the line of the output that says what is wrong: the first that
// pytest marks as an error, else the last one.
func complaint(output string) string {
	for text := range strings.Lines(output) {
		for _, mark := range []string{"ERROR: ", ": error: "} {
			if _, rest, ok := strings.Cut(text, mark); ok && !strings.HasPrefix(rest, "usage: ") {
				return strings.TrimSpace(rest)
			}
		}
	}
	return lastLine(output)
}
