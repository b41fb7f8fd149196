package ops

import (
	"go/ast"
	"go/token"

	"assay/mutate"
)

// increment counts the other way.
var increment = operator{
	mutate.Operator{Name: "increment", Doc: "++ and -- change places"},
	func(s *Site) {
		i, ok := s.node().(*ast.IncDecStmt)
		if !ok {
			return
		}
		neu := token.INC
		if i.Tok == token.INC {
			neu = token.DEC
		}
		s.swap(i, i.TokPos, i.Tok, neu)
	},
}
