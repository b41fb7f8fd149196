package ops

import (
	"go/ast"

	"assay/mutate"
)

// sliceBounds drops one bound of a slice expression.
var sliceBounds = operator{
	mutate.Operator{Name: "slice-bounds", Doc: "a bound of a slice expression is dropped"},
	func(s *Site) {
		e, ok := s.node().(*ast.SliceExpr)
		if !ok || e.Slice3 {
			return
		}
		if e.Low != nil && !s.isZero(e.Low) {
			s.propose(e, s.brief(e)+": the lower bound is dropped", s.instead(e.Low, ""), s.instead(e.Low, "0*("+s.text(e.Low)+")"))
		}
		if e.High != nil {
			s.propose(e, s.brief(e)+": the upper bound is dropped", s.instead(e.High, ""))
		}
	},
}
