package gosrc

import (
	"go/ast"
	"slices"

	"assay/mutate/gosrc/typed"
)

// keepSignature gives a function whose old body is back the signature that
// head's tests call it by, where that only has more parameters: the old body
// does not see them. A body that is head's is left alone, since nothing would
// be un-done then.
func (g *gluer) keepSignature(p typed.Problem) bool {
	var path string
	var from, to int
	var header string
	for _, m := range g.set {
		old, head := parse(g.d.text(m.file.Path)), parse(g.s.content(m.file.Path))
		if old.file == nil || head.file == nil || path == m.file.Path {
			continue
		}
		for _, d := range old.file.Decls {
			was, ok := d.(*ast.FuncDecl)
			if !ok || was.Name.Name != p.Name || was.Body == nil {
				continue
			}
			is := functionNamed(head.file, funcName(was))
			if is == nil || !widens(old, was, head, is) {
				continue
			}
			if path != "" {
				return false // which of the two the test calls is not known
			}
			path, from, to = m.file.Path, old.offset(was.Pos()), old.offset(was.Body.Lbrace)
			header = string(head.src[head.offset(is.Pos()):head.offset(is.Body.Lbrace)])
		}
	}
	if path == "" {
		return false
	}
	g.d.splice(path, from, to, header)
	return g.note("signature of %s kept", p.Name)
}

func functionNamed(f *ast.File, name string) *ast.FuncDecl {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && funcName(fn) == name {
			return fn
		}
	}
	return nil
}

// widens reports that a function differs from its old form in its body, and in
// its signature by parameters that the old body does not mention and that the
// old signature lacks.
func widens(old *text, was *ast.FuncDecl, head *text, is *ast.FuncDecl) bool {
	same := func(a, b ast.Node) bool { return joinTokens(old.nodeTokens(a)) == joinTokens(head.nodeTokens(b)) }
	fields := func(a, b *ast.FieldList) bool {
		return a == nil && b == nil || a != nil && b != nil && same(a, b)
	}
	if is.Body == nil || same(was.Body, is.Body) || !fields(was.Recv, is.Recv) || !fields(was.Type.Results, is.Type.Results) || !fields(was.Type.TypeParams, is.Type.TypeParams) {
		return false
	}
	kept, all := parameters(old, was), parameters(head, is)
	var added []string
	for _, p := range all {
		if len(kept) > 0 && kept[0] == p {
			kept = kept[1:]
			continue
		}
		added = append(added, p.name)
	}
	return len(kept) == 0 && len(added) > 0 && !slices.Contains(added, "") && !mentionsAny(was.Body, added)
}

// A parameter is one name of a parameter list and the tokens of its type.
type parameter struct{ name, typ string }

// parameters are those of a function, one by one; unnamed ones have no name.
func parameters(t *text, fn *ast.FuncDecl) []parameter {
	var out []parameter
	for _, f := range fn.Type.Params.List {
		typ := joinTokens(t.nodeTokens(f.Type))
		for _, id := range f.Names {
			out = append(out, parameter{id.Name, typ})
		}
		if len(f.Names) == 0 {
			out = append(out, parameter{"", typ})
		}
	}
	return out
}

// nodeTokens are the tokens of a node, without comments.
func (t *text) nodeTokens(n ast.Node) []tok {
	return lineTokens(t.src[t.offset(n.Pos()):t.offset(n.End())])
}

func mentionsAny(n ast.Node, names []string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name != "_" && slices.Contains(names, id.Name)
		return !found
	})
	return found
}
