package ops

import (
	"go/ast"
	"go/constant"
	"go/token"

	"assay/mutate"
)

// checkSkipped makes a check for nil or for an empty value never hold.
var checkSkipped = operator{
	mutate.Operator{Name: "check-skipped", Doc: "a comparison with nil or of len with 0 never holds"},
	func(s *Site) {
		b, ok := s.node().(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ || !s.isCondition() || !s.isCheck(b) {
			return
		}
		text := s.text(b)
		s.propose(b, s.brief(b)+" becomes false", s.instead(b, "false"), s.instead(b, "(false && "+text+")"))
	},
}

// isCheck reports whether one side is nil, or one is len(x) and the other 0.
func (s *Site) isCheck(b *ast.BinaryExpr) bool {
	return s.isNil(b.X) || s.isNil(b.Y) || s.isLen(b.X) && s.isZero(b.Y) || s.isLen(b.Y) && s.isZero(b.X)
}

func (s *Site) isLen(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && s.builtin(call) == "len"
}

func (s *Site) isZero(e ast.Expr) bool {
	v := s.constant(e)
	return v != nil && (v.Kind() == constant.Int || v.Kind() == constant.Float) && constant.Sign(v) == 0
}

// isCondition reports whether the node is the condition of an if statement or
// an operand of one.
func (s *Site) isCondition() bool {
	for n := 1; ; n++ {
		switch up := s.above(n).(type) {
		case *ast.ParenExpr:
		case *ast.BinaryExpr:
			if up.Op != token.LAND && up.Op != token.LOR {
				return false
			}
		case *ast.IfStmt:
			return up.Cond == s.above(n-1)
		default:
			return false
		}
	}
}
