package ops

import (
	"go/ast"
	"go/token"

	"assay/mutate"
)

// statementRemoved takes a statement with an effect away.
var statementRemoved = operator{
	mutate.Operator{Name: "statement-removed", Doc: "an assignment, a send, ++ or --, or a panic is removed"},
	func(s *Site) {
		if stmt, ok := s.node().(ast.Stmt); ok && s.inList() && s.hasEffect(stmt) {
			s.removed(stmt)
		}
	},
}

// hasEffect reports whether other operators leave the statement alone. What
// declares a name cannot be taken away, an assignment to _ does nothing.
func (s *Site) hasEffect(stmt ast.Stmt) bool {
	switch n := stmt.(type) {
	case *ast.AssignStmt:
		return n.Tok != token.DEFINE && !allBlank(n.Lhs)
	case *ast.IncDecStmt, *ast.SendStmt:
		return true
	case *ast.ExprStmt:
		call, ok := ast.Unparen(n.X).(*ast.CallExpr)
		return ok && s.builtin(call) == "panic"
	}
	return false
}

func allBlank(left []ast.Expr) bool {
	for _, e := range left {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}
