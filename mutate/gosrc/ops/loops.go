package ops

import (
	"go/ast"
	"go/token"

	"assay/mutate"
)

// loopEmptied never runs the body of a loop.
var loopEmptied = operator{
	mutate.Operator{Name: "loop-emptied", Doc: "a loop is left before its body is run"},
	func(s *Site) {
		var body *ast.BlockStmt
		var what string
		switch n := s.node().(type) {
		case *ast.RangeStmt:
			body, what = n.Body, "range "+s.brief(n.X)
		case *ast.ForStmt:
			body = n.Body
			if n.Cond == nil {
				return // what follows an endless loop may need no return
			}
			what = "for " + s.brief(n.Cond)
		default:
			return
		}
		if len(body.List) > 0 {
			s.propose(body, what+" runs nothing", s.between(body.Lbrace+1, body.Lbrace+1, " break;"))
		}
	},
}

// loopControl leaves a loop where it would have gone on, and the other way.
var loopControl = operator{
	mutate.Operator{Name: "loop-control", Doc: "break and continue change places"},
	func(s *Site) {
		b, ok := s.node().(*ast.BranchStmt)
		if !ok || b.Label != nil || b.Tok != token.BREAK && b.Tok != token.CONTINUE || !s.leavesLoop() {
			return
		}
		neu := token.BREAK
		if b.Tok == token.BREAK {
			neu = token.CONTINUE
		}
		s.swap(b, b.TokPos, b.Tok, neu)
	},
}

// leavesLoop reports whether a break at the node would leave a loop, and not a
// switch or select inside it.
func (s *Site) leavesLoop() bool {
	for n := 1; s.above(n) != nil; n++ {
		switch s.above(n).(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}
