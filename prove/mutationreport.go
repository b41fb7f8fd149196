package prove

import (
	"bytes"
	"time"

	"assay/change"
	"assay/harness"
)

// MutationSchema names the version of a mutation report as data.
const MutationSchema = "assay.mutation/1"

// A MutationReport is what became of the mutants of some code, as plain data.
// Its JSON form is published as docs/mutation.schema.json: names are fixed,
// fields may be added.
type MutationReport struct {
	Schema      string           `json:"schema"`
	Tool        Tool             `json:"tool"`
	Started     time.Time        `json:"started"`
	Seconds     float64          `json:"seconds"`
	Base        string           `json:"base,omitempty"` // of a change; absent for whole files
	Head        string           `json:"head"`
	Repo        string           `json:"repo"`
	Uncommitted bool             `json:"uncommitted,omitempty"`
	Baseline    Baseline         `json:"baseline"`
	Sample      Sample           `json:"sample"`
	Counts      Tally            `json:"counts"`
	Score       *float64         `json:"score"` // killed of killed, survived and uncovered, in percent; null for none of these
	Functions   []FunctionReport `json:"functions"`
	Mutants     []MutantReport   `json:"mutants"`
	Notes       []string         `json:"notes,omitempty"`
	// Sources are the mutated files at head, for formats that show them.
	Sources []MutatedFile `json:"sources,omitempty"`
}

// A MutatedFile is a file that has mutants.
type MutatedFile struct {
	Path     string `json:"path"`
	Language string `json:"language"`
	Source   []byte `json:"source"` // base64, as no text is sure to be UTF-8
}

// A Sample says how many of the mutants were run.
type Sample struct {
	Of    int    `json:"of"`    // mutants that were to be tried, suppressed ones left out
	Taken int    `json:"taken"` // of these, drawn with Seed when fewer
	Seed  uint64 `json:"seed"`
}

// A Tally counts mutants by what became of them.
type Tally struct {
	Killed     int `json:"killed"`
	Survived   int `json:"survived"`
	Uncovered  int `json:"uncovered"`
	TimedOut   int `json:"timed_out"`
	Undecided  int `json:"undecided"`
	Suppressed int `json:"suppressed"`
	NotReached int `json:"not_reached"`
}

// A FunctionReport counts the mutants of one declared function.
type FunctionReport struct {
	File   string   `json:"file"`
	Name   string   `json:"name"` // "" for what lies outside functions
	Line   int      `json:"line"` // of the first mutant
	Counts Tally    `json:"counts"`
	Score  *float64 `json:"score"`
}

// A MutantReport is one mutant and what became of it.
type MutantReport struct {
	ID          string           `json:"id"` // stable: path and content, not line numbers
	File        string           `json:"file"`
	Function    string           `json:"function"`
	Operator    string           `json:"operator"`
	Description string           `json:"description"`
	Start       Position         `json:"start"`
	End         Position         `json:"end"` // exclusive
	Status      Fate             `json:"status"`
	Reason      Reason           `json:"reason,omitempty"`
	Detail      string           `json:"detail,omitempty"`
	Killers     []harness.TestID `json:"killers"`
	RedKind     string           `json:"red_kind,omitempty"`
	Message     string           `json:"message,omitempty"`
	Covering    int              `json:"covering"`
	Selection   harness.Basis    `json:"selection,omitempty"`
	Edit        string           `json:"edit"`  // unified diff against head
	Edits       []change.Edit    `json:"edits"` // the exact bytes; their text is base64
	Runs        []RunReport      `json:"runs"`
}

// A Position is a place in a file; line and column count from 1, the column
// in bytes.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// positionOf is the place of a byte offset in a text.
func positionOf(text []byte, offset int) Position {
	before := text[:min(offset, len(text))]
	return Position{bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')}
}

// count adds one mutant.
func (t *Tally) count(f Fate) {
	switch f {
	case Killed:
		t.Killed++
	case Lived:
		t.Survived++
	case Unreached:
		t.Uncovered++
	case Hung:
		t.TimedOut++
	case Suppressed:
		t.Suppressed++
	case Skipped:
		t.NotReached++
	case Undecided:
		t.Undecided++
	}
}

// score is the percentage killed; what timed out or was not decided is on
// neither side, since nobody knows whether a test would have noticed.
func (t Tally) score() *float64 {
	all := t.Killed + t.Survived + t.Uncovered
	if all == 0 {
		return nil
	}
	s := float64(t.Killed*1000/all) / 10
	return &s
}

// mutantReport is the mutant as data.
func (p *proof) mutantReport(g *grist) MutantReport {
	text := []byte(p.headOf(g.Path()))
	r := MutantReport{
		ID: g.id, File: g.Path(), Function: g.Function, Operator: g.Operator, Description: g.Description,
		Start: positionOf(text, g.Edits[0].Start), End: positionOf(text, g.Edits[0].End), Status: Skipped, Killers: []harness.TestID{},
		Edit: p.diff(g.Edits), Edits: g.Edits, Runs: []RunReport{},
	}
	switch {
	case g.Suppressed != "":
		r.Status, r.Detail = Suppressed, g.Suppressed
	case g.done:
		s := g.sentence
		r.Status, r.Reason, r.Detail, r.Selection, r.Covering = s.Fate, s.Reason, s.Detail, g.evidence.Basis, g.evidence.Direct
		r.Killers = append(r.Killers, s.Killers...)
		if s.Red != nil {
			r.RedKind, r.Message = string(s.Red.Kind), s.Red.Message
		}
	}
	for _, o := range append(append([]harness.Outcome(nil), g.evidence.Undo...), g.evidence.Confirm...) {
		r.Runs = append(r.Runs, runReport(o))
	}
	return r
}
