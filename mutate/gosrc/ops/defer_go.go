package ops

import (
	"go/ast"

	"assay/mutate"
)

// deferRemoved forgets what was to be done at the end.
var deferRemoved = operator{
	mutate.Operator{Name: "defer-removed", Doc: "a deferred call is removed"},
	func(s *Site) {
		if d, ok := s.node().(*ast.DeferStmt); ok && s.inList() && !s.isLocking(d.Call) {
			s.removed(d)
		}
	},
}

// goRemoved starts no goroutine.
var goRemoved = operator{
	mutate.Operator{Name: "go-removed", Doc: "a goroutine is not started"},
	func(s *Site) {
		if g, ok := s.node().(*ast.GoStmt); ok && s.inList() {
			s.removed(g)
		}
	},
}
