package ops

import (
	"go/ast"
	"go/token"

	"assay/mutate"
)

// unary drops an operator before an operand.
var unary = operator{
	mutate.Operator{Name: "unary", Doc: "!, - or ^ before an operand is dropped"},
	func(s *Site) {
		u, ok := s.node().(*ast.UnaryExpr)
		if !ok || u.Op != token.NOT && u.Op != token.SUB && u.Op != token.XOR {
			return
		}
		s.propose(u, s.brief(u)+" becomes "+s.brief(u.X), s.between(u.OpPos, u.X.Pos(), ""))
	},
}
