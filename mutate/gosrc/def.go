package gosrc

import (
	"go/ast"
	"go/types"
	"slices"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// A defKind is the scope in which a name is looked up.
type defKind int

const (
	local    defKind = iota // a variable, parameter or label of a function
	global                  // declared at package level
	inType                  // a field or a method
	imported                // a package name of a file
)

// A def is a name that some lines declare or mention.
type def struct {
	name string
	kind defKind
	obj  types.Object
	pkg  string      // import path of the file's package
	in   string      // "path#function" around it, for a local
	at   typed.Place // of the mention itself
	decl typed.Place // where the object is declared
}

// named lists what the lines of a file declare and mention in a world. Nothing
// is known of files that no package compiles.
func (s *sides) named(w *typed.World, name string, span change.Span, content []byte) (defs, uses []def) {
	syn, ok := w.Syntax(name)
	if !ok || span.Lines == 0 {
		return nil, nil
	}
	from, to := span.Bytes(content)
	for _, id := range syn.Idents(from, to) {
		if id.Object == nil && !id.Defines {
			uses = append(uses, def{name: id.Name, kind: local, at: id.Place})
			continue
		}
		d := def{name: id.Name, kind: kindOf(id.Object), obj: id.Object, pkg: packageOfFile(w, name), at: id.Place, decl: id.Decl}
		if d.kind == local {
			d.in = functionOf(syn, id.Offset)
		}
		if id.Defines {
			defs = append(defs, d)
		} else {
			uses = append(uses, d)
		}
	}
	return defs, uses
}

// functionOf names the function around an offset, with its file.
func functionOf(syn *typed.Syntax, offset int) string {
	if fn := syn.Func(offset); fn != nil {
		return syn.Path + "#" + funcName(fn)
	}
	return ""
}

func kindOf(obj types.Object) defKind {
	switch obj := obj.(type) {
	case *types.PkgName:
		return imported
	case *types.Var:
		if obj.IsField() {
			return inType
		}
	case *types.Func:
		if obj.Signature().Recv() != nil {
			return inType
		}
	}
	if obj != nil && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
		return global
	}
	return local
}

// declares reports whether a side of the member declares the name, in a scope
// that fit accepts.
func (m *member) declares(side int, name string, fit func(def) bool) bool {
	return slices.ContainsFunc(m.defs[side], func(d def) bool { return d.name == name && fit(d) })
}

// mentions reports whether a side of the member mentions the name.
func (m *member) mentions(side int, name string) bool {
	return slices.ContainsFunc(m.uses[side], func(d def) bool { return d.name == name })
}

// holds reports whether a side of the member includes a byte of its file.
func (m *member) holds(side, offset int) bool {
	span, content := m.unit.New, m.file.New
	if side == atBase {
		span, content = m.unit.Old, m.file.Old
	}
	from, to := span.Bytes(content)
	return from <= offset && offset < to
}

// path is where a side of the member lies.
func (m *member) path(side int) string {
	if side == atBase {
		return m.file.OldPath
	}
	return m.file.Path
}

// functions are the functions of the member's file that its sides touch.
func (m *member) functions(s *sides) []string {
	var out []string
	for side, w := range []*typed.World{s.base, s.head} {
		syn, ok := w.Syntax(m.path(side))
		if !ok {
			continue
		}
		span, content := m.unit.New, m.file.New
		if side == atBase {
			span, content = m.unit.Old, m.file.Old
		}
		from, to := span.Bytes(content)
		for _, d := range syn.File.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && syn.Offset(fn.Pos()) <= to && from < syn.Offset(fn.End()) {
				out = append(out, m.file.Path+"#"+funcName(fn))
			}
		}
	}
	return out
}
