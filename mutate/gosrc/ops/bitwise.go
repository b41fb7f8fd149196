package ops

import (
	"go/ast"
	"go/token"

	"assay/mutate"
)

// bitwise exchanges the operators on bits.
var bitwise = operator{
	mutate.Operator{Name: "bitwise", Doc: "& and |, << and >> change places, ^ and &^ become &"},
	func(s *Site) {
		other := map[token.Token]token.Token{
			token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
			token.SHL: token.SHR, token.SHR: token.SHL,
		}
		b, ok := s.node().(*ast.BinaryExpr)
		if !ok || s.inType() {
			return
		}
		if neu, ok := other[b.Op]; ok {
			s.swap(b, b.OpPos, b.Op, neu)
		}
	},
}
