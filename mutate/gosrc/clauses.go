package gosrc

import (
	"go/ast"
	"slices"
	"strings"

	"assay/change"
)

// cutClauses cuts each unit that adds or takes away several whole cases of one
// switch or select, and nothing else, into one unit a case.
func cutClauses(h *change.Hunk, old, neu *text) {
	var out []*change.Unit
	for _, u := range h.Units {
		switch {
		case u.Old.Lines == 0 && neu.file != nil:
			out = append(out, clauseUnits(u, neu, u.New, func(s change.Span) *change.Unit { return &change.Unit{Hunk: h, Old: u.Old, New: s} })...)
		case u.New.Lines == 0 && old.file != nil && h.File.Status != change.Deleted:
			out = append(out, clauseUnits(u, old, u.Old, func(s change.Span) *change.Unit { return &change.Unit{Hunk: h, Old: s, New: u.New} })...)
		default:
			out = append(out, u)
		}
	}
	h.Units = out
}

// clauseUnits are the units of the cases, or u alone.
func clauseUnits(u *change.Unit, t *text, s change.Span, unit func(change.Span) *change.Unit) []*change.Unit {
	clauses := t.clausesIn(s)
	if len(clauses) < 2 {
		return []*change.Unit{u}
	}
	var out []*change.Unit
	next := s.Start
	for i, c := range clauses {
		last := t.line(c.End() - 1)
		if i == len(clauses)-1 {
			last = s.End()
		}
		if t.line(c.Pos()) < next || last < next {
			return []*change.Unit{u} // two on one line
		}
		v := unit(change.Span{Start: next, Lines: last - next + 1})
		v.Name = strings.TrimPrefix(u.Name+", "+t.clauseName(c), ", ")
		out = append(out, v)
		next = last + 1
	}
	return out
}

// clausesIn are the cases of one switch that are all the code of some lines.
func (t *text) clausesIn(s change.Span) []ast.Stmt {
	from, to := s.Bytes(t.src)
	var found []ast.Stmt
	ast.Inspect(t.file, func(n ast.Node) bool {
		b, ok := n.(*ast.BlockStmt)
		if !ok || found != nil {
			return found == nil
		}
		for _, stmt := range b.List {
			if isClause(stmt) && from <= t.offset(stmt.Pos()) && t.offset(stmt.End()) <= to {
				found = append(found, stmt)
			}
		}
		return found == nil
	})
	outside := func(tk tok) bool {
		return tk.start >= from && tk.start < to && !slices.ContainsFunc(found, func(c ast.Stmt) bool {
			return t.offset(c.Pos()) <= tk.start && tk.start <= t.offset(c.End()) // the semicolon after it included
		})
	}
	if slices.ContainsFunc(t.tokens, outside) {
		return nil
	}
	return found
}

// clauseName is the first line of a case up to its colon.
func (t *text) clauseName(c ast.Stmt) string {
	line, _, _ := strings.Cut(string(t.src[t.offset(c.Pos()):t.offset(c.End())]), "\n")
	if i := strings.LastIndexByte(line, ':'); i > 0 {
		return line[:i]
	}
	return line + " …"
}
