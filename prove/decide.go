package prove

import (
	"fmt"
	"slices"

	"assay/harness"
)

// A Decision is what the facts of one unit amount to.
type Decision struct {
	Verdict Verdict
	Reason  Reason
	Detail  string // the reason in words
	Killers []harness.TestID
	Red     *harness.Red // the red shown, for PROVEN
	// Together says that the verdict is of the unit un-done with all that it is
	// coupled with.
	Together bool
	// Env is the name of the environment set that it was found under.
	Env string
}

// settle makes the decision that a reason stands for.
func settle(r Reason, detail string) Decision {
	return Decision{Verdict: r.Of(), Reason: r, Detail: detail}
}

// Decide judges the facts of one unit by the rules of VERDICTS.md. It is
// pure. Facts that are missing never make PROVEN or NOT_PROVEN.
func Decide(e Evidence) Decision {
	e = e.steady()
	switch {
	case e.Broken != "" && e.Missing != "":
		return settle(MissingSymbol, e.Broken)
	case e.Broken != "":
		return settle(DoesNotBuild, e.Broken)
	case e.Trouble != "":
		return settle(troubleReason(e.Phase), e.Trouble)
	case len(e.Expected) == 0 && e.RedAtHead > 0:
		return settle(BaselineRed, fmt.Sprintf("all %d covering tests are red or flaky at head", e.RedAtHead))
	case len(e.Expected) == 0:
		return settle(NoTests, "no test could run")
	case len(e.Undo) == 0:
		return settle(Internal, "the hunk was never un-done")
	}
	first := e.read(e.Undo[0])
	switch {
	case first.reason == "":
		return e.decideGreen()
	case e.tooWide() && (first.reason == TimedOut || first.reason.Of() == Proven):
		return e.ofSomebody()
	case first.reason == TimedOut:
		return e.decideHang(first)
	case first.reason.Of() == Proven:
		return e.decideRed(e.Undo)
	}
	return settle(first.reason, orElse(first.words, words[first.reason]))
}

// ofSomebody is the decision on a unit whose group is too wide for a red or a
// hang of it to say anything of one.
func (e Evidence) ofSomebody() Decision {
	return settle(DoesNotBuild, fmt.Sprintf("group of %d: it can only be un-done together with %d others, and which of them the tests notice is not known", e.Partners+1, e.Partners))
}

// troubleReason names why a baseline gives nothing.
func troubleReason(p harness.Phase) Reason {
	switch p {
	case harness.PhaseBuild:
		return DoesNotBuild
	case harness.PhaseCollect:
		return CollectionFailed
	}
	return NoTests
}

// decideRed: a red counts when it repeats and is no artefact of a half-undone
// program (PROVEN 2 and 5).
func (e Evidence) decideRed(runs []harness.Outcome) Decision {
	if len(runs) < 2 {
		return settle(Internal, "a red was not repeated")
	}
	first, again := e.read(runs[0]), e.read(runs[1])
	killers := e.killers(first, again)
	switch {
	case len(confirmed(first, again)) == 0:
		return settle(Flaky, "red once, not red again when repeated")
	case len(killers) == 0:
		return settle(Flaky, "red without it, but not green again with it")
	case e.Head == nil:
		return settle(Internal, "the killing tests were not run at head again")
	case e.unstructured(runs[0]) && !e.seen():
		return settle(HarnessBlind, "the command fails without it, but is not seen to fail when the file is emptied")
	}
	d := Decision{Verdict: Proven, Reason: first.reason, Red: first.red, Detail: first.words}
	d.Killers = idsOf(killers)
	if d.Red == nil || !containsID(d.Killers, first) {
		d.Red, d.Reason = killers[0].Red, e.weigh(killers[0].Red).reason
		d.Detail = firstLine(d.Red.Message)
	}
	return e.halfUndone(d)
}

func idsOf(results []harness.Result) []harness.TestID {
	ids := make([]harness.TestID, len(results))
	for i, r := range results {
		ids[i] = r.ID
	}
	return ids
}

// containsID reports whether the test whose red is shown is a killer.
func containsID(killers []harness.TestID, shown reading) bool {
	for _, t := range shown.killers {
		if t.Red == shown.red {
			for _, id := range killers {
				if id == t.ID {
					return true
				}
			}
		}
	}
	return false
}

