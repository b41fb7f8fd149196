package ops

import (
	"go/ast"

	"assay/mutate"
)

// branchEmptied takes everything out of a branch.
var branchEmptied = operator{
	mutate.Operator{Name: "branch-emptied", Doc: "the body of an if or else, or of a switch case, becomes empty"},
	func(s *Site) {
		switch n := s.node().(type) {
		case *ast.IfStmt:
			s.emptied("the body of if "+s.brief(n.Cond), n.Body)
			if other, ok := n.Else.(*ast.BlockStmt); ok {
				s.emptied("the else of if "+s.brief(n.Cond), other)
			}
		case *ast.CaseClause:
			s.caseEmptied(n)
		}
	},
}

func (s *Site) emptied(what string, body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	first, last := body.List[0], body.List[len(body.List)-1]
	inner := string(s.file.Src[s.file.Offset(first.Pos()):s.file.Offset(last.End())])
	s.propose(body, what+" is emptied", s.between(body.Lbrace+1, body.Rbrace, ""),
		s.between(first.Pos(), last.End(), "if false { "+inner+" }"))
}

// caseEmptied keeps the case and runs nothing of it.
func (s *Site) caseEmptied(c *ast.CaseClause) {
	if len(c.Body) == 0 || c.List == nil {
		return
	}
	first, last := c.Body[0], c.Body[len(c.Body)-1]
	inner := string(s.file.Src[s.file.Offset(first.Pos()):s.file.Offset(last.End())])
	s.propose(c, "the body of case "+s.brief(c.List[0])+" is emptied", s.between(c.Colon+1, last.End(), ""),
		s.between(first.Pos(), last.End(), "if false { "+inner+" }"))
}
