package gosrc

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"assay/mutate/gosrc/typed"
)

// writers are the members whose old side writes a field or variable that the
// given members bring back and read.
func (l *climb) writers(set []*member) []*member {
	var out []*member
	for _, d := range l.resurrected(set) {
		for _, m := range l.s.members {
			if !slices.Contains(set, m) && l.s.writes(m, d) {
				out = append(out, m)
			}
		}
	}
	return out
}

// resurrected are the fields and variables that only the old side of the
// members declares and that one of them reads.
func (l *climb) resurrected(set []*member) []def {
	var out []def
	for _, m := range set {
		for _, d := range m.defs[atBase] {
			v, isVar := d.obj.(*types.Var)
			if !isVar || v.Embedded() {
				continue
			}
			if l.s.renames.has(d) || l.s.stays(d) {
				continue
			}
			read := func(m *member) bool {
				return slices.ContainsFunc(m.uses[atBase], func(u def) bool { return keyOf(u.decl) == keyOf(d.at) })
			}
			if slices.ContainsFunc(set, read) {
				out = append(out, d)
			}
		}
	}
	return out
}

func (r renames) has(d def) bool {
	_, ok := r[keyOf(d.decl)]
	return ok
}

// stays reports that head declares the same field or variable.
func (s *sides) stays(d def) bool {
	switch d.kind {
	case local:
		return s.mentionedAtHead(d)
	case global:
		return s.scopeOf(s.head, d.pkg).Lookup(d.name) != nil
	}
	pkg := s.head.Package(d.pkg)
	if pkg == nil {
		return false
	}
	owner := pkg.Scope().Lookup(ownerOf(s.base, d.decl))
	if owner == nil {
		return false
	}
	found, _, _ := types.LookupFieldOrMethod(owner.Type(), true, pkg, d.name)
	return found != nil
}

// mentionedAtHead reports that the function which declares a local at base
// mentions its name at head.
func (s *sides) mentionedAtHead(d def) bool {
	base, ok := s.base.Syntax(d.decl.Path)
	head, okHead := s.head.Syntax(s.newPath(d.decl.Path))
	if !ok || !okHead {
		return true
	}
	fn := base.Func(d.decl.Offset)
	if fn == nil {
		return true
	}
	for _, decl := range head.File.Decls {
		if same, isFunc := decl.(*ast.FuncDecl); isFunc && funcName(same) == funcName(fn) {
			return mentionsName(same, d.name)
		}
	}
	return false
}

func mentionsName(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// writes reports whether the old side of a member sets what d declares, or
// takes its address.
func (s *sides) writes(m *member, d def) bool {
	syn, ok := s.base.Syntax(m.file.OldPath)
	if !ok {
		return false
	}
	from, to := m.unit.Old.Bytes(m.file.Old)
	found := false
	ast.Inspect(syn.File, func(n ast.Node) bool {
		for _, target := range written(n) {
			if target == nil {
				continue // a range without key or value
			}
			at := syn.Offset(target.Pos())
			found = found || from <= at && at < to && s.isObject(syn, target, d)
		}
		return !found
	})
	return found
}

// written are the expressions that a node gives a value to.
func written(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.KeyValueExpr:
		return []ast.Expr{n.Key}
	case *ast.RangeStmt:
		return []ast.Expr{n.Key, n.Value}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	}
	return nil
}

// isObject reports whether the expression ends in a name of what d declares.
func (s *sides) isObject(syn *typed.Syntax, e ast.Expr, d def) bool {
	switch x := e.(type) {
	case *ast.Ident:
		at, _ := s.base.Declared(objectOf(syn, x))
		return keyOf(at) == keyOf(d.decl)
	case *ast.SelectorExpr:
		return s.isObject(syn, x.Sel, d)
	case *ast.IndexExpr:
		return s.isObject(syn, x.X, d)
	case *ast.StarExpr:
		return s.isObject(syn, x.X, d)
	case *ast.ParenExpr:
		return s.isObject(syn, x.X, d)
	}
	return false
}

func objectOf(syn *typed.Syntax, id *ast.Ident) types.Object {
	if obj := syn.Info.Uses[id]; obj != nil {
		return obj
	}
	if obj := syn.Info.Defs[id]; obj != nil {
		return obj
	}
	return types.NewLabel(token.NoPos, nil, id.Name) // declared nowhere
}
