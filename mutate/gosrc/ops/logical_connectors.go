package ops

import (
	"go/ast"
	"go/token"

	"assay/mutate"
)

// logicalConnectors exchanges "and" and "or".
var logicalConnectors = operator{
	mutate.Operator{Name: "logical-connectors", Doc: "&& and || change places"},
	func(s *Site) {
		b, ok := s.node().(*ast.BinaryExpr)
		if !ok || s.constant(b) != nil {
			return
		}
		switch b.Op {
		case token.LAND:
			s.connect(b, token.LOR)
		case token.LOR:
			s.connect(b, token.LAND)
		}
	},
}

// connect exchanges the connector and keeps what belongs together, which the
// higher rank of && would tear apart.
func (s *Site) connect(b *ast.BinaryExpr, neu token.Token) {
	left, right := s.text(b.X), s.text(b.Y)
	if _, is := b.X.(*ast.BinaryExpr); is && neu == token.LAND {
		left = "(" + left + ")"
	}
	if _, is := b.Y.(*ast.BinaryExpr); is && neu == token.LAND {
		right = "(" + right + ")"
	}
	text := left + " " + neu.String() + " " + right
	if up, is := s.above(1).(*ast.BinaryExpr); is && up.Op != neu {
		text = "(" + text + ")"
	}
	s.propose(b, s.brief(b)+": "+b.Op.String()+" becomes "+neu.String(), s.instead(b, text))
}
