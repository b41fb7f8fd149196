package prove

import "time"

// A Config is what a proof is told beside the change. All fields are checked
// by the caller; the zero value proves without a budget.
type Config struct {
	Version string // of the tool, for the report
	// Origin is the user's own tree; it is only read.
	Origin string
	// Env is the environment of every process, scrubbed of git's local
	// variables.
	Env []string
	// EnvSets are run as well, each like a language of its own.
	EnvSets []EnvSet
	// Scratch is an existing directory for what sessions keep; the caller
	// removes it.
	Scratch string
	// Budget ends the proof in time with a full report; 0 means none.
	Budget time.Duration
	// MaxHunks ends the proof after so many hunks were tried, the best first; 0
	// means all. The others are INCONCLUSIVE for the reason budget.
	MaxHunks int
	// MaxRun bounds one run of a whole suite; 0 means none.
	MaxRun time.Duration
	// Hang is the least limit of a test suspected to hang; 0 means 10 s.
	Hang time.Duration
	// HangInconclusive turns PROVEN by hang off (--hang=inconclusive).
	HangInconclusive bool
	// Deep adds mutants of each hunk to its verdict: at most one a line.
	Deep bool
	// AllTests runs every test at head, also those that are known not to reach
	// the change.
	AllTests bool
	// Plain runs every trial with its edits on disk, as if no session could
	// prepare any: slower, and to the same verdicts.
	Plain bool
	// ReportName is what replay lines call the saved report.
	ReportName string
}

// leastHang is the least limit of a hanging test (VERDICTS.md, PROVEN 4).
const leastHang = 10 * time.Second

func (c Config) hang() time.Duration {
	if c.Hang > 0 {
		return c.Hang
	}
	return leastHang
}

func (c Config) reportName() string {
	if c.ReportName != "" {
		return c.ReportName
	}
	return "REPORT.json"
}
