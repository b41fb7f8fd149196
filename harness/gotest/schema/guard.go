package schema

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A form is how a guard chooses.
type form int

// The forms. At one place the outer forms come first.
const (
	statements form = iota // if On(k) { VARIANT } else { HEAD }
	define                 // var x T; if On(k) { x = VARIANT } else { x = HEAD }
	condition              // (On(k) && (VARIANT) || Off(k) && (HEAD))
)

// A guard is one place at which a piece can be chosen.
type guard struct {
	form   form
	lo, hi int // bytes of head that are guarded; they hold every edit of the piece
	// For define: where the right-hand side begins, and the variables that the
	// statement declares.
	rhs  int
	vars []*ast.Ident
}

// findGuards lists the guards of a piece, innermost first. The last is the
// whole body.
func (c *composition) findGuards(p *piece) (why string) {
	lo, hi := p.bounds()
	path := enclosing(p.fn.Body, p.src, lo, hi)
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.IfStmt:
			p.guardCondition(n.Cond, lo, hi)
		case *ast.ForStmt:
			p.guardCondition(n.Cond, lo, hi)
		case *ast.SwitchStmt:
			if i+2 < len(path) && n.Tag == nil {
				p.guardCase(path[i+2], lo, hi)
			}
		case *ast.BlockStmt:
			if !clauses(n) {
				c.guardList(p, n.List, lo, hi)
			}
		case *ast.CaseClause:
			if lo > p.src.off(n.Colon) {
				c.guardList(p, n.Body, lo, hi)
			}
		case *ast.CommClause:
			if lo > p.src.off(n.Colon) {
				c.guardList(p, n.Body, lo, hi)
			}
		}
	}
	first, last := p.src.body(p.fn)
	p.guards = append(p.guards, guard{form: statements, lo: first, hi: last})
	return ""
}

// clauses reports whether a block is the body of a switch or select, which
// holds clauses and no statements of its own.
func clauses(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[0].(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// bounds returns the bytes of head that the edits touch.
func (p *piece) bounds() (lo, hi int) {
	lo, hi = p.edits[0].Start, p.edits[0].End
	for _, e := range p.edits {
		lo, hi = min(lo, e.Start), max(hi, e.End)
	}
	return p.src.wholeComments(lo, hi)
}

// wholeComments widens a range that begins or ends inside a comment.
func (s *source) wholeComments(lo, hi int) (int, int) {
	for _, group := range s.ast.Comments {
		for _, one := range group.List {
			first, last := s.off(one.Pos()), s.off(one.End())
			if first < lo && lo <= last {
				lo = first
			}
			if first < hi && hi <= last {
				hi = last
			}
		}
	}
	return lo, hi
}

// enclosing returns the nodes from body inward that hold the bytes [lo,hi). A
// block holds what is between its braces only.
func enclosing(body *ast.BlockStmt, s *source, lo, hi int) []ast.Node {
	var path []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		first, last := s.off(n.Pos()), s.off(n.End())
		if b, ok := n.(*ast.BlockStmt); ok {
			first, last = s.off(b.Lbrace)+1, s.off(b.Rbrace)
		}
		if first > lo || hi > last {
			return false
		}
		path = append(path, n)
		return true
	})
	return path
}

func (p *piece) guardCondition(cond ast.Expr, lo, hi int) {
	if cond == nil || p.src.off(cond.Pos()) > lo || hi > p.src.off(cond.End()) {
		return
	}
	p.guards = append(p.guards, guard{form: condition, lo: p.src.off(cond.Pos()), hi: p.src.off(cond.End())})
}

// guardCase guards an expression of a case of a switch without a tag.
func (p *piece) guardCase(n ast.Node, lo, hi int) {
	if at, ok := n.(*ast.CaseClause); ok && hi <= p.src.off(at.Colon) {
		for _, e := range at.List {
			p.guardCondition(e, lo, hi)
		}
	}
}

// guardList guards the run of statements that the bytes [lo,hi) touch. When it
// declares, all that follows in the list belongs to it.
func (c *composition) guardList(p *piece, list []ast.Stmt, lo, hi int) {
	first, last := -1, -1
	for i, stmt := range list {
		if p.src.off(stmt.Pos()) <= hi && p.src.off(stmt.End()) >= lo {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	g := guard{form: statements, lo: lo, hi: hi}
	declared := false
	if first >= 0 {
		g.lo, g.hi = min(lo, p.src.off(list[first].Pos())), max(hi, p.src.off(list[last].End()))
		declared = declares(list[first : last+1])
		if first == last {
			c.guardDefine(p, list[first], lo, hi)
		}
	}
	text, err := p.span(g.lo, g.hi)
	if err != nil {
		return
	}
	own, ok := parseStatements(text)
	if !ok {
		return // the text is no run of statements by itself
	}
	if (declared || declares(own.list)) && len(list) > 0 {
		g.hi = max(g.hi, p.src.off(list[len(list)-1].End()))
	}
	p.guards = append(p.guards, g)
}

// declares reports whether statements declare what those after them may use.
func declares(list []ast.Stmt) bool {
	for _, stmt := range list {
		for labeled, ok := stmt.(*ast.LabeledStmt); ok; labeled, ok = stmt.(*ast.LabeledStmt) {
			stmt = labeled.Stmt
		}
		switch s := stmt.(type) {
		case *ast.DeclStmt:
			return true
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				return true
			}
		}
	}
	return false
}

// guardDefine guards the right-hand side of a short variable declaration.
// checkCopies takes the guard back when a type differs or cannot be named.
func (c *composition) guardDefine(p *piece, stmt ast.Stmt, lo, hi int) {
	def, ok := stmt.(*ast.AssignStmt)
	if !ok || def.Tok != token.DEFINE || lo < p.src.off(def.Rhs[0].Pos()) || hi > p.src.off(def.End()) {
		return
	}
	g := guard{form: define, lo: p.src.off(def.Pos()), hi: p.src.off(def.End()), rhs: p.src.off(def.Rhs[0].Pos())}
	for _, left := range def.Lhs {
		id, ok := left.(*ast.Ident)
		if !ok {
			return
		}
		if _, fresh := c.info.Defs[id].(*types.Var); fresh && id.Name != "_" {
			g.vars = append(g.vars, id)
		}
	}
	if mentions(def.Rhs, g.vars) {
		return // the old side would see the new variable
	}
	p.guards = append(p.guards, g)
}

// mentions reports whether expressions use a name that is among the variables.
func mentions(exprs []ast.Expr, vars []*ast.Ident) bool {
	found := false
	for _, e := range exprs {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			for _, v := range vars {
				found = found || ok && id.Name == v.Name
			}
			return !found
		})
	}
	return found
}
