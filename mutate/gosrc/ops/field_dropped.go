package ops

import (
	"go/ast"
	"go/types"

	"assay/mutate"
)

// fieldDropped leaves a field of a struct literal at its zero value.
var fieldDropped = operator{
	mutate.Operator{Name: "field-dropped", Doc: "a field of a struct literal is left at its zero value"},
	func(s *Site) {
		lit, ok := s.node().(*ast.CompositeLit)
		if !ok || s.typ(lit) == nil {
			return
		}
		t := s.typ(lit).Underlying()
		if p, is := t.(*types.Pointer); is {
			t = p.Elem().Underlying()
		}
		if _, is := t.(*types.Struct); !is {
			return
		}
		for i, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				return // without names, all fields must be there
			}
			end := kv.End()
			if i+1 < len(lit.Elts) {
				end = lit.Elts[i+1].Pos()
			} else if comma := s.commaAfter(kv); comma {
				end++
			}
			if !s.isZeroValue(kv.Value) {
				s.propose(kv, s.brief(kv)+" is dropped", s.between(kv.Pos(), end, ""))
			}
		}
	},
}

// commaAfter reports whether a comma follows the last element at once.
func (s *Site) commaAfter(e ast.Expr) bool {
	at := s.file.Offset(e.End())
	return at < len(s.file.Src) && s.file.Src[at] == ','
}
