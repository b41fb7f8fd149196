package gosrc

import (
	"go/ast"
	"slices"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// zeros returns the form of a changed signature or of changed calls in which
// what they have more is zero.
func (s *sides) zeros(m *member) (neutral, bool) {
	if n, ok := s.zeroParameters(m); ok {
		return n, true
	}
	return s.zeroArguments(m)
}

// zeroParameters returns the form of a changed signature in which the added
// parameters are zero when the function begins, and statements that were added
// at the start of the body are guarded; false when anything else differs.
func (s *sides) zeroParameters(m *member) (neutral, bool) {
	syn, ok := s.head.Syntax(m.file.Path)
	base, okBase := s.base.Syntax(m.file.OldPath)
	if !ok || !okBase {
		return neutral{}, false
	}
	from, to := m.unit.New.Bytes(m.file.New)
	a := addition{syn: syn, path: m.file.Path, from: from, to: to}
	fn := a.signature()
	if fn == nil {
		return neutral{}, false
	}
	added := addedParameters(base, syn, fn)
	header, body := a, a
	header.to, body.from = min(a.to, syn.Offset(fn.Body.Lbrace)+1), min(a.to, syn.Offset(fn.Body.Lbrace)+1)
	if len(added) == 0 || joinTokens(lineTokens(m.old)) != joinTokens(header.withoutParameters(fn, added)) {
		return neutral{}, false
	}
	out := neutral{words: "added parameter zero at entry"}
	for _, id := range added {
		out.decls = append(out.decls, syn.Info.Defs[id])
	}
	if hasCode(syn.Src[body.from:body.to]) {
		guarded, ok := body.statements()
		if !ok {
			return neutral{}, false
		}
		out.words += ", " + guarded.words
		out.edits = guarded.edits
	}
	text := ""
	for _, id := range added {
		t, known := a.typeText(syn.Info.Defs[id].Type())
		if !known {
			return neutral{}, false
		}
		text += " " + id.Name + " = *new(" + t + ");"
	}
	out.edits = append([]change.Edit{a.insert(syn.Offset(fn.Body.Lbrace)+1, text)}, out.edits...)
	return out, true
}

// signature is the function whose parameter list lies in the lines.
func (a addition) signature() *ast.FuncDecl {
	for _, d := range a.syn.File.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Body != nil && a.inside(fn.Type.Params) {
			return fn
		}
	}
	return nil
}

// addedParameters are the named parameters that the function of the same name
// does not have at base.
func addedParameters(base, head *typed.Syntax, fn *ast.FuncDecl) []*ast.Ident {
	var old []string
	for _, d := range base.File.Decls {
		if b, ok := d.(*ast.FuncDecl); ok && funcName(b) == funcName(fn) {
			for _, f := range b.Type.Params.List {
				for _, id := range f.Names {
					old = append(old, id.Name)
				}
			}
		}
	}
	var out []*ast.Ident
	for _, f := range fn.Type.Params.List {
		for _, id := range f.Names {
			if !slices.Contains(old, id.Name) && id.Name != "_" && head.Info.Defs[id] != nil {
				out = append(out, id)
			}
		}
	}
	return out
}

// withoutParameters are the tokens of the lines with the given parameters
// taken out.
func (a addition) withoutParameters(fn *ast.FuncDecl, added []*ast.Ident) []tok {
	var out []ast.Node
	for _, f := range fn.Type.Params.List {
		gone := 0
		for _, id := range f.Names {
			if slices.Contains(added, id) {
				gone++
				out = append(out, id)
			}
		}
		if gone > 0 && gone == len(f.Names) {
			out = append(out, f.Type)
		}
	}
	return a.without(out)
}

// without are the tokens of the lines with some nodes of comma-separated lists
// taken out, in the ways in which a list may be written.
func (a addition) without(nodes []ast.Node) []tok {
	drop := func(t tok) bool {
		return slices.ContainsFunc(nodes, func(n ast.Node) bool {
			return a.syn.Offset(n.Pos()) <= a.from+t.start && a.from+t.start < a.syn.Offset(n.End())
		})
	}
	var out []tok
	dropping, alone := false, false // alone: no comma stood before what is dropped
	for _, t := range lineTokens(a.syn.Src[a.from:a.to]) {
		gone := drop(t)
		switch n := len(out); {
		case gone && !dropping && n > 0 && out[n-1].text() == ",":
			dropping, out = true, out[:n-1]
		case gone && !dropping:
			dropping, alone = true, true
		case gone:
		case alone && t.text() == ",":
			dropping, alone = false, false
		default:
			dropping, alone = false, false
			out = append(out, t)
		}
	}
	return out
}
