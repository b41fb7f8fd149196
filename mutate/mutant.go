package mutate

import (
	"context"
	"maps"
	"slices"

	"assay/change"
)

// A Mutant is one small alteration of head that a good test would notice.
type Mutant struct {
	// Edits make the alteration; most mutants are one splice. They are
	// byte-exact against head and do not overlap.
	Edits    []change.Edit
	Operator string // name of the Operator that made it
	// Description says what is altered in a few words: "a < b becomes a <= b".
	Description string
	// Function is the declaration it lies in, named as units are ("func
	// Lexer.next"), or "" at package level.
	Function string
	// Lines are what the alteration replaces, in head coordinates.
	Lines change.Span
	// Suppressed is why the mutant is not worth a run: the rule that says so,
	// in words. Empty for one that is to be tried.
	Suppressed string
}

// Path is the file that the mutant alters.
func (m Mutant) Path() string { return m.Edits[0].Path }

// An Operator is one way of making mutants.
type Operator struct {
	Name string // as reports and --operators spell it
	Doc  string // what it does, in one line
}

// A Target is the lines of a file that mutants are wanted of.
type Target struct {
	Path  string
	Lines []change.Span // head coordinates; nil for the whole file
}

// Wants reports whether a mutant of the given lines is asked for: it must
// begin on one of the target's.
func (t Target) Wants(lines change.Span) bool {
	if t.Lines == nil {
		return true
	}
	for _, s := range t.Lines {
		if s.Lines > 0 && s.Start <= lines.Start && lines.Start <= s.End() {
			return true
		}
	}
	return false
}

// A Crop is the mutants of some targets.
type Crop struct {
	Mutants []Mutant // by target, then in order of the text
	Notes   []string // what a reader should know: files that nothing compiles
}

// A Mutator makes the mutants of one language.
type Mutator interface {
	// Operators lists the operators, the most telling first: where one mutant
	// of a line must do, that of the earliest operator is taken.
	Operators() []Operator
	// Mutants returns the mutants of the targets by the operators of the given
	// names, all when there are none. dir holds head and is not modified. Every
	// mutant that is not suppressed can be built (Go) or compiled (Python);
	// those that are suppressed were not looked at further. An error means that
	// the tree could not be read or that ctx ended.
	Mutants(ctx context.Context, dir string, targets []Target, operators []string) (Crop, error)
}

// OnePerLine returns the places of the mutants to keep where one of each line
// must do: of those that begin on one line of one file the one whose operator
// comes first in ranked. Suppressed mutants are never kept.
func OnePerLine(all []Mutant, ranked []Operator) []int {
	rank := map[string]int{}
	for i, o := range ranked {
		rank[o.Name] = i
	}
	type line struct {
		path string
		line int
	}
	best := map[line]int{}
	for i, m := range all {
		at := line{m.Path(), m.Lines.Start}
		held, taken := best[at]
		if m.Suppressed == "" && (!taken || rank[m.Operator] < rank[all[held].Operator]) {
			best[at] = i
		}
	}
	kept := slices.Collect(maps.Values(best))
	slices.Sort(kept)
	return kept
}
