package gosrc

import (
	"bytes"
	"go/types"
	"path"
	"slices"
	"strings"

	"assay/mutate/gosrc/typed"
)

// owners returns the members outside the trial that its problem is about, by the first
// of these rules that names any: the problem stands on lines that one added;
// its old side defines the missing name, in the scope where it is looked up;
// its sides used or declared what is now unused or declared twice; it changed
// the declaration of a name on the line; it lies in the same function. In a
// test only the second rule counts: head's tests cannot be un-done.
func (t trial) owners(s *sides) []*member {
	p, set := *t.problem, t.set
	at := scene{s: s, p: p, t: t}
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
	t trial
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

// restoredBy are the members of the trial whose restored text the problem can
// stand in: those that the edit around it un-does.
func (at scene) restoredBy() []*member {
	from, to, ok := at.t.gluer.d.replaced(at.p.Path, at.p.Offset)
	if at.p.Head >= 0 || !ok {
		return nil
	}
	var out []*member
	for _, m := range at.t.set {
		a, b := m.unit.New.Bytes(m.file.New)
		if m.file.Path == at.p.Path && a <= to && from <= b {
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
	case typed.MissingMethod: // of an interface that asks for it since
		return m.declares(atHead, at.p.Name, func(d def) bool { return d.kind == inType })
	case typed.NoNewVar:
		return (m.declares(atHead, at.p.Name, isLocalDef) || m.mentions(atHead, at.p.Name)) && at.sameFunction(m)
	}
	return false
}

func isLocalDef(d def) bool { return d.kind == local }

// retyped: the member changed the declaration of a name on the problem's line,
// or of its type.
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
// head's, else those of restored text that stand on it.
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
				out = append(out, typesOf(id.Object.Type())...)
			}
		}
		return out
	}
	words := map[string]bool{}
	for _, t := range lineTokens(lineAt(at.t.gluer.d.text(at.p.Path), at.p.Offset)) {
		words[t.lit] = true
	}
	var out []def
	for _, m := range at.restoredBy() {
		for _, d := range m.restored() {
			if words[d.name] && d.obj != nil {
				out = append(out, d)
				out = append(out, typesOf(d.obj.Type())...)
			}
		}
	}
	return out
}

// typesOf are the named types that a value of a type leads to: what fits the
// value changes with their declarations.
func typesOf(t types.Type) []def {
	switch t := t.(type) {
	case *types.Named:
		return []def{{name: t.Obj().Name(), kind: global}}
	case *types.Alias:
		return append([]def{{name: t.Obj().Name(), kind: global}}, typesOf(t.Rhs())...)
	case *types.Map:
		return append(typesOf(t.Key()), typesOf(t.Elem())...)
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return typesOf(t.Elem())
	}
	return nil
}

// lineAt is the line around an offset.
func lineAt(text []byte, offset int) []byte {
	from := bytes.LastIndexByte(text[:offset], '\n') + 1
	if n := bytes.IndexByte(text[offset:], '\n'); n >= 0 {
		return text[from : offset+n]
	}
	return text[from:]
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
