package prove

import (
	"encoding/json"
	"time"

	"assay/change"
	"assay/harness"
	"assay/probe"
)

// Schema names the version of the report as data.
const Schema = "assay.report/1"

// A Report is everything a proof found, as plain data. Its JSON form is
// specified in VERDICTS.md and published as docs/report.schema.json: names are
// fixed, fields may be added.
type Report struct {
	Schema      string    `json:"schema"`
	Tool        Tool      `json:"tool"`
	Started     time.Time `json:"started"`
	Seconds     float64   `json:"seconds"`
	Base        string    `json:"base"`
	Head        string    `json:"head"`
	Repo        string    `json:"repo"`
	Uncommitted bool      `json:"uncommitted,omitempty"` // head is a snapshot of the working tree
	Baseline    Baseline  `json:"baseline"`
	Counts      Counts    `json:"counts"`
	Claim       Claim     `json:"claim"`
	Whole       *Whole    `json:"whole,omitempty"` // the control of the whole change
	Findings    []Finding `json:"findings"`
	// Probes are tests that arm a deadline and were probed; Unprobed those
	// that were not.
	Probes     []probe.Probe    `json:"probes"`
	Unprobed   []probe.Unprobed `json:"unprobed,omitempty"`
	NotReached Causes           `json:"not_reached"`
	Compared   *Compared        `json:"compared,omitempty"` // with an earlier report
	LeftOut    int              `json:"left_out,omitempty"` // hunks that Config.TestsOnly did not ask about
	Notes      []string         `json:"notes,omitempty"`    // what a reader should know of the run
}

// Tool is what made the report.
type Tool struct {
	Version string `json:"version"`
}

// A Baseline is the tests at head, per language.
type Baseline struct {
	Languages []LanguageBaseline `json:"languages"`
}

// A LanguageBaseline is one language's tests at head.
type LanguageBaseline struct {
	Name      string           `json:"name"`
	Env       string           `json:"env,omitempty"` // the environment set, by name
	Toolchain string           `json:"toolchain"`
	Tests     int              `json:"tests"`
	Green     int              `json:"green"`
	Red       []harness.TestID `json:"red"`
	Flaky     []harness.TestID `json:"flaky"`
	Seconds   float64          `json:"seconds"`
	Trouble   string           `json:"trouble,omitempty"` // why no test could be used
	Output    string           `json:"output,omitempty"`
}

// Counts adds up the findings. BaselineRed hunks are not counted under
// Inconclusive as well.
type Counts struct {
	Proven         int `json:"proven"`
	NotProven      int `json:"not_proven"`
	Inconclusive   int `json:"inconclusive"`
	NothingToProve int `json:"nothing_to_prove"`
	BaselineRed    int `json:"baseline_red"`
}

// Causes counts the hunks that were not judged, by cause.
type Causes struct {
	Budget      int `json:"budget"`
	Interrupted int `json:"interrupted,omitempty"`
}

// Compared says how the objections stand to those of an earlier report.
type Compared struct {
	With  string `json:"with"`  // the earlier report's head
	New   int    `json:"new"`   // objections that it did not have
	Known int    `json:"known"` // objections that it had already
	Gone  int    `json:"gone"`  // its objections that are none any more
}

// A Claim says what the added and edited tests do without the change.
type Claim struct {
	Verdict string      `json:"verdict"` // confirmed, refuted or cannot-tell
	Reason  string      `json:"reason,omitempty"`
	Tests   []ClaimTest `json:"tests"`
}

// A ClaimTest is one added or edited test.
type ClaimTest struct {
	ID      harness.TestID `json:"id"`
	Verdict string         `json:"verdict"` // fails-without, passes-either-way or cannot-tell
	Reason  string         `json:"reason,omitempty"`
	// RedKind and Message are of its red without the change.
	RedKind string `json:"red_kind,omitempty"`
	Message string `json:"message,omitempty"`
	Added   bool   `json:"added,omitempty"` // it is not there at base
	// Repeats is how many times it was run at head beside the two runs of the
	// baseline, to see that it is green every time.
	Repeats int `json:"repeats,omitempty"`
}

// Whole is the control of the whole change: all production and support hunks
// un-done together.
type Whole struct {
	Result string           `json:"result"` // red, green or cannot-tell
	Reason string           `json:"reason,omitempty"`
	Red    []harness.TestID `json:"red,omitempty"`
	// Dropped names what had to be taken out of head's tests, because it
	// cannot work without the change.
	Dropped []string      `json:"dropped,omitempty"`
	Trials  []TrialReport `json:"trials,omitempty"`
}

