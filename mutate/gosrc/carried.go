package gosrc

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"assay/change"
)

// carried reports that both sides of the member hold nothing but declarations
// without behaviour of their own, which the units that use them carry: types,
// interfaces, fields, variables that nothing initialises, constants of an iota
// group whose other values stay.
// Struct tags, embedding, array lengths, underlying types and the order of an
// iota group are behaviour.
func (s *sides) carried(m *member) bool {
	names := map[string]bool{}
	for side := range m.code {
		found, ok := s.typeNames(m, side)
		if m.code[side] && !ok {
			return false
		}
		for _, n := range found {
			names[n] = true
		}
	}
	base, head := s.scopeOf(s.base, packageOfFile(s.base, m.file.OldPath)), s.scopeOf(s.head, packageOfFile(s.head, m.file.Path))
	for n := range names {
		if !inertPair(base.Lookup(n), head.Lookup(n)) {
			return false
		}
	}
	return len(names) > 0
}

// typeNames are the types and iota constants whose declarations a side of the
// member touches; ok is false when it touches anything else.
func (s *sides) typeNames(m *member, side int) (names []string, ok bool) {
	w, span, content := s.head, m.unit.New, m.file.New
	if side == atBase {
		w, span, content = s.base, m.unit.Old, m.file.Old
	}
	syn, known := w.Syntax(m.path(side))
	if !known {
		return nil, false
	}
	from, to := span.Bytes(content)
	touches := func(n ast.Node) bool { return syn.Offset(n.Pos()) < to && from < syn.Offset(n.End()) }
	for _, d := range syn.File.Decls {
		if !touches(d) {
			continue
		}
		g, isGen := d.(*ast.GenDecl)
		switch {
		case isGen && g.Tok == token.TYPE:
		case isGen && g.Tok == token.CONST && counts(g):
		case isGen && g.Tok == token.VAR && plainVars(g, touches):
		default:
			return nil, false
		}
		for _, spec := range g.Specs {
			if g.Tok == token.CONST || touches(spec) {
				names = append(names, declaredNames(spec)...)
			}
		}
	}
	return names, true
}

func declaredNames(spec ast.Spec) []string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []string{spec.Name.Name}
	case *ast.ValueSpec:
		var out []string
		for _, id := range spec.Names {
			if id.Name != "_" {
				out = append(out, id.Name)
			}
		}
		return out
	}
	return nil
}

// inertPair reports that what differs between two versions of a declaration,
// one of which may be absent, cannot be noticed without naming it.
func inertPair(a, b types.Object) bool {
	if a == nil || b == nil {
		return inertAlone(a) && inertAlone(b)
	}
	if x, isConst := a.(*types.Const); isConst {
		y, both := b.(*types.Const)
		return both && x.Val().ExactString() == y.Val().ExactString()
	}
	if _, isVar := a.(*types.Var); isVar {
		return typeString(a.Type()) == typeString(b.Type())
	}
	x, y := a.Type().Underlying(), b.Type().Underlying()
	p, isStruct := x.(*types.Struct)
	q, both := y.(*types.Struct)
	if isStruct && both {
		return inertFields(p, q)
	}
	_, isInterface := x.(*types.Interface)
	_, bothInterfaces := y.(*types.Interface)
	return isInterface && bothInterfaces || typeString(x) == typeString(y)
}

func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Path() })
}

// inertAlone reports that a declaration that only one side has is inert.
func inertAlone(obj types.Object) bool {
	if obj == nil {
		return true
	}
	st, isStruct := obj.Type().Underlying().(*types.Struct)
	if _, named := obj.(*types.TypeName); !named || !isStruct {
		return true
	}
	return inertFields(types.NewStruct(nil, nil), st)
}

// inertFields reports that two structs differ only in plain fields that one of
// them has: the others stand in the same order with the same types and tags.
func inertFields(a, b *types.Struct) bool {
	describe := func(s *types.Struct, other *types.Struct) (common []string, ok bool) {
		for i := range s.NumFields() {
			f := s.Field(i)
			if fieldNamed(other, f.Name()) {
				common = append(common, f.Name()+" "+typeString(f.Type())+" "+s.Tag(i))
			} else if f.Embedded() || s.Tag(i) != "" {
				return nil, false
			}
		}
		return common, true
	}
	x, okA := describe(a, b)
	y, okB := describe(b, a)
	return okA && okB && slices.Equal(x, y)
}

func fieldNamed(s *types.Struct, name string) bool {
	for f := range s.Fields() {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// plainVars reports that the touched variables of a group have no initialiser.
func plainVars(g *ast.GenDecl, touches func(ast.Node) bool) bool {
	for _, spec := range g.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || touches(spec) && len(v.Values) > 0 {
			return false
		}
	}
	return true
}

// users are the units that mention what the member declares.
func (s *sides) users(m *member) []*change.Unit {
	var out []*change.Unit
	for _, v := range s.members {
		if v != m && (v.usesOf(m, atHead) || v.usesOf(m, atBase)) {
			out = append(out, v.unit)
		}
	}
	return out
}

// usesOf reports whether a side of m mentions what the same side of other
// declares.
func (m *member) usesOf(other *member, side int) bool {
	return slices.ContainsFunc(m.uses[side], func(u def) bool {
		return u.decl.Path == other.path(side) && u.decl.Path != "" && other.holds(side, u.decl.Offset)
	})
}

// exposes reports that the member declares an exported field, which reflection
// sees without any mention of it.
func (m *member) exposes() bool {
	for _, side := range m.defs {
		for _, d := range side {
			if v, ok := d.obj.(*types.Var); ok && v.IsField() && v.Exported() {
				return true
			}
		}
	}
	return false
}
