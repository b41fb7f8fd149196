package ops

import (
	"go/ast"
	"go/token"
	"go/types"

	"assay/mutate"
)

// arithmetic exchanges the operators on numbers.
var arithmetic = operator{
	mutate.Operator{Name: "arithmetic", Doc: "+ and -, * and / change places, % becomes *"},
	func(s *Site) {
		other := map[token.Token]token.Token{
			token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
		}
		b, ok := s.node().(*ast.BinaryExpr)
		if !ok || !s.is(b, types.IsNumeric) || s.inType() {
			return
		}
		if neu, ok := other[b.Op]; ok {
			s.swap(b, b.OpPos, b.Op, neu)
		}
	},
}

// inType reports whether the node is a part of a type, such as the length of
// an array.
func (s *Site) inType() bool {
	for n := 1; s.above(n) != nil; n++ {
		if a, ok := s.above(n).(*ast.ArrayType); ok && a.Len == s.above(n-1) {
			return true
		}
	}
	return false
}
