package gosrc

import (
	"path"
	"slices"
	"strings"

	"assay/mutate/gosrc/typed"
)

// owners returns the members outside set that a problem is about, by the first
// of these rules that names any: the problem stands on lines that one added;
// its old side defines the missing name, in the scope where it is looked up;
// its sides used or declared what is now unused or declared twice; it changed
// the declaration of a name on the line; it lies in the same function. In a
// test only the second rule counts: head's tests cannot be un-done.
func (s *sides) owners(p typed.Problem, set []*member) []*member {
	at := scene{s: s, p: p}
	rules := []func(*member) bool{at.addedBy, at.definedBy, at.leftOver, at.retyped, at.sameFunction}
	if s.isTest(p.Path) {
		rules = rules[1:2]
	}
	for _, rule := range rules {
		var out []*member
		for _, m := range s.members {
			if !slices.Contains(set, m) && rule(m) {
				out = append(out, m)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// A scene is where a problem stands.
type scene struct {
	s *sides
	p typed.Problem
}

// addedBy: the error line was added by the member.
func (at scene) addedBy(m *member) bool {
	return at.p.Head >= 0 && m.file.Path == at.p.Path && m.holds(atHead, at.p.Head)
}

// definedBy: the member's old side defines the missing name, and it is of the
// right kind.
func (at scene) definedBy(m *member) bool {
	p := at.p
	switch p.Code {
	case typed.UnknownMember, typed.UnknownField, typed.MissingMethod:
		return m.defines(p.Name, func(d def) bool { return d.kind == inType })
	case typed.Undefined:
		if p.Selector {
			return m.defines(p.Name, func(d def) bool { return d.kind == global })
		}
		return m.defines(p.Name, func(d def) bool { return at.sees(m, d) })
	case typed.ImportNotFound:
		return m.file.Path != "" && importsPackage(m, p.Name)
	}
	if at.s.isTest(p.Path) {
		return p.Name != "" && m.defines(p.Name, func(d def) bool { return d.kind != local && d.kind != imported })
	}
	return false
}

// defines reports whether the member's old side declares the name under the
// name that head knows it by.
func (m *member) defines(name string, fit func(def) bool) bool {
	return m.declares(atBase, name, fit)
}

// sees reports that a plain name at the problem can be what d declares.
func (at scene) sees(m *member, d def) bool {
	switch d.kind {
	case global:
		return d.pkg == at.p.Package
	case imported:
		return m.file.Path == at.p.Path
	case local:
		fn, ok := strings.CutPrefix(d.in, m.file.OldPath)
		return ok && slices.Contains(at.functions(), m.file.Path+fn)
	}
	return false
}

// functions are the functions around the problem: by its place at head, or by
// the members of its restored text.
func (at scene) functions() []string {
	if at.p.Head >= 0 {
		if syn, ok := at.s.head.Syntax(at.p.Path); ok {
			if fn := syn.Func(at.p.Head); fn != nil {
				return []string{at.p.Path + "#" + funcName(fn)}
			}
		}
	}
	var out []string
	for _, m := range at.restoredBy() {
		out = append(out, m.functions(at.s)...)
	}
	return out
}

// restoredBy are the members whose text the problem can stand in, when the
// edits put it there.
func (at scene) restoredBy() []*member {
	var out []*member
	for _, m := range at.s.members {
		if m.file.Path == at.p.Path && at.p.Head < 0 && slices.ContainsFunc(m.restored(), func(d def) bool { return d.name == at.p.Name }) {
			out = append(out, m)
		}
	}
	return out
}

// restored are the names of the old side.
func (m *member) restored() []def { return slices.Concat(m.defs[atBase], m.uses[atBase]) }

// leftOver: the old side used what is unused, or the new side declares what is
// declared twice.
func (at scene) leftOver(m *member) bool {
	switch at.p.Code {
	case typed.UnusedVar, typed.UnusedLabel, typed.UnusedImport:
		return m.mentions(atBase, at.p.Name) && at.sameFunction(m)
	case typed.Redeclared:
		for _, r := range at.p.Related {
			if m.file.Path == r.Path && m.declares(atHead, at.p.Name, func(def) bool { return true }) {
				return true
			}
		}
		return m.declares(atHead, at.p.Name, func(d def) bool { return d.kind != local || at.sameFunction(m) })
	case typed.NoNewVar:
		return (m.declares(atHead, at.p.Name, isLocalDef) || m.mentions(atHead, at.p.Name)) && at.sameFunction(m)
	}
	return false
}

func isLocalDef(d def) bool { return d.kind == local }

// retyped: the member changed the declaration of a name on the problem's line.
func (at scene) retyped(m *member) bool {
	for _, d := range at.onLine() {
		for side := range m.defs {
			fits := func(e def) bool {
				if e.kind != d.kind {
					return false
				}
				return e.kind != local || at.sameFunction(m)
			}
			if m.declares(side, d.name, fits) {
				return true
			}
		}
	}
	return false
}

// onLine are the names on the line of the problem: head's when the line is
// head's, else those of the restored lines that mention the same name.
func (at scene) onLine() []def {
	if at.p.Head >= 0 {
		syn, ok := at.s.head.Syntax(at.p.Path)
		if !ok {
			return nil
		}
		var out []def
		for _, id := range syn.Line(syn.Place(at.p.Head).Line) {
			if id.Object != nil {
				out = append(out, def{name: id.Name, kind: kindOf(id.Object)})
			}
		}
		return out
	}
	var out []def
	for _, m := range at.restoredBy() {
		lines := map[int]bool{}
		for _, d := range m.restored() {
			if d.name == at.p.Name {
				lines[d.at.Line] = true
			}
		}
		for _, d := range m.restored() {
			if lines[d.at.Line] {
				out = append(out, d)
			}
		}
	}
	return out
}

// sameFunction: the member lies in the function of the problem.
func (at scene) sameFunction(m *member) bool {
	mine := m.functions(at.s)
	return slices.ContainsFunc(at.functions(), func(f string) bool { return slices.Contains(mine, f) })
}

// importsPackage reports whether the member creates the package of an import
// path at base: a file of a directory that head no longer has.
func importsPackage(m *member, name string) bool {
	return m.file.OldPath != "" && path.Base(path.Dir(m.file.OldPath)) == path.Base(name)
}
