package prove

import (
	"fmt"

	"assay/harness"
)

// A Fate is what became of one mutant. The zero value is Undecided.
type Fate int

// The fates.
const (
	// Undecided: the facts do not say; the reason does.
	Undecided Fate = iota
	// Killed: a test that is green at head is red with the mutant, twice, and
	// the red is evidence as it is for a hunk (VERDICTS.md, PROVEN 3).
	Killed
	// Lived: the covering tests stayed green, and so did the widest selection
	// where covering is not known from what each test executed.
	Lived
	// Unreached: no test executes the lines.
	Unreached
	// Hung: the run passed its limit. It is no kill: a limit may be passed for
	// other reasons, so that it need not repeat either.
	Hung
	// Suppressed: a rule says that the mutant is not worth a run.
	Suppressed
	// Skipped: the budget ran out, or the user interrupted, before it was run.
	Skipped
)

var fateNames = [...]string{"undecided", "killed", "survived", "uncovered", "timed-out", "suppressed", "not-reached"}

func (f Fate) String() string { return fateNames[f] }

// MarshalText writes the fate as reports name it.
func (f Fate) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (f *Fate) UnmarshalText(b []byte) error {
	for i, name := range fateNames {
		if string(b) == name {
			*f = Fate(i)
			return nil
		}
	}
	return fmt.Errorf("unknown fate of a mutant %q", b)
}

// A Sentence is the fate of a mutant and why.
type Sentence struct {
	Fate    Fate
	Reason  Reason // of Killed: what kind of red; of Undecided: what stands in the way
	Detail  string
	Killers []harness.TestID
	Red     *harness.Red
}

// NextOfMutant returns the step that the facts of a mutant call for: RunUndo
// and RepeatUndo run it on its covering tests, RunConfirm and RepeatConfirm on
// the widest selection, unless the covering tests are all that can notice (Wide).
// It is pure.
func NextOfMutant(e Evidence) Step {
	switch {
	case e.Trouble != "" || len(e.Expected) == 0 || e.Reach == ReachNo:
		return Done
	case len(e.Undo) == 0:
		return RunUndo
	}
	switch first := e.read(e.Undo[0]); {
	case first.reason == "" && e.Wide:
		return Done
	case first.reason == "" && len(e.Confirm) == 0:
		return RunConfirm
	case first.reason == "" && len(e.Confirm) == 1 && again(e.wide().read(e.Confirm[0])):
		return RepeatConfirm
	case again(first) && len(e.Undo) == 1:
		return RepeatUndo
	}
	return Done
}

// again reports whether a reading counts only when it repeats.
func again(r reading) bool { return r.reason.Of() == Proven }

// JudgeMutant says what the facts of a mutant amount to. It is pure; facts that
// are missing never make Killed, Lived or Unreached.
func JudgeMutant(e Evidence) Sentence {
	switch {
	case e.Trouble != "":
		return undecided(troubleReason(e.Phase), e.Trouble)
	case e.Reach == ReachNo:
		return Sentence{Fate: Unreached, Reason: Uncovered, Detail: "no test executes it"}
	case len(e.Expected) == 0 && e.RedAtHead > 0:
		return undecided(BaselineRed, fmt.Sprintf("all %d covering tests are red or flaky at head", e.RedAtHead))
	case len(e.Expected) == 0:
		return undecided(NoTests, "no test could run")
	case len(e.Undo) == 0:
		return undecided(Internal, "the mutant was never run")
	}
	if e.read(e.Undo[0]).reason != "" {
		return e.sentence(e.Undo)
	}
	last := e.Undo[0]
	if !e.Wide {
		if len(e.Confirm) == 0 {
			return undecided(Internal, "the green run was not confirmed")
		}
		if e.wide().read(e.Confirm[0]).reason != "" {
			return e.wide().sentence(e.Confirm)
		}
		last = e.Confirm[0]
	}
	if len(e.Hidden) > 0 {
		return undecided(BaselineRed, fmt.Sprintf("what ran does not notice, but %s cannot be collected or built at head", e.Hidden[0]))
	}
	return Sentence{Fate: Lived, Reason: Survived, Detail: stay(last.Ran()) + " green"}
}

// sentence judges runs of which the first is not green.
func (e Evidence) sentence(runs []harness.Outcome) Sentence {
	first := e.read(runs[0])
	switch {
	case first.reason == TimedOut:
		return Sentence{Fate: Hung, Reason: TimedOut, Detail: "the run passed its limit"}
	case !again(first):
		return undecided(first.reason, orElse(first.words, words[first.reason]))
	case len(runs) < 2:
		return undecided(Internal, "a red was not repeated")
	}
	second := e.read(runs[1])
	killers := confirmed(first, second)
	if len(killers) == 0 {
		return undecided(Flaky, "red once, not red again when repeated")
	}
	red := killers[0].Red
	return Sentence{Fate: Killed, Reason: e.weigh(red).reason, Detail: firstLine(red.Message), Killers: idsOf(killers), Red: red}
}

func undecided(r Reason, detail string) Sentence {
	return Sentence{Fate: Undecided, Reason: r, Detail: detail}
}
