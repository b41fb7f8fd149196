package gosrc

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// keepLocal declares a variable again that text which stays uses and that an
// un-done replacement declared without a value. Nothing un-done mentions it
// otherwise, so that it is to the text that stays what it is at head, and the
// old text does not know it.
func (g *gluer) keepLocal(p typed.Problem) bool {
	syn, ok := g.s.head.Syntax(p.Path)
	if !ok || p.Head < 0 {
		return false
	}
	ids := syn.Idents(p.Head, p.Head+1)
	if len(ids) == 0 || ids[0].Offset != p.Head || kindOf(ids[0].Object) != local {
		return false
	}
	decl := ids[0].Decl
	i := slices.IndexFunc(g.set, func(m *member) bool {
		return m.file.Path == decl.Path && m.code[atBase] && m.holds(atHead, decl.Offset)
	})
	if i < 0 || slices.ContainsFunc(g.set, func(m *member) bool { return m.sets(decl) }) {
		return false
	}
	kind := bareVariable(syn, decl.Offset, g.set[i])
	said := fmt.Sprintf("var %s %s kept", p.Name, kind)
	if kind == "" || slices.Contains(g.said, said) {
		return false
	}
	return g.insertAfter(g.set[i], "var "+p.Name+" "+kind+"; ") && g.note("%s", said)
}

// sets reports whether the head side mentions an object other than by declaring
// it.
func (m *member) sets(decl typed.Place) bool {
	return slices.ContainsFunc(m.uses[atHead], func(d def) bool { return d.decl == decl })
}

// bareVariable is the type of a variable that a statement among others declares
// without a value, where the member's head side ends between statements; "" for
// any other.
func bareVariable(syn *typed.Syntax, offset int, m *member) string {
	nodes, _ := astutil.PathEnclosingInterval(syn.File, syn.File.FileStart+token.Pos(offset), syn.File.FileStart+token.Pos(offset)+1)
	if len(nodes) < 5 {
		return ""
	}
	spec, isValue := nodes[1].(*ast.ValueSpec)
	if _, isStmt := nodes[3].(*ast.DeclStmt); !isValue || !isStmt || len(spec.Values) > 0 || spec.Type == nil {
		return ""
	}
	_, end := m.unit.New.Bytes(m.file.New)
	for _, stmt := range statementsOf(nodes[4]) {
		if syn.Offset(stmt.Pos()) < end && end < syn.Offset(stmt.End()) {
			return ""
		}
	}
	return string(syn.Src[syn.Offset(spec.Type.Pos()):syn.Offset(spec.Type.End())])
}

// insertAfter adds text before what follows an un-done member on the next line,
// so that no line moves; false when that would not parse.
func (g *gluer) insertAfter(m *member, text string) bool {
	path := m.file.Path
	_, end := m.unit.New.Bytes(m.file.New)
	at := end
	for _, e := range g.d.files[path] {
		switch {
		case e.Op != change.Splice || e.Start < end && end < e.End:
			return false
		case e.Start < end || e.End == end && e.Start < e.End:
			at += len(e.Text) - (e.End - e.Start)
		}
	}
	before := slices.Clone(g.d.files[path])
	g.d.splice(path, at, at, text)
	if parse(g.d.text(path)).err != nil {
		g.d.files[path] = before
		return false
	}
	return true
}
