package gosrc

import (
	"bytes"
	"go/ast"

	"assay/change"
)

// planted is the unconditional failure of a positive control.
const planted = `panic("assay: planted failure")`

// A spot is where a unit is reached and where its positive control goes.
type spot struct {
	control    []change.Edit
	body       change.Span
	importTime bool
}

// A planter collects the places for the control of one unit.
type planter struct {
	t          *text
	start, end int // bytes of the unit's new lines
	lists      []list
	edits      []change.Edit
	used       map[*list]bool
	path       string
}

// place finds the spot of the unit in head's text.
func place(u *change.Unit, t *text) spot {
	p := &planter{t: t, lists: t.lists(), used: map[*list]bool{}, path: u.Hunk.File.Path}
	p.start, p.end = u.New.Bytes(t.src)
	var s spot
	if toks := p.code(); len(toks) > 0 {
		s = p.lines(toks)
	} else {
		s = p.gap()
	}
	if s.importTime {
		p.insert(len(t.src), "\nfunc init() { "+planted+" }\n")
	}
	if s.body.Lines == 0 {
		s.body = u.New
	}
	with, err := change.Apply(t.src, p.edits)
	if err == nil && parse(with).err == nil {
		s.control = p.edits
	}
	return s
}

// plantRestored plants in a deleted file: it is there again, and its package
// fails when it is loaded.
func plantRestored(f *change.File, old *text) []change.Edit {
	if old.err != nil {
		return nil
	}
	text := append(bytes.Clone(f.Old), "\nfunc init() { "+planted+" }\n"...)
	return []change.Edit{{Path: f.Path, Op: change.Create, Text: text, Mode: f.OldMode}}
}

func (p *planter) insert(off int, s string) {
	p.edits = append(p.edits, change.Edit{Path: p.path, Start: off, End: off, Text: []byte(s)})
}

// code is the unit's tokens that say something; brackets only when it has no
// others.
func (p *planter) code() []tok {
	var all, telling []tok
	for _, tk := range p.t.tokens {
		if tk.start < p.start || tk.start >= p.end {
			continue
		}
		all = append(all, tk)
		if !punctuation(tk.kind) {
			telling = append(telling, tk)
		}
	}
	if len(telling) > 0 {
		return telling
	}
	return all
}

// lines plants for a unit with code of its own: at the start of each function
// whose header it touches, before the first touched statement of each other
// list, and in an init function for what stands at package level.
func (p *planter) lines(toks []tok) spot {
	first, last := toks[0].start, toks[len(toks)-1].start
	loose := false
	for _, d := range p.t.file.Decls {
		mine := within(toks, p.t, d)
		if len(mine) == 0 {
			continue
		}
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case ok && fn.Body != nil && mine[0].start < p.t.offset(fn.Body.Lbrace):
			p.insert(p.t.offset(fn.Body.Lbrace)+1, planted+";")
			last = max(last, p.t.offset(fn.Body.Rbrace))
		case ok && fn.Body != nil:
			p.statements(mine)
			if len(p.edits) == 0 { // only the closing brace
				p.atEnd(innermost(p.lists, p.t.offset(fn.Body.Rbrace)))
			}
		case isImport(d):
		default:
			loose = p.statements(mine) || loose
		}
	}
	return spot{
		body:       p.span(first, last),
		importTime: loose || len(p.edits) == 0,
	}
}

func within(toks []tok, t *text, d ast.Decl) []tok {
	var out []tok
	start, end := t.declRange(d)
	for _, tk := range toks {
		if tk.start >= start && tk.start < end {
			out = append(out, tk)
		}
	}
	return out
}

// statements plants before the first touched statement of each list. It
// reports whether a token stands in no statement.
func (p *planter) statements(toks []tok) (loose bool) {
	for _, tk := range toks {
		if p.ownCase(tk.start) {
			continue
		}
		s, in := p.t.at(p.lists, tk.start)
		if s == nil {
			loose = true
			continue
		}
		if !p.used[in] {
			p.used[in] = true
			p.before(s)
		}
	}
	return loose
}

// before plants on the line of the statement, so that line numbers stay and
// one-line bodies need no care.
func (p *planter) before(s ast.Stmt) { p.insert(p.t.offset(s.Pos()), planted+"; ") }

// ownCase reports that off is in the header of a case whose first statement is
// the unit's as well: the failure then belongs into the case.
func (p *planter) ownCase(off int) bool {
	found := false
	ast.Inspect(p.t.file, func(n ast.Node) bool {
		var body []ast.Stmt
		var colon int
		switch c := n.(type) {
		case *ast.CaseClause:
			body, colon = c.Body, p.t.offset(c.Colon)
		case *ast.CommClause:
			body, colon = c.Body, p.t.offset(c.Colon)
		default:
			return !found
		}
		found = found || p.t.offset(n.Pos()) <= off && off <= colon && len(body) > 0 && p.t.holds(body[0].Pos(), p.start, p.end)
		return !found
	})
	return found
}

// gap plants for a unit without code at head: before the statement around the
// gap, else before the one that follows in its list, else at the list's end.
func (p *planter) gap() spot {
	off := p.end
	l := innermost(p.lists, off)
	if l == nil {
		return p.outside(off)
	}
	if s := p.t.around(l, off); s != nil {
		p.before(s)
		return spot{body: p.span(p.t.offset(s.Pos()), p.t.offset(s.End())-1)}
	}
	for _, s := range l.stmts {
		if p.t.offset(s.Pos()) >= off {
			p.before(s)
			return spot{body: p.span(p.t.offset(s.Pos()), p.t.offset(s.End())-1)}
		}
	}
	p.atEnd(l)
	if n := len(l.stmts); n > 0 {
		s := l.stmts[n-1]
		return spot{body: p.span(p.t.offset(s.Pos()), p.t.offset(s.End())-1)}
	}
	return spot{body: p.span(l.start-1, l.end)}
}

func (p *planter) atEnd(l *list) {
	switch {
	case l == nil:
	case l.closing && len(l.stmts) == 0:
		p.insert(l.start, planted+";")
	case len(l.stmts) > 0:
		p.insert(p.t.offset(l.stmts[len(l.stmts)-1].End()), "; "+planted)
	default:
		p.insert(l.start, " "+planted+";")
	}
}

// outside is the spot of a gap at package level: the function around it when
// it is in a function's header, the declaration around it otherwise.
func (p *planter) outside(off int) spot {
	for _, d := range p.t.file.Decls {
		from, to := p.t.declRange(d)
		if off <= from || off >= to {
			continue
		}
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			p.insert(p.t.offset(fn.Body.Lbrace)+1, planted+";")
			return spot{body: p.span(from, to-1)}
		}
		return spot{body: p.span(from, to-1), importTime: true}
	}
	return spot{importTime: true}
}

// span is the lines from the byte at first to the byte at last.
func (p *planter) span(first, last int) change.Span {
	a := p.t.tf.PositionFor(p.t.tf.Pos(first), false).Line
	b := p.t.tf.PositionFor(p.t.tf.Pos(last), false).Line
	return change.Span{Start: a, Lines: b - a + 1}
}
