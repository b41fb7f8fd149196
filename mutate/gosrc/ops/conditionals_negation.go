package ops

import (
	"go/ast"
	"go/token"
	"go/types"

	"assay/mutate"
)

// conditionalsNegation turns a comparison, or a condition that is none, into
// its opposite.
var conditionalsNegation = operator{
	mutate.Operator{Name: "conditionals-negation", Doc: "a comparison or a condition becomes its opposite: == and !=, < and >=, > and <=, x and !x"},
	func(s *Site) {
		switch n := s.node().(type) {
		case *ast.BinaryExpr:
			if opposite, ok := opposites()[n.Op]; ok && s.constant(n) == nil {
				s.swap(n, n.OpPos, n.Op, opposite)
			}
		case *ast.IfStmt:
			s.negate(n.Cond)
		case *ast.ForStmt:
			s.negate(n.Cond)
		}
	},
}

func opposites() map[token.Token]token.Token {
	return map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ,
		token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	}
}

// negate proposes the opposite of a condition that other rules do not alter: a
// name, a call, a selection.
func (s *Site) negate(cond ast.Expr) {
	switch ast.Unparen(cond).(type) {
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
		if s.constant(cond) == nil && s.is(cond, types.IsBoolean) {
			s.propose(cond, s.brief(cond)+" becomes !"+s.brief(cond), s.between(cond.Pos(), cond.Pos(), "!"))
		}
	}
}
