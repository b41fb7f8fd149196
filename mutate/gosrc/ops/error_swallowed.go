package ops

import (
	"go/ast"
	"go/types"

	"assay/mutate"
)

// errorSwallowed returns nil where an error was returned.
var errorSwallowed = operator{
	mutate.Operator{Name: "error-swallowed", Doc: "an error that is returned becomes nil"},
	func(s *Site) {
		ret, ok := s.node().(*ast.ReturnStmt)
		if !ok {
			return
		}
		for _, e := range ret.Results {
			if s.returnsError(e) && !s.isNil(e) && !s.isCallOfMany(e) {
				s.propose(e, "return "+s.brief(e)+" becomes return nil", s.instead(e, "nil"))
			}
		}
	},
}

// returnsError reports whether the operand of a return statement is an error
// for the caller: a concrete type would not become nil without more.
func (s *Site) returnsError(e ast.Expr) bool {
	t := s.resultType(e)
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// resultType is the type of the result that an operand of the return statement
// at the site stands for; nil when one call gives all results.
func (s *Site) resultType(e ast.Expr) types.Type {
	ret, sig := s.node().(*ast.ReturnStmt), s.function()
	if sig == nil || sig.Results == nil {
		return nil
	}
	var of []ast.Expr
	for _, f := range sig.Results.List {
		for range max(1, len(f.Names)) {
			of = append(of, f.Type)
		}
	}
	if len(of) != len(ret.Results) {
		return nil
	}
	for i, r := range ret.Results {
		if r == e {
			return s.typ(of[i])
		}
	}
	return nil
}

// isCallOfMany reports whether e is a call with several results.
func (s *Site) isCallOfMany(e ast.Expr) bool {
	_, ok := s.typ(e).(*types.Tuple)
	return ok
}
