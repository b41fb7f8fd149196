package ops

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"assay/mutate"
)

// numberChanged alters a number by one.
var numberChanged = operator{
	mutate.Operator{Name: "number-changed", Doc: "a number becomes another: 0 becomes 1, any other n becomes n + 1"},
	func(s *Site) {
		lit, ok := s.node().(*ast.BasicLit)
		if !ok || s.inType() {
			return
		}
		switch {
		case lit.Kind != token.INT && lit.Kind != token.FLOAT && lit.Kind != token.CHAR:
		case s.isZero(lit):
			s.propose(lit, lit.Value+" becomes 1", s.instead(lit, "1"))
		default:
			s.propose(lit, lit.Value+" becomes "+lit.Value+" + 1", s.instead(lit, "("+lit.Value+" + 1)"))
		}
	},
}

// booleanFlipped exchanges the two truth values.
var booleanFlipped = operator{
	mutate.Operator{Name: "boolean-flipped", Doc: "true and false change places"},
	func(s *Site) {
		id, ok := s.node().(*ast.Ident)
		if !ok {
			return
		}
		switch s.file.Info.Uses[id] {
		case types.Universe.Lookup("true"):
			s.propose(id, "true becomes false", s.instead(id, "false"))
		case types.Universe.Lookup("false"):
			s.propose(id, "false becomes true", s.instead(id, "true"))
		}
	},
}

// stringChangedName is what the rule about the text of errors asks for.
const stringChangedName = "string-changed"

// stringChanged empties a string, and fills an empty one.
var stringChanged = operator{
	mutate.Operator{Name: stringChangedName, Doc: "a string becomes empty, an empty one does not stay so"},
	func(s *Site) {
		lit, ok := s.node().(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || s.isTag(lit) || s.isImportPath() {
			return
		}
		neu := `""`
		if text, err := strconv.Unquote(lit.Value); err == nil && text == "" {
			neu = `"assay"`
		}
		s.propose(lit, s.brief(lit)+" becomes "+neu, s.instead(lit, neu))
	},
}

// isTag reports whether the literal is the tag of a struct field.
func (s *Site) isTag(lit *ast.BasicLit) bool {
	f, ok := s.above(1).(*ast.Field)
	return ok && f.Tag == lit
}

func (s *Site) isImportPath() bool {
	_, ok := s.above(1).(*ast.ImportSpec)
	return ok
}
