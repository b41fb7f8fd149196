package prove

import (
	"assay/harness"
	"assay/mutate"
)

// A Step is the next fact wanted of a unit.
type Step int

// The steps, in the order in which they are usually taken.
const (
	Done          Step = iota
	RunUndo            // un-do the unit, run the selection
	RepeatUndo         // the same again: a red must repeat
	RunHead            // head again, the same selection: a killer must be green there
	RunHang            // the hanging test alone, twice, head in between
	RunControl         // plant a failure, run the selection
	WidenControl       // plant a failure, run the widest selection
	AskReach           // do any tests execute the lines at head
	RunConfirm         // un-do the unit, run the widest selection plainly
	RepeatConfirm      // the same again
	RunComponent       // un-do the component
)

// Next returns the step that the facts call for. It is a pure function: the
// whole order of a trial can be tested without a process.
func Next(e Evidence) Step {
	e = e.steady()
	switch {
	case e.Broken != "" || e.Trouble != "" || len(e.Expected) == 0:
		return Done
	case len(e.Undo) == 0:
		return RunUndo
	}
	first := e.read(e.Undo[0])
	switch {
	case first.reason == "":
		return e.nextGreen()
	case e.tooWide():
		return Done
	case first.reason == TimedOut && !e.HangInconclusive && len(e.Hang) == 0 && hanging(e.Undo[0]) != "":
		return RunHang
	case first.reason.Of() == Proven:
		return e.nextRed(e.Undo, RepeatUndo)
	}
	return Done
}

// nextRed confirms a red and then asks whether it is an artefact of a
// half-undone program.
func (e Evidence) nextRed(runs []harness.Outcome, repeat Step) Step {
	if len(runs) < 2 {
		return repeat
	}
	killers := idsOf(e.killers(e.read(runs[0]), e.read(runs[1])))
	switch {
	case len(killers) == 0:
		return Done
	case e.Head == nil:
		return RunHead
	}
	if e.unstructured(runs[0]) && len(e.Control) == 0 && !e.NoPlant {
		return RunControl
	}
	if e.Coupled > 0 && e.Component == nil && (!e.WholeGreen || e.droppedAny(killers) || e.groupable()) {
		return RunComponent
	}
	if e.goesTogether() {
		return e.nextControl()
	}
	return Done
}

// tooWide reports whether so much was un-done along that a red says nothing of
// this unit; a green says what the green of the whole change does.
func (e Evidence) tooWide() bool { return e.Partners > mutate.MostPartners }

// groupable reports whether the unit's component is an un-doing of it as good
// as the one that was tried: neither is the unit alone.
func (e Evidence) groupable() bool {
	return e.Grouped && 0 < e.Coupled && e.Coupled <= mutate.MostPartners
}

// goesTogether reports whether such a component was un-done and stays green.
func (e Evidence) goesTogether() bool {
	return e.groupable() && e.Component != nil && e.wide().read(*e.Component).reason == ""
}

// nextGreen shows that the harness sees the unit at all, and then that the
// widest selection stays green. Where tests are known not to execute the
// lines, the failure is planted under the widest selection at once.
func (e Evidence) nextGreen() Step {
	if !e.Wide && e.Reach == ReachUnasked && e.Basis != harness.Hit {
		return AskReach
	}
	if step := e.nextControl(); step != Done {
		return step
	}
	if !e.seen() && e.Reach == ReachUnasked {
		return AskReach
	}
	if len(e.Confirm) == 0 {
		return RunConfirm
	}
	if e.wide().read(e.Confirm[0]).reason.Of() == Proven && !e.tooWide() {
		return e.wide().nextRed(e.Confirm, RepeatConfirm)
	}
	return Done
}

// nextControl plants a failure, under the widest selection where the first one
// is known or seen not to reach it.
func (e Evidence) nextControl() Step {
	switch {
	case e.NoPlant:
	case len(e.Control) == 0 && e.Reach == ReachNo && !e.Wide:
		return WidenControl
	case len(e.Control) == 0:
		return RunControl
	case len(e.Control) == 1 && !e.noticed(e.Control[0]) && !e.Wide && e.Reach != ReachNo:
		return WidenControl
	}
	return Done
}

// unstructured reports whether the evidence of a run is only that a command
// failed; it then takes a red control as well to believe it.
func (e Evidence) unstructured(o harness.Outcome) bool {
	r := e.read(o)
	return r.red != nil && r.red.Kind == harness.RedCommand
}

// seen reports whether a planted failure turned a test red.
func (e Evidence) seen() bool {
	for _, o := range e.Control {
		if e.noticed(o) {
			return true
		}
	}
	return false
}

// hanging returns the test that was running when the limit passed.
func hanging(o harness.Outcome) harness.TestID {
	for _, t := range o.Red() {
		if t.Red != nil && t.Red.Kind == harness.RedHang {
			return t.ID
		}
	}
	return ""
}
