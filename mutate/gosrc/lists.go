package gosrc

import (
	"go/ast"
	"go/token"
)

// A list is the inside of a block or of a case, where a statement can be
// planted. Offsets are bytes of the text.
type list struct {
	start, end int // inside: after the opening brace or colon, before what closes
	stmts      []ast.Stmt
	closing    bool // end is the offset of a closing brace
}

// lists finds every statement list of the file, outer before inner.
func (t *text) lists() []list {
	var out []list
	switches := map[*ast.BlockStmt]bool{}
	clauses := func(body *ast.BlockStmt) {
		switches[body] = true
		for i, c := range body.List {
			end := t.offset(body.Rbrace)
			if i+1 < len(body.List) {
				end = t.offset(body.List[i+1].Pos())
			}
			switch c := c.(type) {
			case *ast.CaseClause:
				out = append(out, list{start: t.offset(c.Colon) + 1, end: end, stmts: c.Body})
			case *ast.CommClause:
				out = append(out, list{start: t.offset(c.Colon) + 1, end: end, stmts: c.Body})
			}
		}
	}
	ast.Inspect(t.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			clauses(n.Body)
		case *ast.TypeSwitchStmt:
			clauses(n.Body)
		case *ast.SelectStmt:
			clauses(n.Body)
		case *ast.BlockStmt:
			if !switches[n] {
				out = append(out, list{start: t.offset(n.Lbrace) + 1, end: t.offset(n.Rbrace), stmts: n.List, closing: true})
			}
		}
		return true
	})
	return out
}

// innermost returns the smallest list whose inside holds off, or nil.
func innermost(lists []list, off int) *list {
	var best *list
	for i := range lists {
		l := &lists[i]
		if l.start <= off && off <= l.end && (best == nil || l.end-l.start <= best.end-best.start) {
			best = l
		}
	}
	return best
}

// around returns the statement of the list that holds off strictly, or nil.
func (t *text) around(l *list, off int) ast.Stmt {
	for _, s := range l.stmts {
		if t.offset(s.Pos()) < off && off < t.offset(s.End()) {
			return s
		}
	}
	return nil
}

// at returns the innermost statement of any list whose text includes the byte
// at off, and its list; a header of a compound statement belongs to the whole.
func (t *text) at(lists []list, off int) (ast.Stmt, *list) {
	var stmt ast.Stmt
	var in *list
	for i := range lists {
		for _, s := range lists[i].stmts {
			if t.offset(s.Pos()) <= off && off < t.offset(s.End()) && (stmt == nil || s.End()-s.Pos() <= stmt.End()-stmt.Pos()) {
				stmt, in = s, &lists[i]
			}
		}
	}
	return stmt, in
}

// punctuation tokens open and close what other tokens say.
func punctuation(k token.Token) bool {
	switch k {
	case token.LBRACE, token.RBRACE, token.LPAREN, token.RPAREN, token.COMMA, token.SEMICOLON, token.ELSE:
		return true
	}
	return false
}
