package gosrc

import (
	"go/ast"
	"go/types"
	"slices"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// zeroArguments returns the form of changed calls in which the arguments for
// parameters that the change adds are zero; false when the lines differ from
// the old ones in anything else. The callee stays as it is, so its other
// callers are not needed as partners.
func (s *sides) zeroArguments(m *member) (neutral, bool) {
	syn, ok := s.head.Syntax(m.file.Path)
	if !ok || !m.code[atBase] {
		return neutral{}, false
	}
	from, to := m.unit.New.Bytes(m.file.New)
	a := addition{syn: syn, path: m.file.Path, from: from, to: to}
	out := neutral{words: "argument for an added parameter zero"}
	var added []ast.Node
	for _, g := range s.givenTo(a) {
		t, known := a.typeText(g.parameter.Type())
		if !known {
			return neutral{}, false
		}
		added = append(added, g.argument)
		out.decls = append(out.decls, g.parameter)
		out.edits = append(out.edits, change.Edit{
			Path: a.path, Start: syn.Offset(g.argument.Pos()), End: syn.Offset(g.argument.End()), Text: []byte("*new(" + t + ")"),
		})
	}
	if len(added) == 0 || joinTokens(lineTokens(m.old)) != joinTokens(a.without(added)) {
		return neutral{}, false
	}
	return out, true
}

// A given is an argument and the parameter it is for.
type given struct {
	argument  ast.Expr
	parameter *types.Var
}

// givenTo are the arguments in the lines whose parameters base does not have,
// in the order of the text. Calls with another number of arguments than
// parameters, such as variadic ones, have none.
func (s *sides) givenTo(a addition) []given {
	var out []given
	ast.Inspect(a.syn.File, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn, ok := callee(a.syn, call)
		if !ok || fn.Signature().Params().Len() != len(call.Args) || fn.Signature().Variadic() {
			return true
		}
		for i, arg := range call.Args {
			if v := fn.Signature().Params().At(i); a.inside(arg) && slices.Contains(s.newParameters(fn), v) {
				out = append(out, given{arg, v})
			}
		}
		return true
	})
	return out
}

// callee is the declared function that a call names.
func callee(syn *typed.Syntax, call *ast.CallExpr) (*types.Func, bool) {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil, false
	}
	fn, ok := syn.Info.Uses[id].(*types.Func)
	return fn, ok
}

// newParameters are the parameters of a function of head that the function of
// that name does not have at base.
func (s *sides) newParameters(fn *types.Func) []*types.Var {
	at, in := s.head.Declared(fn)
	if !in {
		return nil
	}
	head, okHead := s.head.Syntax(at.Path)
	base, okBase := s.base.Syntax(s.oldPath(at.Path))
	if !okHead || !okBase {
		return nil
	}
	var out []*types.Var
	for _, d := range head.File.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || head.Info.Defs[decl.Name] != types.Object(fn) || !declares(base, decl) {
			continue
		}
		for _, id := range addedParameters(base, head, decl) {
			if v, isVar := head.Info.Defs[id].(*types.Var); isVar {
				out = append(out, v)
			}
		}
	}
	return out
}

// declares reports whether a file declares a function of that name.
func declares(syn *typed.Syntax, fn *ast.FuncDecl) bool {
	return slices.ContainsFunc(syn.File.Decls, func(d ast.Decl) bool {
		b, ok := d.(*ast.FuncDecl)
		return ok && funcName(b) == funcName(fn)
	})
}