// A Finding is what the proof says of one hunk.
type Finding struct {
	ID        string           `json:"id"`
	File      string           `json:"file"`
	OldFile   string           `json:"old_file,omitempty"` // when renamed
	Kind      change.Kind      `json:"kind"`
	KindWhy   string           `json:"kind_why,omitempty"`
	Language  string           `json:"language,omitempty"`
	Env       string           `json:"env,omitempty"` // of PROVEN: the environment set under which it was noticed, by name
	Old       change.Span      `json:"old"`
	New       change.Span      `json:"new"`
	Verdict   Verdict          `json:"verdict"`
	Reason    Reason           `json:"reason"`
	Detail    string           `json:"detail,omitempty"` // the reason in words
	Rung      string           `json:"rung"`             // revert, glue, neutralise, partners, mutants or none
	Units     []UnitReport     `json:"units"`
	Partners  []string         `json:"partners"`
	Glue      []string         `json:"glue,omitempty"` // repairs without behaviour that the un-doing needed
	Note      string           `json:"note,omitempty"` // what a reader should know of the un-doing
	Killers   []harness.TestID `json:"killers"`
	RedKind   string           `json:"red_kind,omitempty"`
	Message   string           `json:"message,omitempty"`
	Covering  int              `json:"covering"`
	Selection harness.Basis    `json:"selection,omitempty"`
	Mutants   *MutantScore     `json:"mutants,omitempty"` // with --deep
	Gate      *TestGate        `json:"gate,omitempty"`    // of test code: what the tests of base and of head catch
	Trials    []TrialReport    `json:"trials"`
	Diff      string           `json:"diff,omitempty"` // the hunk as git diff shows it
	// Known is set when an earlier report had the same objection to it.
	Known bool `json:"known,omitempty"`
}

// A MutantScore says how many mutants of a hunk's lines tests notice. Mutants
// that hang or of which nothing can be said are not among them.
type MutantScore struct {
	Noticed   int      `json:"noticed"`
	Of        int      `json:"of"`
	Survivors []string `json:"survivors"` // IDs of trials of the finding
	trials    []TrialReport
}

// MarshalJSON writes the finding with its paths as change.PathText gives them.
func (f Finding) MarshalJSON() ([]byte, error) {
	type plain Finding
	f.File, f.OldFile = change.PathText(f.File), change.PathText(f.OldFile)
	return change.MarshalPlain(plain(f))
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (f *Finding) UnmarshalJSON(data []byte) (err error) {
	type plain Finding
	if err := json.Unmarshal(data, (*plain)(f)); err != nil {
		return err
	}
	if f.File, err = change.PathFromText(f.File); err != nil {
		return err
	}
	f.OldFile, err = change.PathFromText(f.OldFile)
	return err
}

// A UnitReport is the verdict of one unit of a hunk.
type UnitReport struct {
	Name    string      `json:"name"`
	Old     change.Span `json:"old"`
	New     change.Span `json:"new"`
	Verdict Verdict     `json:"verdict"`
	Reason  Reason      `json:"reason"`
	Detail  string      `json:"detail,omitempty"`
}

// A TrialReport is one edit and the runs made with it.
type TrialReport struct {
	ID       string `json:"id"`
	Purpose  string `json:"purpose"` // undo, control, confirm, component, hang, head, whole, mutant, before, after, plant, probe
	Language string `json:"language"`
	Env      string `json:"env,omitempty"` // the environment set it ran under, by name
	Edit     string `json:"edit"`          // unified diff against head; "" for none
	// Edits are the exact bytes, for replay; their text is base64.
	Edits []change.Edit `json:"edits"`
	// Setup stands in the tree before the baseline, under Edits: the tests of
	// base, for a trial that shows a mutant to them. Edits are in coordinates of
	// what it leaves.
	Setup  []change.Edit    `json:"setup,omitempty"`
	Basis  harness.Basis    `json:"basis"`
	Tests  []harness.TestID `json:"tests"` // the selection
	Runs   []RunReport      `json:"runs"`
	Replay string           `json:"replay"`
}

// A RunReport is one process run of a trial.
type RunReport struct {
	Tests    int              `json:"tests"` // that passed or failed
	Red      []harness.TestID `json:"red"`
	Phase    harness.Phase    `json:"phase"`
	Complete bool             `json:"complete"`
	Trouble  string           `json:"trouble,omitempty"`
	Seconds  float64          `json:"seconds"`
	Argv     []string         `json:"argv,omitempty"`
	Late     []string         `json:"late,omitempty"` // what a probe found late
	// Output is the tail of what a red run printed, for the evidence.
	Output string `json:"-"`
}
