package prove

import (
	"fmt"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// A subject is one unit under proof: what is known of it, what is learned and
// what was decided.
type subject struct {
	hunk     *change.Hunk
	unit     *change.Unit
	note     *mutate.Note // never nil
	read     bool         // a language read the file; else the note is empty
	coupled  []*subject   // its component without itself
	plan     *mutate.Plan // how it is un-done; nil for the plain way
	benches  []*bench     // one for each language that tried it
	probe    *Decision    // what a probe says of it, if one says anything
	decision Decision
	settled  bool // decided without a run
	covering int
	basis    harness.Basis
	trials   []TrialReport
}

// file is the file the subject belongs to.
func (s *subject) file() *change.File { return s.hunk.File }

// name is how progress and errors call the subject.
func (s *subject) name() string {
	if s.unit.Name != "" && len(s.hunk.Units) > 1 {
		return s.hunk.Name() + " " + s.unit.Name
	}
	return s.hunk.Name()
}

// id is the ID of the hunk, and for one unit of several also which: trials are
// named after it, and no two may share a name.
func (s *subject) id() string {
	if len(s.hunk.Units) < 2 {
		return s.hunk.ID
	}
	return fmt.Sprintf("%s.%d", s.hunk.ID, slices.Index(s.hunk.Units, s.unit)+1)
}

// alone is the edit that puts the base side of the subject back, nothing else.
func (s *subject) alone() change.Edit {
	if len(s.hunk.Units) == 1 {
		return s.hunk.Undo()
	}
	return s.unit.Undo()
}

// undo is the edits that un-do the subject as the ladder found.
func (s *subject) undo() []change.Edit {
	if s.plan != nil && s.plan.Rung != mutate.RungNone {
		return s.plan.Edits
	}
	return []change.Edit{s.alone()}
}

// next is the plan for when the subject's own does not stand, or nil.
func (s *subject) next() *mutate.Plan {
	if s.plan == nil {
		return nil
	}
	return s.plan.Else
}

// rung is the step of the ladder that the subject's runs stand on.
func (s *subject) rung() mutate.Rung {
	switch {
	case len(s.trials) == 0:
		return mutate.RungNone
	case s.decision.Together:
		return mutate.RungPartners
	case s.plan != nil:
		return s.plan.Rung
	}
	return mutate.RungRevert
}

// control is the failure planted at the subject: what the language proposes,
// or an emptied file where no language reads it.
func (s *subject) control() (edits []change.Edit, emptied bool) {
	f := s.file()
	unread := f.Kind == change.Data || !s.read
	if unread && len(s.note.Control) == 0 && f.Status != change.Deleted && len(f.New) > 0 {
		return []change.Edit{{Path: f.Path, Start: 0, End: len(f.New)}}, true
	}
	return s.note.Control, false
}

// empty reports whether the subject is a source file of no bytes on both sides,
// such as the __init__.py that makes a directory a package.
func (s *subject) empty() bool {
	return s.read && s.hunk.Whole && len(s.file().New) == 0 && len(s.file().Old) == 0
}

// lines are the lines whose execution means that the subject is reached.
func (s *subject) lines() change.Span {
	if s.note.Body.Lines > 0 {
		return s.note.Body
	}
	return s.unit.New
}

// settleByText decides what needs no run: kinds that are not un-done, forms
// that cannot be, and text without behaviour.
func (s *subject) settleByText() {
	f := s.file()
	var d Decision
	switch {
	case f.Form != change.Text:
		d = settle(Unsupported, "a "+f.Form.String()+" cannot be un-done in part")
		if f.Kind == change.Inert || f.Kind == change.Generated {
			d = settle(kindReason[f.Kind], f.KindWhy)
		}
	case kindReason[f.Kind] != "":
		d = settle(kindReason[f.Kind], f.KindWhy)
	case s.hunk.Whole && f.Status == change.Renamed:
		d = settle(Moved, "renamed from "+f.OldPath+" with the same content")
	case s.hunk.Whole && f.Status == change.Modified:
		d = settle(Unsupported, fmt.Sprintf("only the mode differs (%o, was %o)", f.NewMode, f.OldMode))
	case s.note.Ignored != "":
		d = settle(Ignored, "assay:ignore "+s.note.Ignored)
	case s.note.Nothing != "":
		d = settle(Reason(s.note.Nothing), words[Reason(s.note.Nothing)])
	default:
		return
	}
	s.decision, s.settled = d, true
}

// kindReason is why hunks of some kinds have nothing to prove.
var kindReason = map[change.Kind]Reason{
	change.Test:      TestHunk,
	change.Inert:     Inert,
	change.Generated: Generated,
}

// revertible reports whether the subject belongs to what the control of the
// whole change un-does: production, support and generated code, and data that
// no test directory holds (VERDICTS.md, the claim). Golden files and other
// test data are part of the tests.
func (s *subject) revertible() bool {
	f := s.file()
	if f.Form != change.Text {
		return false
	}
	switch f.Kind {
	case change.Production, change.Support, change.Generated:
		return true
	case change.Data:
		return !testData(f.Path)
	}
	return false
}

// expectation reports whether the subject belongs to test data, which is part
// of the tests and not of what they test.
func (s *subject) expectation() bool {
	return s.file().Form == change.Text && s.file().Kind == change.Data && testData(s.file().Path)
}

// testData reports whether a data file lies where tests keep theirs.
func testData(path string) bool {
	dirs := strings.Split(path, "/")
	return slices.ContainsFunc(dirs[:len(dirs)-1], func(d string) bool {
		switch strings.ToLower(d) {
		case "testdata", "test", "tests", "testing", "fixtures", "__snapshots__", "golden", "goldens", "spec", "specs":
			return true
		}
		return false
	})
}