// halfUndone takes PROVEN back when the hunk together with what it is coupled
// with can vanish unnoticed. Where the hunk alone was never un-done, that is
// the answer: between two groups the larger one is the change itself.
func (e Evidence) halfUndone(d Decision) Decision {
	const half = "alone its loss is noticed; with its partners it could vanish unnoticed"
	wide := e.wide()
	if e.Expectation {
		wide.Expected = d.Killers
	}
	switch {
	case e.goesTogether() && e.seen():
		d := settle(Survived, fmt.Sprintf("un-done with the %d others without which it cannot be, %s green", e.Coupled, stay(e.Component.Ran())))
		d.Together = true
		return d
	case e.WholeGreen && !e.droppedAny(d.Killers):
		return settle(HalfUndone, half+" (the whole change un-done is green)")
	case e.Coupled == 0:
		return d
	case e.Component == nil:
		return settle(Internal, "the component was never un-done")
	case wide.read(*e.Component).reason == "":
		return settle(HalfUndone, fmt.Sprintf("%s (un-done with the %d coupled pieces of the change it is green)", half, e.Coupled))
	}
	return d
}

// droppedAny reports whether the control of the whole ran without one of the
// killers.
func (e Evidence) droppedAny(killers []harness.TestID) bool {
	return slices.ContainsFunc(killers, func(id harness.TestID) bool { return within(id, e.Dropped) })
}

// decideHang: a hang counts only alone, twice, with a green run in between
// (PROVEN 4).
func (e Evidence) decideHang(first reading) Decision {
	id := hanging(e.Undo[0])
	if e.HangInconclusive || len(e.Hang) < 3 || id == "" {
		return settle(TimedOut, orElse(first.words, "the run passed its limit"))
	}
	for _, asExpected := range e.Hang {
		if !asExpected {
			return settle(TimedOut, "a test passed its limit but does not hang again when run alone")
		}
	}
	d := Decision{Verdict: Proven, Reason: Hang, Killers: []harness.TestID{id},
		Detail: "hangs alone, twice, and is green at head in between"}
	if e.WholeGreen && !e.droppedAny(d.Killers) {
		return settle(HalfUndone, "the whole change un-done is green")
	}
	return d
}

// decideGreen: nothing noticed the undoing. That is NOT_PROVEN only when a
// planted failure was noticed (survived) or no test reaches the unit
// (uncovered), and only when the widest selection stays green as well.
func (e Evidence) decideGreen() Decision {
	if len(e.Confirm) == 0 {
		return settle(Internal, "the green run was not confirmed")
	}
	switch wide := e.wide().read(e.Confirm[0]); {
	case wide.reason == "":
	case wide.reason.Of() == Proven && e.tooWide():
		return e.ofSomebody()
	case wide.reason.Of() == Proven:
		return e.wide().decideRed(e.Confirm)
	default:
		return settle(wide.reason, orElse(wide.words, words[wide.reason]))
	}
	switch {
	case len(e.Hidden) > 0:
		return settle(BaselineRed, fmt.Sprintf("what ran does not notice, but %s cannot be collected or built at head, and nobody knows what it would notice", e.Hidden[0]))
	case e.Empty:
		return settle(Formatting, "an empty file: it holds nothing, and no test misses it")
	case e.seen():
		return settle(Survived, fmt.Sprintf("un-done, %s green", stay(e.Confirm[0].Ran())))
	case len(e.Control) == 0 && !e.NoPlant:
		return settle(Internal, "no failure was planted")
	case e.NoPlant && e.Reach != ReachNo:
		return settle(HarnessBlind, "no failure can be planted here, so it is not known that any test sees this code")
	case e.Reach == ReachYes || e.Reach == ReachUnknown && e.Direct > 0 && e.Basis == harness.Hit:
		return settle(HarnessBlind, "tests execute these lines, but a planted failure turns none of them red")
	case !allRan(e.Control):
		return settle(HarnessBlind, "the planted failure does not build, so it is not known that any test sees this code")
	}
	return settle(Uncovered, "no test reaches it")
}

// allRan reports whether every planted failure got as far as running; vacuously
// true without one.
func allRan(runs []harness.Outcome) bool {
	for _, o := range runs {
		if o.Phase != harness.PhaseRun {
			return false
		}
	}
	return true
}

// words says in a few words what a reason without a message of its own means.
var words = map[Reason]string{
	DoesNotBuild:     "un-done alone it does not build",
	CollectionFailed: "un-done alone the tests do not collect",
	MissingSymbol:    "the tests fail because a name of this change is missing",
	TimedOut:         "the run passed its limit",
	Crashed:          "the tests ended without a report",
	NoTests:          "no covering test ran",
}

// stay says that n tests do not notice.
func stay(n int) string {
	if n == 1 {
		return "the one test stays"
	}
	return fmt.Sprintf("all %d tests stay", n)
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
