package gosrc

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc/typed"
)

// sides are the typed trees of a change and the units the ladder can move.
type sides struct {
	head, base *typed.World
	change     *change.Change
	members    []*member // units with behaviour of production and support files
	byUnit     map[*change.Unit]*member
	renames    renames
	// headText keeps what was read of head for Go files outside packages.
	headText map[string][]byte
}

// A member is a unit that can be un-done.
type member struct {
	unit *change.Unit
	note *mutate.Note
	file *change.File
	old  []byte   // the base side with proved renames applied
	defs [2][]def // what the base side and the head side declare
	uses [2][]def // what they mention
	code [2]bool  // whether they hold more than comments and white space
}

// The sides of a member.
const (
	atBase = iota
	atHead
)

// openSides loads both trees. Packages that do not compile on either side are
// no error.
func openSides(ctx context.Context, cfg typed.Config, c *change.Change, notes map[*change.Unit]*mutate.Note) (*sides, error) {
	head, err := typed.Load(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("type check head: %w", err)
	}
	var back []change.Edit
	s := &sides{head: head, change: c, byUnit: map[*change.Unit]*member{}, headText: map[string][]byte{}}
	for _, f := range c.Files {
		if f.Form == change.Text {
			s.headText[f.Path] = f.New
			back = append(back, f.ToBase()...)
		}
	}
	if s.base, err = head.Base(ctx, back); err != nil {
		return nil, fmt.Errorf("type check base: %w", err)
	}
	for _, f := range c.Files {
		for _, h := range f.Hunks {
			for _, u := range h.Units {
				if isOpen(u, notes[u]) {
					s.add(u, notes[u])
				}
			}
		}
	}
	s.renames = findRenames(s)
	for _, m := range s.members {
		m.old = s.renames.apply(s, m.file.OldPath, m.unit.Old)
	}
	return s, nil
}

// plannable reports whether a unit is Go text that can be un-done in part.
func plannable(u *change.Unit) bool {
	f := u.Hunk.File
	return f.Form == change.Text && isSource(f.Path) && !u.Hunk.Whole && f.Kind != change.Test && f.Kind != change.Generated
}

// isOpen reports whether a unit has behaviour as far as is known.
func isOpen(u *change.Unit, n *mutate.Note) bool {
	return plannable(u) && n != nil && n.Nothing == "" && n.Ignored == ""
}

func (s *sides) add(u *change.Unit, n *mutate.Note) {
	m := &member{unit: u, note: n, file: u.Hunk.File, old: u.OldText()}
	m.defs[atBase], m.uses[atBase] = s.named(s.base, m.file.OldPath, u.Old, m.file.Old)
	m.defs[atHead], m.uses[atHead] = s.named(s.head, m.file.Path, u.New, m.file.New)
	m.code = [2]bool{hasCode(u.OldText()), hasCode(u.NewText())}
	s.members = append(s.members, m)
	s.byUnit[u] = m
}

// content is the text of a path at head.
func (s *sides) content(name string) []byte {
	if text, ok := s.headText[name]; ok {
		return text
	}
	return s.head.Content(name)
}

// undo drafts the un-doing of some members together, renames applied.
func (s *sides) undo(set []*member) *draft {
	d := newDraft(s.content)
	whole := map[*change.File]int{}
	for _, m := range set {
		whole[m.file]++
	}
	for _, m := range s.members { // in the order of the change
		if !slices.Contains(set, m) {
			continue
		}
		e := m.unit.Undo()
		switch {
		case m.file.Status == change.Added && whole[m.file] == s.count(m.file):
			e = change.Edit{Path: m.file.Path, Op: change.Remove}
		default:
			e.Text = m.old
		}
		d.put(e)
	}
	return d
}

// count is how many members a file has.
func (s *sides) count(f *change.File) int {
	n := 0
	for _, m := range s.members {
		if m.file == f {
			n++
		}
	}
	return n
}

// compiled reports whether a build here compiles the member's file on the side
// that has one.
func (s *sides) compiled(m *member) bool {
	if m.file.Status == change.Deleted {
		_, ok := s.base.Syntax(m.file.OldPath)
		return ok
	}
	_, ok := s.head.Syntax(m.file.Path)
	return ok
}

// broken returns what keeps the package of a file from compiling in a world.
func broken(w *typed.World, dir string) (typed.Problem, bool) {
	for _, b := range w.Broken() {
		for _, p := range b.Problems {
			if path.Dir(p.Path) == dir && !b.Test {
				return p, true
			}
		}
	}
	return typed.Problem{}, false
}

// hasCode reports whether text holds more than comments and white space.
func hasCode(text []byte) bool { return len(lineTokens(text)) > 0 }

var errUndone = errors.New("the change un-done does not build")

// packageOfFile is the import path of the package that compiles a path.
func packageOfFile(w *typed.World, name string) string {
	if s, ok := w.Syntax(name); ok {
		return strings.TrimSuffix(s.Package.Path(), "_test")
	}
	return ""
}

// declAround returns the top-level declaration of a file around an offset.
func declAround(s *typed.Syntax, offset int) ast.Decl {
	for _, d := range s.File.Decls {
		if s.Offset(d.Pos()) <= offset && offset < s.Offset(d.End()) {
			return d
		}
	}
	return nil
}
