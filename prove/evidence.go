package prove

import (
	"slices"
	"strings"
	"unicode"

	"assay/change"
	"assay/harness"
)

// Evidence is everything that was learned of one unit with one language's
// tests. It holds facts only; Next says which fact is wanted next and Decide
// what they amount to. Both are pure.
type Evidence struct {
	// Broken is why the unit un-done alone cannot stand, in words; Missing
	// names the symbol when it is about one.
	Broken, Missing string
	// Trouble is why the baseline gives no usable test, in words, and how far
	// the baseline came.
	Trouble string
	Phase   harness.Phase

	// Direct counts the tests known to reach the unit (0: none known), Basis
	// how they are known, and Wide says that the first selection is already
	// the widest one; of a mutant, that no other test executes it.
	Direct int
	Basis  harness.Basis
	Wide   bool
	// Expected are the tests of the current selection that are green at head
	// in that very selection; RedAtHead counts those that are not.
	Expected  []harness.TestID
	RedAtHead int
	// Hidden are test files or packages that might notice but cannot even be
	// collected or built at head.
	Hidden []harness.TestID
	// Widest are the tests green at head of the widest selection, against
	// which Confirm and Component are read.
	Widest []harness.TestID

	Undo    []harness.Outcome // the unit un-done, on the selection; then repeated
	Control []harness.Outcome // failure planted, on the selection; then on the widest
	Confirm []harness.Outcome // the unit un-done, on the widest selection; then repeated
	// Head is head again after reds, on the selection; HeadWide on the widest.
	Head, HeadWide *harness.Outcome
	Hang           []bool // hung alone, green at head in between (negated), hung alone again
	NoPlant        bool   // no positive control can be planted
	Empty          bool   // source without a single byte: all it can do is to be there
	Emptied        bool   // the control empties the file instead of planting a failure
	Reach          Reach

	// Coupled counts the units of the component beside this one; Component is
	// the run with all of them un-done, and WholeGreen says that the whole
	// change un-done is green.
	Coupled    int
	Component  *harness.Outcome
	WholeGreen bool
	// Expectation says that the unit is what tests expect (a golden file): it
	// is coupled with the whole change, and of its component only the killers
	// matter, since other tests notice the rest of it.
	Expectation bool
	// Grouped says that no revert of the unit by itself stands, so that it was
	// un-done with partners or in a neutral form.
	Grouped bool
	// Partners counts the units un-done along.
	Partners int
	// Dropped are the tests that the control of the whole ran without, because
	// they cannot work without the change: a green whole says nothing of them.
	Dropped map[harness.TestID]bool

	// Flaky are the tests that were red at head since the baseline was green.
	Flaky map[harness.TestID]bool

	Names            Names
	Kind             func(path string) change.Kind
	HangInconclusive bool
}

// A Reach says whether tests execute the unit's lines at head.
type Reach int

// What is known of reaching.
const (
	ReachUnasked Reach = iota
	ReachUnknown
	ReachNo
	ReachYes
)

// Names are the symbols a change adds, removes or re-types.
type Names map[string]bool

// Add adds a name and, for a scoped one ("Lexer.next", "func/local",
// "path#Decl"), its last part, which is what error messages show.
func (n Names) Add(name string) {
	n[name] = true
	n[lastPart(name)] = true
}

// addOf adds the names of a subject: what its language says it defines, or for
// a file that none reads every word that only one of its sides has.
func (n Names) addOf(s *subject) {
	for _, name := range s.note.Defines {
		n.Add(name)
	}
	if s.read || s.file().Form != change.Text {
		return
	}
	old, neu := wordsOf(s.unit.OldText()), wordsOf(s.unit.NewText())
	for w := range old {
		if !neu[w] {
			n.Add(w)
		}
	}
	for w := range neu {
		if !old[w] {
			n.Add(w)
		}
	}
}

// wordsOf are the identifiers of a text in most languages.
func wordsOf(text []byte) map[string]bool {
	found := map[string]bool{}
	for _, w := range strings.FieldsFunc(string(text), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		found[w] = true
	}
	return found
}

// Has reports whether the name or its last part is among the names.
func (n Names) Has(name string) bool {
	if name == "" {
		return false
	}
	return n[name] || n[lastPart(name)]
}

// A weight is what one red is worth (VERDICTS.md, PROVEN 3).
type weight struct {
	reason Reason // the reason it gives: of PROVEN when evidence, else of INCONCLUSIVE
	// broken is true when the red shows that production code itself lacks a
	// name of the change: the un-done program is then no program, and no
	// other red of the same run is evidence either.
	broken bool
}

func (w weight) evidence() bool { return w.reason.Of() == Proven }

// weigh judges one red by its kind, the names of the change and the frames it
// passed through.
func (e Evidence) weigh(r *harness.Red) weight {
	switch r.Kind {
	case harness.RedName, harness.RedAttribute, harness.RedImport, harness.RedArguments:
		if e.Names.Has(r.Symbol) || e.Names.Has(r.Keyword) {
			return weight{MissingSymbol, e.inProduction(r.Frames, true)}
		}
		return e.weighError(r)
	case harness.RedSyntax:
		return weight{CollectionFailed, true}
	case harness.RedExit:
		return weight{Crashed, false}
	case harness.RedHang:
		return weight{TimedOut, false}
	case harness.RedAssertion:
		if r.Phase != "call" && !e.inProduction(r.Frames, false) {
			return weight{Crashed, false}
		}
		return weight{Assertion, false}
	case harness.RedCommand:
		return weight{ErrorRed, false}
	default:
		return e.weighError(r)
	}
}

