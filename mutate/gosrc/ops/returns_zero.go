package ops

import (
	"go/ast"
	"go/types"

	"assay/mutate"
)

// returnsZero returns the zero value of one result.
var returnsZero = operator{
	mutate.Operator{Name: "returns-zero", Doc: "a returned value becomes the zero value of its type"},
	func(s *Site) {
		ret, ok := s.node().(*ast.ReturnStmt)
		if !ok {
			return
		}
		for _, e := range ret.Results {
			t := s.resultType(e)
			if t == nil || s.returnsError(e) || s.isZeroValue(e) {
				continue
			}
			if zero := s.zero(e, t); zero != "" {
				used := "func() (" + s.resultText(e) + ") { if false { _ = " + s.text(e) + " }; return " + zero + " }()"
				s.propose(e, "return "+s.brief(e)+" becomes return "+zero, s.instead(e, zero), s.instead(e, used))
			}
		}
	},
}

// zero is how to write the zero value of the result that e stands for; "" for
// a type parameter.
func (s *Site) zero(e ast.Expr, t types.Type) string {
	if _, is := types.Unalias(t).(*types.TypeParam); is {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
	case *types.Struct, *types.Array:
		return s.resultText(e) + "{}"
	}
	return "nil"
}

// resultText is the type of the result that e stands for, as the function
// writes it.
func (s *Site) resultText(e ast.Expr) string {
	at := 0
	for i, r := range s.node().(*ast.ReturnStmt).Results {
		if r == e {
			at = i
		}
	}
	for _, f := range s.function().Results.List {
		if at -= max(1, len(f.Names)); at < 0 {
			return s.text(f.Type)
		}
	}
	return ""
}

// isZeroValue reports whether e is written as the zero value already.
func (s *Site) isZeroValue(e ast.Expr) bool {
	if s.isNil(e) || s.isZero(e) {
		return true
	}
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		_, isStruct := s.typ(lit).Underlying().(*types.Struct)
		return isStruct && len(lit.Elts) == 0
	}
	v := s.constant(e)
	return v != nil && (v.ExactString() == `""` || v.ExactString() == "false")
}
