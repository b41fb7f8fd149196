package gosrc

import (
	"go/ast"
	"slices"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// zeroParameters returns the form of a changed signature in which the added
// parameters are zero when the function begins; false when the signature
// differs in anything else.
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
	if len(added) == 0 || joinTokens(lineTokens(m.old)) != joinTokens(a.withoutParameters(added)) {
		return neutral{}, false
	}
	out := neutral{words: "added parameter zero at entry"}
	text := ""
	for _, id := range added {
		t, known := a.typeText(syn.Info.Defs[id].Type())
		if !known {
			return neutral{}, false
		}
		text += " " + id.Name + " = *new(" + t + ");"
	}
	out.edits = []change.Edit{a.insert(syn.Offset(fn.Body.Lbrace)+1, text)}
	return out, true
}

// signature is the function whose parameter list lies in the lines, when they
// hold nothing else of it.
func (a addition) signature() *ast.FuncDecl {
	for _, d := range a.syn.File.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || !a.inside(fn.Type.Params) {
			continue
		}
		if len(fn.Body.List) == 0 || a.syn.Offset(fn.Body.List[0].Pos()) >= a.to {
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
// taken out, in the ways in which a list may be written.
func (a addition) withoutParameters(added []*ast.Ident) []tok {
	drop := map[int]bool{}
	fn := a.signature()
	for _, f := range fn.Type.Params.List {
		gone := 0
		for _, id := range f.Names {
			if slices.Contains(added, id) {
				gone++
				drop[a.syn.Offset(id.Pos())-a.from] = true
			}
		}
		if gone > 0 && gone == len(f.Names) {
			for o := a.syn.Offset(f.Type.Pos()); o < a.syn.Offset(f.Type.End()); o++ {
				drop[o-a.from] = true
			}
		}
	}
	var out []tok
	comma := false
	for _, t := range lineTokens(a.syn.Src[a.from:a.to]) {
		switch {
		case drop[t.start]:
			if n := len(out); n > 0 && out[n-1].text() == "," {
				out = out[:n-1]
			} else {
				comma = true
			}
			continue
		case comma && t.text() == ",":
			comma = false
			continue
		}
		comma = false
		out = append(out, t)
	}
	return out
}
