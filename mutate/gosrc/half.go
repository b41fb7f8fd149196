package gosrc

import (
	"bytes"
	"go/ast"
	"slices"

	"assay/change"
)

// A stretch is the bytes of a statement or declaration.
type stretch struct{ from, to int }

// stretches are the statements and the declaration around bytes [from,to) of a
// text, innermost first.
func (t *text) stretches(from, to int) []stretch {
	var out []stretch
	if t.file == nil {
		return nil
	}
	ast.Inspect(t.file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		switch n.(type) {
		case *ast.BlockStmt: // says no more than what it belongs to
		case ast.Stmt, ast.Decl:
			if s := (stretch{t.offset(n.Pos()), t.offset(n.End())}); s.from <= from && to <= s.to {
				out = append(out, s)
			}
		}
		return true
	})
	slices.Reverse(out)
	return out
}

// trimmed is the bytes of a span without white space around them.
func trimmed(content []byte, span change.Span) (from, to int) {
	from, to = span.Bytes(content)
	text := content[from:to]
	from += len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	return from, max(from, to-len(text)+len(bytes.TrimRight(text, " \t\r\n")))
}

// joined returns the member with those that lie in the smallest statement or
// declaration of either side around it that parses when all of them are
// un-done; the member alone when it parses alone or when nothing helps.
func (s *sides) joined(m *member) []*member {
	set := []*member{m}
	if s.parses(set) {
		return set
	}
	a, b := parse(m.file.Old), parse(m.file.New)
	old := a.stretches(trimmed(m.file.Old, m.unit.Old))
	neu := b.stretches(trimmed(m.file.New, m.unit.New))
	for i := range max(len(old), len(neu)) {
		set = []*member{m}
		for _, v := range s.members {
			if v != m && v.file == m.file && (v.lies(atBase, old, i) || v.lies(atHead, neu, i)) {
				set = append(set, v)
			}
		}
		if s.parses(set) {
			return set
		}
	}
	return []*member{m}
}

// lies reports whether a side of the member shares bytes with the i-th stretch.
func (m *member) lies(side int, all []stretch, i int) bool {
	if len(all) == 0 {
		return false
	}
	in := all[min(i, len(all)-1)]
	span, content := m.unit.New, m.file.New
	if side == atBase {
		span, content = m.unit.Old, m.file.Old
	}
	from, to := span.Bytes(content)
	return from < in.to && in.from < to || from == to && in.from < from && from < in.to
}

// parses reports whether every file of the un-done members parses.
func (s *sides) parses(set []*member) bool {
	d := s.undo(set)
	for name, es := range d.files {
		if es[0].Op != change.Remove && parse(d.text(name)).err != nil {
			return false
		}
	}
	return true
}
