package ops

import (
	"go/ast"
	"go/token"
	"go/types"

	"assay/mutate"
)

// assignment exchanges the operator of an assignment.
var assignment = operator{
	mutate.Operator{Name: "assignment", Doc: "+= and -=, *= and /=, &= and |=, <<= and >>= change places, %= becomes *=, ^= and &^= become &=, += of strings becomes ="},
	func(s *Site) {
		a, ok := s.node().(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 {
			return
		}
		neu, ok := otherAssign()[a.Tok]
		switch {
		case !ok:
		case s.is(a.Lhs[0], types.IsString):
			s.swap(a, a.TokPos, a.Tok, token.ASSIGN)
		default:
			s.swap(a, a.TokPos, a.Tok, neu)
		}
	},
}

func otherAssign() map[token.Token]token.Token {
	return map[token.Token]token.Token{
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
		token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN, token.REM_ASSIGN: token.MUL_ASSIGN,
		token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
		token.XOR_ASSIGN: token.AND_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN,
		token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	}
}
