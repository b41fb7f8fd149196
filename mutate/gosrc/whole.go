package gosrc

import (
	"context"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc/typed"
)

// mostDropped bounds the declarations that are taken out of tests.
const mostDropped = 500

// Whole implements mutate.Ladder. A file of which every unit is given goes back
// to base as a whole, name included. When head's tests do not compile then,
// proved renames are kept, and what still does not compile in tests is taken
// out; dropped names it as "file::TestName", in the order in which it fell. It
// fails when production does not build with the units un-done.
func (l *Ladder) Whole(ctx context.Context, dir string, c *change.Change, units []*change.Unit) (edits []change.Edit, dropped []string, err error) {
	notes := map[*change.Unit]*mutate.Note{}
	for _, u := range units {
		notes[u] = &mutate.Note{}
	}
	if !slices.ContainsFunc(units, plannable) {
		return (&sides{}).together(c, units).edits(), nil, nil
	}
	s, err := openSides(ctx, typed.Config{Dir: dir, Env: l.env, Flags: l.flags}, c, notes)
	if err != nil {
		return nil, nil, fmt.Errorf("planning how to un-do the whole change to Go source: %w", err)
	}
	plain := s.together(c, units)
	res, err := s.head.Check(ctx, plain.edits())
	if err != nil {
		return nil, nil, err
	}
	if len(res.Problems) == 0 || onlyModules(res.Problems) {
		return plain.edits(), nil, nil
	}
	d := plain
	if len(s.renames) > 0 {
		if kept := s.undo(s.unrenamed()); s.others(kept, units) {
			d = kept
		}
	}
	for range mostDropped {
		g, p, err := s.glue(ctx, d, s.members)
		if err != nil {
			return nil, nil, err
		}
		if p == nil || p.Code == typed.ModuleFile {
			return g.d.edits(), dropped, nil
		}
		name, ok := s.drop(d, *p)
		if !ok {
			return nil, nil, fmt.Errorf("%w: %s", errUndone, says(*p))
		}
		if name != "" {
			dropped = append(dropped, name)
		}
	}
	return nil, nil, fmt.Errorf("%w: more than %d tests need it", errUndone, mostDropped)
}

func onlyModules(all []typed.Problem) bool {
	return !slices.ContainsFunc(all, func(p typed.Problem) bool { return p.Code != typed.ModuleFile })
}

// together drafts the un-doing of units of any file.
func (s *sides) together(c *change.Change, units []*change.Unit) *draft {
	d := newDraft(s.content)
	for _, f := range c.Files {
		all, given := 0, []*change.Unit{}
		for _, h := range f.Hunks {
			for _, u := range h.Units {
				all++
				if slices.Contains(units, u) {
					given = append(given, u)
				}
			}
		}
		switch {
		case len(given) == 0 || f.Form != change.Text:
		case len(given) == all:
			for _, e := range f.ToBase() {
				d.put(e)
			}
		default:
			for _, u := range given {
				if !u.Hunk.Whole {
					d.put(u.Undo())
				}
			}
		}
	}
	return d
}

// unrenamed are the members that are more than renamed.
func (s *sides) unrenamed() []*member {
	var out []*member
	for _, m := range s.members {
		if only, _ := m.onlyRenamed(s.renames); !only {
			out = append(out, m)
		}
	}
	return out
}

// others adds to a draft the units that are no members, such as data; false
// when a file was renamed, which the draft would not un-do.
func (s *sides) others(d *draft, units []*change.Unit) bool {
	for _, u := range units {
		if s.byUnit[u] != nil || u.Hunk.File.Form != change.Text {
			continue
		}
		if u.Hunk.Whole || u.Hunk.File.Status == change.Renamed {
			return false
		}
		d.put(u.Undo())
	}
	return true
}

// drop takes what does not compile out of a test: the declaration around the
// problem, or an import that nothing uses any more. Only tests are named.
func (s *sides) drop(d *draft, p typed.Problem) (name string, ok bool) {
	if !strings.HasSuffix(p.Path, "_test.go") {
		return "", false
	}
	t := parse(d.text(p.Path))
	if t.file == nil {
		return "", false
	}
	g := &gluer{s: s, d: d}
	if p.Code == typed.UnusedImport {
		return "", g.blankImport(p)
	}
	for _, decl := range t.file.Decls {
		from, to := t.declRange(decl)
		if p.Offset < from || p.Offset >= to || isImport(decl) {
			continue
		}
		d.splice(p.Path, from, to, "")
		return p.Path + "::" + declaredName(decl), true
	}
	return "", false
}

func declaredName(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return funcName(d)
	case *ast.GenDecl:
		return d.Tok.String() + " " + specNames(d.Specs...)
	}
	return ""
}
