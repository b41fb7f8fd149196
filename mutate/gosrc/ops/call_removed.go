package ops

import (
	"go/ast"

	"assay/mutate"
)

// callRemoved takes a call away whose results nobody uses.
var callRemoved = operator{
	mutate.Operator{Name: "call-removed", Doc: "a call that stands by itself is removed"},
	func(s *Site) {
		stmt, ok := s.node().(*ast.ExprStmt)
		if !ok || !s.inList() {
			return
		}
		call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
		if !ok || s.isLocking(call) || s.builtin(call) == "panic" {
			return
		}
		s.removed(stmt)
	},
}
