package ops

import (
	"go/ast"
	"go/token"

	"assay/mutate"
)

// conditionalsBoundary moves the border of an ordering by one.
var conditionalsBoundary = operator{
	mutate.Operator{Name: "conditionals-boundary", Doc: "the border of a comparison moves: < and <=, > and >="},
	func(s *Site) {
		moved := map[token.Token]token.Token{
			token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
		}
		b, ok := s.node().(*ast.BinaryExpr)
		if !ok || s.constant(b) != nil {
			return
		}
		if neu, ok := moved[b.Op]; ok {
			s.swap(b, b.OpPos, b.Op, neu)
		}
	},
}
