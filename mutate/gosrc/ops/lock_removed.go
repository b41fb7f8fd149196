package ops

import (
	"go/ast"
	"strings"

	"assay/mutate"
)

// lockRemoved takes a lock away together with every release of it in the same
// function: one without the other would only hang or crash.
var lockRemoved = operator{
	mutate.Operator{Name: "lock-removed", Doc: "a lock is not taken, nor released in the same function"},
	func(s *Site) {
		stmt, ok := s.node().(*ast.ExprStmt)
		if !ok || !s.inList() {
			return
		}
		call, ok := stmt.X.(*ast.CallExpr)
		if !ok || !s.isLocking(call) {
			return
		}
		what := s.text(call.Fun)
		if !strings.HasSuffix(what, "Lock") || strings.HasSuffix(what, "Unlock") {
			return
		}
		release := strings.TrimSuffix(strings.TrimSuffix(what, "Lock"), "R")
		if strings.HasSuffix(what, ".RLock") {
			release += "RUnlock"
		} else {
			release += "Unlock"
		}
		together := []Splice{s.instead(stmt, "")}
		for _, r := range s.releases(release) {
			together = append(together, s.instead(r, ""))
		}
		if len(together) > 1 {
			s.proposeAll(stmt, s.brief(stmt)+" and its release are removed", together)
		}
	},
}

// isLocking reports whether the call takes or releases a lock of package sync.
func (s *Site) isLocking(call *ast.CallExpr) bool {
	fn := s.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return false
	}
	switch fn.Name() {
	case "Lock", "Unlock", "RLock", "RUnlock":
		return true
	}
	return false
}

// releases are the statements around the site that call the function of that
// text, deferred ones included.
func (s *Site) releases(text string) []ast.Stmt {
	var found []ast.Stmt
	ast.Inspect(s.body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			if s.text(n.Call.Fun) == text {
				found = append(found, n)
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && s.text(call.Fun) == text {
				found = append(found, n)
			}
		}
		return true
	})
	return found
}

// body is that of the innermost function around the node.
func (s *Site) body() *ast.BlockStmt {
	for i := len(s.stack) - 1; i >= 0; i-- {
		switch n := s.stack[i].(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return &ast.BlockStmt{}
}
