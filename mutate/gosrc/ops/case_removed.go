package ops

import (
	"go/ast"

	"assay/mutate"
)

// caseRemoved takes a case out of a switch.
var caseRemoved = operator{
	mutate.Operator{Name: "case-removed", Doc: "a case of a switch is removed, so that its values fall to the default"},
	func(s *Site) {
		if c, ok := s.node().(*ast.CaseClause); ok && c.List != nil {
			s.propose(c, "case "+s.brief(c.List[0])+" is removed", s.instead(c, ""))
		}
	},
}

// defaultRemoved takes the default out of a switch.
var defaultRemoved = operator{
	mutate.Operator{Name: "default-removed", Doc: "the default of a switch runs nothing"},
	func(s *Site) {
		c, ok := s.node().(*ast.CaseClause)
		if !ok || c.List != nil || len(c.Body) == 0 {
			return
		}
		first, last := c.Body[0], c.Body[len(c.Body)-1]
		inner := string(s.file.Src[s.file.Offset(first.Pos()):s.file.Offset(last.End())])
		s.propose(c, "the default is emptied", s.between(c.Colon+1, last.End(), ""),
			s.between(first.Pos(), last.End(), "if false { "+inner+" }"))
	},
}
