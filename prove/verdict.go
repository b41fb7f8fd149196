package prove

import "fmt"

// A Verdict answers for one hunk whether some test notices that it is gone.
// The zero value is Inconclusive: what nobody decided is not decided.
type Verdict int

// The verdicts, as VERDICTS.md defines them.
const (
	Inconclusive Verdict = iota
	Proven
	NotProven
	NothingToProve
)

var verdictNames = [...]string{"INCONCLUSIVE", "PROVEN", "NOT_PROVEN", "NOTHING_TO_PROVE"}

func (v Verdict) String() string { return verdictNames[v] }

// MarshalText writes the verdict as reports name it.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (v *Verdict) UnmarshalText(b []byte) error {
	for i, name := range verdictNames {
		if string(b) == name {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("unknown verdict %q", b)
}

// A Reason says why; each belongs to exactly one Verdict (see Of).
type Reason string

// The closed list of reasons, grouped by the verdict they belong to.
const (
	Assertion Reason = "assertion" // PROVEN: an assertion or explicit failure
	ErrorRed  Reason = "error"     // PROVEN: an exception or panic through production code
	Hang      Reason = "hang"      // PROVEN: a test hangs, twice, alone
	// PROVEN: a probe that holds at head is late without it, twice.
	LateImport Reason = "late"

	Survived  Reason = "survived"  // NOT_PROVEN: the covering tests stay green
	Uncovered Reason = "uncovered" // NOT_PROVEN: no test reaches it

	HalfUndone       Reason = "half-undone"
	BaselineRed      Reason = "baseline-red"
	Flaky            Reason = "flaky"
	DoesNotBuild     Reason = "does-not-build"
	MissingSymbol    Reason = "missing-symbol"
	CollectionFailed Reason = "collection-failed"
	TimedOut         Reason = "timed-out"
	Crashed          Reason = "crashed"
	NoTests          Reason = "no-tests"
	HarnessBlind     Reason = "harness-blind"
	Unsupported      Reason = "unsupported"
	Budget           Reason = "budget"
	Interrupted      Reason = "interrupted"
	Internal         Reason = "internal"

	Comment    Reason = "comment"
	Formatting Reason = "formatting"
	Docstring  Reason = "docstring"
	Annotation Reason = "annotation"
	Imports    Reason = "imports"
	Moved      Reason = "moved"
	Renamed    Reason = "renamed"
	Carried    Reason = "carried" // a declaration without behaviour; the hunks that use it speak
	Generated  Reason = "generated"
	Inert      Reason = "inert"
	Ignored    Reason = "ignored"
	TestHunk   Reason = "test" // a hunk of a test file, which the gate judges
)

var reasonsOf = map[Verdict][]Reason{
	Proven:    {Assertion, ErrorRed, Hang, LateImport},
	NotProven: {Survived, Uncovered},
	Inconclusive: {HalfUndone, BaselineRed, Flaky, DoesNotBuild, MissingSymbol, CollectionFailed, TimedOut, Crashed,
		NoTests, HarnessBlind, Unsupported, Budget, Interrupted, Internal},
	NothingToProve: {Comment, Formatting, Docstring, Annotation, Imports, Moved, Renamed, Carried, Generated, Inert, Ignored, TestHunk},
}

// ReasonsOf returns the reasons that belong to v, in the order of VERDICTS.md.
func ReasonsOf(v Verdict) []Reason { return reasonsOf[v] }

// Of returns the one verdict the reason belongs to; a reason outside the list
// is an Inconclusive.
func (r Reason) Of() Verdict {
	for v, reasons := range reasonsOf {
		for _, known := range reasons {
			if r == known {
				return v
			}
		}
	}
	return Inconclusive
}
