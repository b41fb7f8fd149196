package ops

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strings"
)

// A mutant that no reasonable test would notice is suppressed, with the rule
// that says so. The rules are those of the field: Petrović and Ivanković,
// "State of mutation testing at Google" (2018), call such code arid.
const (
	ruleLogging     = "logging: what is only written to a log or a metric is not for tests to hold"
	ruleCapacity    = "capacity: a hint of how much will be needed changes no result"
	ruleUnreachable = "unreachable: no run comes here"
	ruleErrorText   = "error text: the wording of an error is not its meaning"
	ruleDebug       = "debug: String, GoString and Format are for people to read"
)

// unproductive returns the rule by which the proposal is suppressed, or "".
func (s *Site) unproductive(p Proposal) string {
	switch {
	case s.under(s.isLogging):
		return ruleLogging
	case s.isCapacity():
		return ruleCapacity
	case s.under(s.isUnreachable):
		return ruleUnreachable
	case p.Operator == stringChangedName && s.under(s.isErrorText):
		return ruleErrorText
	case s.inDebug():
		return ruleDebug
	}
	return ""
}

// under reports whether the node or one around it, up to the innermost
// function, has the property. i is its place on the stack.
func (s *Site) under(has func(i int) bool) bool {
	for i := len(s.stack) - 1; i >= 0; i-- {
		if has(i) {
			return true
		}
		switch s.stack[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// loggers are packages, by the start of their path, whose calls leave no other
// trace than a log line or a metric.
var loggers = regexp.MustCompile(`^(log|log/slog|log/syslog|expvar|go\.uber\.org/zap|github\.com/(sirupsen/logrus|rs/zerolog|golang/glog|go-kit/log|go-logr/logr|hashicorp/go-hclog|apex/log|charmbracelet/log|prometheus/client_golang)|k8s\.io/klog|go\.opentelemetry\.io/otel/metric)(/|$)`)

// endings of calls to loggers that do more than write.
var ending = regexp.MustCompile(`^(Fatal|Panic|Exit)`)

// isLogging reports whether the node on the stack is a statement that calls a
// logger, directly or by a chain of its methods.
func (s *Site) isLogging(i int) bool {
	var call *ast.CallExpr
	switch n := s.stack[i].(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(n.X).(*ast.CallExpr)
	case *ast.DeferStmt:
		call = n.Call
	}
	if call == nil {
		return false
	}
	fn := s.callee(call)
	if fn == nil || fn.Pkg() == nil || ending.MatchString(fn.Name()) {
		return false
	}
	return loggers.MatchString(strings.TrimPrefix(fn.Pkg().Path(), "vendor/"))
}

// isCapacity reports whether the node belongs to a hint of size: the last
// argument of make for a slice with a length or for a map, or that of Grow.
func (s *Site) isCapacity() bool {
	for n := 1; s.above(n) != nil; n++ {
		call, ok := s.above(n).(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || call.Args[len(call.Args)-1] != s.above(n-1) {
			continue
		}
		if s.isSizeHint(call) {
			return true
		}
	}
	call, ok := s.call()
	return ok && s.isGrow(call)
}

// call is the call that the node is, or consists of.
func (s *Site) call() (*ast.CallExpr, bool) {
	switch n := s.node().(type) {
	case *ast.CallExpr:
		return n, true
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		return call, ok
	}
	return nil, false
}

func (s *Site) isSizeHint(call *ast.CallExpr) bool {
	if s.builtin(call) != "make" {
		return s.isGrow(call)
	}
	t := s.typ(call.Args[0])
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Map:
		return len(call.Args) == 2
	case *types.Slice:
		return len(call.Args) == 3
	}
	return false
}

// isGrow reports whether the call is Grow of strings.Builder, bytes.Buffer or
// package slices.
func (s *Site) isGrow(call *ast.CallExpr) bool {
	fn := s.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Name() != "Grow" {
		return false
	}
	switch fn.Pkg().Path() {
	case "strings", "bytes", "slices":
		return true
	}
	return false
}

// isUnreachable reports whether the node follows a statement that always
// leaves its list, or stands in a branch whose condition is a constant false.
func (s *Site) isUnreachable(i int) bool {
	if i == 0 {
		return false
	}
	var list []ast.Stmt
	switch up := s.stack[i-1].(type) {
	case *ast.BlockStmt:
		list = up.List
	case *ast.CaseClause:
		list = up.Body
	case *ast.CommClause:
		list = up.Body
	case *ast.IfStmt:
		v := s.constant(up.Cond)
		return v != nil && v.Kind() == constant.Bool && constant.BoolVal(v) != (up.Body == s.stack[i]) && up.Cond != s.stack[i]
	}
	for _, stmt := range list {
		switch {
		case stmt == s.stack[i]:
			return false
		case s.leaves(stmt) && !hasLabel(list):
			return true
		}
	}
	return false
}

// leaves reports whether nothing of the same list is run after stmt.
func (s *Site) leaves(stmt ast.Stmt) bool {
	switch n := stmt.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := s.callee(call)
		return s.builtin(call) == "panic" || fn != nil && fn.FullName() == "os.Exit"
	}
	return false
}

// hasLabel reports whether a goto may come back into the list.
func hasLabel(list []ast.Stmt) bool {
	for _, stmt := range list {
		if _, ok := stmt.(*ast.LabeledStmt); ok {
			return true
		}
	}
	return false
}

// isErrorText reports whether the node is a call that makes an error or a
// panic out of a text.
func (s *Site) isErrorText(i int) bool {
	call, ok := s.stack[i].(*ast.CallExpr)
	if !ok {
		return false
	}
	if s.builtin(call) == "panic" {
		return true
	}
	fn := s.callee(call)
	if fn == nil {
		return false
	}
	switch fn.FullName() {
	case "errors.New", "fmt.Errorf", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf",
		"github.com/pkg/errors.Wrap", "github.com/pkg/errors.Wrapf", "github.com/pkg/errors.WithMessage":
		return true
	}
	return false
}

// inDebug reports whether the declared function around the node is a method
// that only shows its receiver to people: String() string, GoString() string,
// Format(fmt.State, rune).
func (s *Site) inDebug() bool {
	for _, n := range s.stack {
		d, ok := n.(*ast.FuncDecl)
		if !ok || d.Recv == nil {
			continue
		}
		sig, ok := s.file.Info.Defs[d.Name].Type().(*types.Signature)
		if !ok {
			return false
		}
		switch d.Name.Name {
		case "String", "GoString":
			return types.TypeString(sig, nil) == "func() string"
		case "Format":
			return isFormatter(sig)
		}
	}
	return false
}

// isFormatter reports whether sig is that of fmt.Formatter.
func isFormatter(sig *types.Signature) bool {
	p := sig.Params()
	return p.Len() == 2 && types.TypeString(p.At(0).Type(), nil) == "fmt.State" &&
		types.Identical(p.At(1).Type(), types.Typ[types.Rune]) && sig.Results().Len() == 0
}
