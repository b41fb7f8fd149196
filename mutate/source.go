// Package mutate turns a Hunk into the Edits that honestly un-do it, and says
// what can be known of a hunk without running anything: whether it has any
// behaviour, which names it adds and removes, whether its un-doing alone can
// stand. Languages live in the packages below it; each implements Source.
//
// The rules are those of "The undo ladder" in VERDICTS.md. Nothing here starts
// a test.
package mutate

import (
	"context"

	"assay/change"
)

// A Source knows the source text of one language.
type Source interface {
	// Kind says what part a file of the language plays; ok is false for a
	// path the language does not own. why names the rule.
	Kind(f *change.File) (kind change.Kind, why string, ok bool)
	// Study looks at every hunk of the given files of c, cuts it into units
	// (setting Hunk.Units) and returns a Note for each unit. A file that does
	// not parse yields Notes whose Broken says so.
	Study(ctx context.Context, c *change.Change, files []*change.File) (map[*change.Unit]*Note, error)
}

// A Note is what the source text alone says of a unit.
type Note struct {
	// Nothing is set when the unit cannot change behaviour.
	Nothing Inertness
	// Ignored is the reason given by an `assay:ignore reason` comment on or
	// just above the unit; an empty reason with IgnoredBare set is an error of
	// the user that is reported and does not ignore anything.
	Ignored     string
	IgnoredBare bool
	// Broken says in words why the unit un-done alone cannot stand (syntax,
	// undefined name, ...); the run would then prove nothing. Missing names
	// the symbol when it is about one.
	Broken  string
	Missing string
	// Control is the positive control: an unconditional failure planted at
	// the unit in head's text. Empty when none can be planted.
	Control []change.Edit
	// Body is the lines in head coordinates whose execution means that the
	// unit is reached: its own new lines, or for a pure deletion the smallest
	// statement or block around it.
	Body change.Span
	// ImportTime is true when the unit's lines run when the file is loaded
	// (module level in Python, package-level declarations in Go).
	ImportTime bool
	// Defines are names the unit adds, removes or re-types (functions,
	// classes, variables, fields, parameters, imports); Uses are names that
	// its old or new text mentions. Two units are coupled when one uses what
	// the other defines.
	Defines, Uses []string
	// Users are the declarations of the same test file that use what the unit
	// declares, for a unit of a test file; see UsedBy.
	Users []string
	// Declaration is the innermost named declaration around the unit, such as
	// "Lexer.next"; units of one declaration of one file are coupled.
	Declaration string
}

// An Inertness is why a unit has nothing to prove.
type Inertness string

// The ways of having nothing to prove that the text alone shows.
const (
	Comment    Inertness = "comment"    // same tokens
	Formatting Inertness = "formatting" // same tokens, other white space
	Docstring  Inertness = "docstring"
	Annotation Inertness = "annotation" // type annotations only
	Imports    Inertness = "imports"
	Moved      Inertness = "moved"
	RenamedTo  Inertness = "renamed"
	Carried    Inertness = "carried" // a declaration without behaviour, held by the units that use it
)
