package ops

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"assay/mutate/gosrc/typed"
)

// A Site is one node of a file as an operator sees it: the node, what is
// around it and what the type checker knows. Operators add their proposals.
type Site struct {
	file  *typed.Syntax
	stack []ast.Node // from the file down to the node
	found []Proposal
	by    string // name of the operator at work
}

// A Proposal is a mutant before it is known to compile.
type Proposal struct {
	Operator    string
	Description string
	Function    string
	// Choices are replacements that do the same, the most readable first; the
	// first that compiles is taken.
	Choices    [][]Splice
	Start, End int // bytes that it is about, in head
	Suppressed string
}

// A Splice replaces bytes [Start,End) of the file.
type Splice struct {
	Start, End int
	Text       string
}

// node is what the operator looks at.
func (s *Site) node() ast.Node { return s.stack[len(s.stack)-1] }

// above is the n-th node around it; nil beyond the file.
func (s *Site) above(n int) ast.Node {
	if i := len(s.stack) - 1 - n; i >= 0 {
		return s.stack[i]
	}
	return nil
}

// text is the source of a node.
func (s *Site) text(n ast.Node) string {
	return string(s.file.Src[s.file.Offset(n.Pos()):s.file.Offset(n.End())])
}

// brief is the source of a node on one line, cut when it is long.
func (s *Site) brief(n ast.Node) string { return brief(s.text(n)) }

func brief(text string) string {
	const most = 40
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// typ is the type of an expression, nil when it has none.
func (s *Site) typ(e ast.Expr) types.Type { return s.file.Info.TypeOf(e) }

// constant is the value of a constant expression, nil for any other.
func (s *Site) constant(e ast.Expr) constant.Value { return s.file.Info.Types[e].Value }

// is reports whether the type of e has one of the properties of a basic type.
func (s *Site) is(e ast.Expr, info types.BasicInfo) bool {
	t := s.typ(e)
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&info != 0
}

// isNil reports whether e is the predeclared nil.
func (s *Site) isNil(e ast.Expr) bool { return s.file.Info.Types[e].IsNil() }

// function is the function literal or declaration around the node: its type,
// nil outside one.
func (s *Site) function() *ast.FuncType {
	for i := len(s.stack) - 1; i >= 0; i-- {
		switch n := s.stack[i].(type) {
		case *ast.FuncLit:
			return n.Type
		case *ast.FuncDecl:
			return n.Type
		}
	}
	return nil
}

// declared is the name of the declared function around the node, as units are
// named.
func (s *Site) declared() string {
	for _, n := range s.stack {
		if d, ok := n.(*ast.FuncDecl); ok {
			return "func " + owner(d) + d.Name.Name
		}
	}
	return ""
}

// owner is the receiver's type and a dot, "" for a function.
func owner(d *ast.FuncDecl) string {
	if name := typed.ReceiverName(d); name != "" {
		return name + "."
	}
	return ""
}

// between is a splice of the bytes between two positions.
func (s *Site) between(from, to token.Pos, text string) Splice {
	return Splice{s.file.Offset(from), s.file.Offset(to), text}
}

// instead is a splice that puts text in the place of a node.
func (s *Site) instead(n ast.Node, text string) Splice { return s.between(n.Pos(), n.End(), text) }

// propose adds a mutant about a node. Each choice does the same; see Proposal.
func (s *Site) propose(about ast.Node, description string, choices ...Splice) {
	p := Proposal{Description: description, Start: s.file.Offset(about.Pos()), End: s.file.Offset(about.End())}
	for _, c := range choices {
		p.Choices = append(p.Choices, []Splice{c})
	}
	s.add(p)
}

// proposeAll adds a mutant of several splices.
func (s *Site) proposeAll(about ast.Node, description string, together []Splice) {
	s.add(Proposal{Description: description, Start: s.file.Offset(about.Pos()), End: s.file.Offset(about.End()), Choices: [][]Splice{together}})
}

func (s *Site) add(p Proposal) {
	p.Operator, p.Function = s.by, s.declared()
	p.Suppressed = s.unproductive(p)
	s.found = append(s.found, p)
}

// swap adds a mutant in which the operator at pos is another one.
func (s *Site) swap(about ast.Node, pos token.Pos, old, neu token.Token) {
	s.propose(about, s.brief(about)+": "+old.String()+" becomes "+neu.String(),
		s.between(pos, pos+token.Pos(len(old.String())), neu.String()))
}

// removed adds a mutant without a statement. Where that would leave a name
// unused, the statement stays and is never run.
func (s *Site) removed(stmt ast.Stmt) {
	text := s.text(stmt)
	s.propose(stmt, s.brief(stmt)+" is removed", s.instead(stmt, ""), s.instead(stmt, "if false { "+text+" }"))
}

// inList reports whether the node is a statement among others, and not the
// init or post statement of one.
func (s *Site) inList() bool {
	switch s.above(1).(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return !s.isComm()
	}
	return false
}

// isComm reports whether the node is the communication of a select case.
func (s *Site) isComm() bool {
	c, ok := s.above(1).(*ast.CommClause)
	return ok && c.Comm == s.node()
}

// callee is the function or method that a call calls, nil for a conversion,
// a builtin or a function value.
func (s *Site) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	fn, _ := s.file.Info.Uses[id].(*types.Func)
	return fn
}

// builtin is the name of the builtin that a call calls, "" for any other.
func (s *Site) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := s.file.Info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}