// weighError judges an exception or panic. In the test's own body it counts
// even without a production frame: the value that production code returned is
// what broke it. In a fixture it needs one.
func (e Evidence) weighError(r *harness.Red) weight {
	if r.Phase != "call" && !e.inProduction(r.Frames, false) {
		return weight{Crashed, false}
	}
	return weight{ErrorRed, false}
}

// inProduction reports whether a frame lies in code that is not a test; with
// innermost only the place where the failure arose counts.
func (e Evidence) inProduction(frames []harness.Frame, innermost bool) bool {
	if innermost && len(frames) > 1 {
		frames = frames[:1]
	}
	return slices.ContainsFunc(frames, func(f harness.Frame) bool {
		k := e.Kind(f.Path)
		return k == change.Production || k == change.Generated
	})
}

// wide is e as seen over the widest selection.
func (e Evidence) wide() Evidence {
	e.Expected, e.Head = e.Widest, e.HeadWide
	return e
}

// A reading is what one un-done run says.
type reading struct {
	reason  Reason // the best evidence, or why there is none; "" when all is green
	killers []harness.Result
	red     *harness.Red // the one shown
	words   string
}

// read weighs a run against the tests that were green at head.
func (e Evidence) read(o harness.Outcome) reading {
	switch {
	case len(o.Strays) > 0:
		return reading{reason: HarnessBlind, words: "the tests import " + o.Strays[0] + " from the original tree"}
	case o.Phase == harness.PhaseApply:
		return reading{reason: Internal, words: o.Trouble}
	case o.Phase == harness.PhaseBuild:
		return reading{reason: DoesNotBuild, words: withoutHeadings(o.Trouble)}
	case o.Phase == harness.PhaseCollect:
		if o.Missing != "" {
			return reading{reason: MissingSymbol, words: o.Trouble}
		}
		return reading{reason: CollectionFailed, words: o.Trouble}
	}
	return e.readTests(o)
}

func (e Evidence) readTests(o harness.Outcome) reading {
	expected := make(map[harness.TestID]bool, len(e.Expected))
	for _, id := range e.Expected {
		expected[id] = true
	}
	best, other := reading{}, reading{}
	for _, t := range o.Red() {
		if !expected[t.ID] || t.Red == nil {
			continue
		}
		w := e.weigh(t.Red)
		switch {
		case w.broken:
			return reading{reason: w.reason, red: t.Red, words: firstLine(t.Red.Message)}
		case w.evidence():
			best.add(t, w.reason)
		default:
			other.add(t, w.reason)
		}
	}
	switch {
	case best.reason != "":
		return best
	case o.TimedOut:
		other.reason = TimedOut
		return other
	case other.reason != "":
		other.killers = nil
		return other
	case !o.Complete:
		return reading{reason: Crashed, words: o.Trouble}
	case o.Ran() == 0:
		return reading{reason: NoTests, words: "every covering test was skipped"}
	}
	return reading{}
}

// add counts a red; an assertion outranks an error.
func (r *reading) add(t harness.Result, reason Reason) {
	r.killers = append(r.killers, t)
	if r.reason == "" || (r.reason != Assertion && reason == Assertion) {
		r.reason, r.red, r.words = reason, t.Red, firstLine(t.Red.Message)
	}
}

// confirmed returns the killers of first that are killers of second as well.
func confirmed(first, second reading) []harness.Result {
	var both []harness.Result
	for _, t := range first.killers {
		if slices.ContainsFunc(second.killers, func(o harness.Result) bool { return o.ID == t.ID }) {
			both = append(both, t)
		}
	}
	return both
}

// killers returns the tests whose red is evidence in both runs and that pass at
// head again, as far as that was asked.
func (e Evidence) killers(first, second reading) []harness.Result {
	both := confirmed(first, second)
	if e.Head == nil {
		return both
	}
	return slices.DeleteFunc(both, func(t harness.Result) bool {
		return !slices.ContainsFunc(e.Head.Tests, func(h harness.Result) bool { return h.ID == t.ID && h.Status == harness.Passed })
	})
}

// noticed reports whether a control was seen: some test red, or the run broken
// by the control itself. A planted failure that does not build was not run; an
// emptied file that stops the build was missed.
func (e Evidence) noticed(o harness.Outcome) bool {
	switch o.Phase {
	case harness.PhaseApply:
		return false
	case harness.PhaseBuild:
		return e.Emptied
	case harness.PhaseCollect:
		return true
	}
	return !o.Complete || slices.ContainsFunc(o.Red(), func(t harness.Result) bool { return !e.Flaky[t.ID] })
}

// withoutHeadings drops the lines by which the go command says which package
// the errors below them belong to.
func withoutHeadings(s string) string {
	lines := slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool { return strings.HasPrefix(l, "# ") })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
