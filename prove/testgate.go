package prove

import "assay/harness"

// A TestGate is what the gate found of one hunk of test code.
type TestGate struct {
	Before  int          `json:"before"`  // mutants that the hunk's tests catch at base
	After   int          `json:"after"`   // of these and others, that a test catches at head
	Mutants int          `json:"mutants"` // shown to both sides
	Left    int          `json:"left"`    // not shown, for lack of time
	Lost    []LostCatch  `json:"lost"`
	Moved   []MovedCatch `json:"moved"`  // other tests catch it now
	Gained  []MovedCatch `json:"gained"` // caught at head only
	Gone    []GoneTest   `json:"gone"`   // tests that served at base and do not at head
	// BaseProduction are production files that stood at base for the base's
	// tests, which do not build or collect with head's.
	BaseProduction []string `json:"base_production,omitempty"`
}

// A MutantRef names a mutant and shows it.
type MutantRef struct {
	ID          string `json:"id"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Function    string `json:"function"`
	Operator    string `json:"operator"`
	Description string `json:"description"`
	Edit        string `json:"edit"` // unified diff against head
}

// A LostCatch is a mutant that base's tests catch and no test at head does.
type LostCatch struct {
	Mutant  MutantRef        `json:"mutant"`
	Caught  []harness.TestID `json:"caught"`  // by these at base
	Message string           `json:"message"` // of the first one's red
	Why     string           `json:"why"`     // it no longer does
	Trials  []string         `json:"trials"`  // IDs of trials of the finding: before, after
	trials  []TrialReport
}

// A MovedCatch is a mutant whose catchers differ between base and head.
type MovedCatch struct {
	Mutant MutantRef        `json:"mutant"`
	Before []harness.TestID `json:"before"`
	After  []harness.TestID `json:"after"`
}

// A GoneTest is a test that is green at base and does not serve at head.
type GoneTest struct {
	ID  harness.TestID `json:"id"`
	Why string         `json:"why"`
}
