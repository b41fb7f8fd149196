package gosrc

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// A declKey is where something is declared at base.
type declKey struct {
	path   string
	offset int
}

func keyOf(p typed.Place) declKey { return declKey{p.Path, p.Offset} }

// renames are the declarations that only have another name at head, proved by
// a declaration there that is the same but for names that are themselves
// proved. Putting old text back under the new names is then the base program
// with other names, which is the base program.
type renames map[declKey]renamed

type renamed struct{ from, to def }

// findRenames reads what may be renamed from the texts that differ in names
// only, then drops what is not proved until nothing more falls.
func findRenames(s *sides) renames {
	r := renames{}
	clash := map[declKey]bool{}
	taken := map[declKey]declKey{}
	for _, m := range s.members {
		for _, p := range m.renamePairs() {
			from, to := keyOf(p.from.decl), keyOf(p.to.decl)
			old, known := r[from]
			other, used := taken[to]
			if known && keyOf(old.to.decl) != to || used && other != from {
				clash[from], clash[other] = true, true
				continue
			}
			r[from], taken[to] = p, from
		}
	}
	dynamic := s.dynamicNames()
	for key, p := range r {
		if clash[key] || !s.canRename(p, dynamic) {
			delete(r, key)
		}
	}
	for {
		n := len(r)
		for key, p := range r {
			if !s.proved(p, r) {
				delete(r, key)
			}
		}
		if len(r) == n {
			return r
		}
	}
}

// renamePairs aligns both sides of the member, whole or line by line, and
// returns the names in which they differ where they differ in nothing else.
func (m *member) renamePairs() []renamed {
	old, neu := m.unit.OldText(), m.unit.NewText()
	a, b := bytes.SplitAfter(old, []byte{'\n'}), bytes.SplitAfter(neu, []byte{'\n'})
	whole := m.aligned(old, neu, 0, 0)
	if whole != nil || len(a) != len(b) {
		return whole
	}
	var out []renamed
	i, j := 0, 0
	for k := range a {
		out = append(out, m.aligned(a[k], b[k], i, j)...)
		i, j = i+len(a[k]), j+len(b[k])
	}
	return out
}

// aligned pairs the names of two texts that are equal otherwise; i and j are
// their offsets in the sides.
func (m *member) aligned(old, neu []byte, i, j int) []renamed {
	a, b := lineTokens(old), lineTokens(neu)
	if len(a) != len(b) {
		return nil
	}
	start, _ := m.unit.Old.Bytes(m.file.Old)
	head, _ := m.unit.New.Bytes(m.file.New)
	var out []renamed
	for k := range a {
		if a[k].kind != b[k].kind || a[k].kind != token.IDENT && a[k].text() != b[k].text() {
			return nil
		}
		if a[k].kind != token.IDENT || a[k].lit == b[k].lit {
			continue
		}
		from, okFrom := m.nameAt(atBase, start+i+a[k].start)
		to, okTo := m.nameAt(atHead, head+j+b[k].start)
		if !okFrom || !okTo || from.kind != to.kind || from.kind == imported {
			return nil
		}
		out = append(out, renamed{from, to})
	}
	return out
}

func (m *member) nameAt(side, offset int) (def, bool) {
	for _, all := range [][]def{m.defs[side], m.uses[side]} {
		for _, d := range all {
			if d.at.Offset == offset && d.decl.Path != "" && d.obj != nil {
				return d, true
			}
		}
	}
	return def{}, false
}

// canRename reports that the old name is gone at head and the new one was not
// there at base, and that nothing can ask for either by its text: reflection
// sees exported fields, interfaces of other packages see exported methods.
func (s *sides) canRename(p renamed, dynamic map[string]bool) bool {
	from, to := p.from, p.to
	switch from.kind {
	case global:
		return s.scopeOf(s.head, from.pkg).Lookup(from.name) == nil && s.scopeOf(s.base, from.pkg).Lookup(to.name) == nil
	case inType:
		_, field := from.obj.(*types.Var)
		exported := ast.IsExported(from.name) || ast.IsExported(to.name)
		if exported && (field || dynamic[from.name] || dynamic[to.name]) {
			return false
		}
		owner := ownerOf(s.base, from.decl)
		return owner != "" && owner == s.renamedOwner(p) && !s.hasMember(s.head, to.decl, from.name) && !s.hasMember(s.base, from.decl, to.name)
	case local:
		return from.in != "" && !s.functionMentions(s.head, to, from.name) && !s.functionMentions(s.base, from, to.name)
	}
	return false
}

// renamedOwner is the type that holds the member at head; a type that is
// itself renamed does not prove its members.
func (s *sides) renamedOwner(p renamed) string { return ownerOf(s.head, p.to.decl) }

func (s *sides) scopeOf(w *typed.World, pkg string) *types.Scope {
	if p := w.Package(pkg); p != nil {
		return p.Scope()
	}
	return types.NewScope(nil, token.NoPos, token.NoPos, "")
}

// ownerOf names the type that declares a field or method at a place.
func ownerOf(w *typed.World, at typed.Place) string {
	syn, ok := w.Syntax(at.Path)
	if !ok {
		return ""
	}
	switch d := declAround(syn, at.Offset).(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && len(d.Recv.List) > 0 {
			return receiver(d.Recv.List[0].Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok && syn.Offset(t.Pos()) <= at.Offset && at.Offset < syn.Offset(t.End()) {
				return t.Name.Name
			}
		}
	}
	return ""
}

// hasMember reports whether the type that declares the member at a place has
// another one of the given name in the same world.
func (s *sides) hasMember(w *typed.World, at typed.Place, name string) bool {
	pkg := w.Package(packageOfFile(w, at.Path))
	if pkg == nil {
		return true
	}
	obj := pkg.Scope().Lookup(ownerOf(w, at))
	if obj == nil {
		return true
	}
	found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, name)
	return found != nil
}

func (s *sides) functionMentions(w *typed.World, d def, name string) bool {
	syn, ok := w.Syntax(d.decl.Path)
	if !ok {
		return true
	}
	fn := syn.Func(d.decl.Offset)
	if fn == nil {
		return true
	}
	return mentionsName(fn, name)
}

// dynamicNames are the methods of every interface that a package of the change
// can meet: a value may be asked for them without their being mentioned.
func (s *sides) dynamicNames() map[string]bool {
	names := map[string]bool{"Unwrap": true, "Is": true, "As": true} // anonymous interfaces of package errors
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		for _, n := range p.Scope().Names() {
			if t, ok := p.Scope().Lookup(n).(*types.TypeName); ok {
				if i, ok := t.Type().Underlying().(*types.Interface); ok {
					for m := range i.Methods() {
						names[m.Name()] = true
					}
				}
			}
		}
		for _, imp := range p.Imports() {
			visit(imp)
		}
	}
	for _, m := range s.members {
		visit(s.base.Package(packageOfFile(s.base, m.file.OldPath)))
		visit(s.head.Package(packageOfFile(s.head, m.file.Path)))
	}
	return names
}

// proved reports that the declarations are the same but for proved names.
func (s *sides) proved(p renamed, r renames) bool {
	if p.from.kind == local {
		plain := func(*types.Package) string { return "" }
		return types.TypeString(p.from.obj.Type(), plain) == types.TypeString(p.to.obj.Type(), plain)
	}
	a, aFrom, okA := declText(s.base, p.from.decl)
	b, bFrom, okB := declText(s.head, p.to.decl)
	if !okA || !okB {
		return false
	}
	x, y := lineTokens(a), lineTokens(b)
	if len(x) != len(y) {
		return false
	}
	base, _ := s.base.Syntax(p.from.decl.Path)
	head, _ := s.head.Syntax(p.to.decl.Path)
	for i := range x {
		switch {
		case x[i].kind != y[i].kind:
			return false
		case x[i].text() == y[i].text():
		case x[i].kind != token.IDENT || !sameUnder(r, base, aFrom+x[i].start, head, bFrom+y[i].start):
			return false
		}
	}
	return true
}

// sameUnder reports that a name of base is proved to be the name of head.
func sameUnder(r renames, base *typed.Syntax, i int, head *typed.Syntax, j int) bool {
	a, b := base.Idents(i, i+1), head.Idents(j, j+1)
	if len(a) != 1 || len(b) != 1 {
		return false
	}
	p, ok := r[keyOf(a[0].Decl)]
	return ok && keyOf(p.to.decl) == keyOf(b[0].Decl)
}

// declText is the text of the innermost declaration that names something: a
// function, a spec, or a field.
func declText(w *typed.World, at typed.Place) (text []byte, from int, ok bool) {
	syn, ok := w.Syntax(at.Path)
	if !ok {
		return nil, 0, false
	}
	var n ast.Node
	switch d := declAround(syn, at.Offset).(type) {
	case *ast.FuncDecl:
		n = d
	case *ast.GenDecl:
		n = specAround(syn, d, at.Offset)
	}
	if n == nil {
		return nil, 0, false
	}
	from, to := syn.Offset(n.Pos()), syn.Offset(n.End())
	return syn.Src[from:to], from, true
}

// specAround is the spec of a group around an offset, or the field of its
// struct or interface.
func specAround(syn *typed.Syntax, d *ast.GenDecl, offset int) ast.Node {
	var best ast.Node
	ast.Inspect(d, func(n ast.Node) bool {
		switch n.(type) {
		case ast.Spec, *ast.Field:
			if syn.Offset(n.Pos()) <= offset && offset < syn.Offset(n.End()) {
				best = n
			}
		}
		return true
	})
	return best
}

// apply returns lines of base with the renamed names under their new ones.
func (r renames) apply(s *sides, name string, span change.Span) []byte {
	syn, ok := s.base.Syntax(name)
	if !ok {
		return span.Of(s.baseText(name))
	}
	from, to := span.Bytes(syn.Src)
	return r.within(syn, from, to)
}

// within is bytes [from,to) of a file of base under the new names.
func (r renames) within(syn *typed.Syntax, from, to int) []byte {
	text := slices.Clone(syn.Src[from:to])
	ids := syn.Idents(from, to)
	for _, id := range slices.Backward(ids) {
		if p, ok := r[keyOf(id.Decl)]; ok && id.Decl.Path != "" {
			at := id.Offset - from
			text = slices.Concat(text[:at], []byte(p.to.name), text[at+len(id.Name):])
		}
	}
	return text
}

// baseText is the base side of a file of the change.
func (s *sides) baseText(name string) []byte {
	for _, f := range s.change.Files {
		if f.OldPath == name {
			return f.Old
		}
	}
	return nil
}

// onlyRenamed reports that the member's sides are the same under the new
// names, and whether an exported name is among them.
func (m *member) onlyRenamed(r renames) (only, api bool) {
	if bytes.Equal(m.old, m.unit.OldText()) || joinTokens(lineTokens(m.old)) != joinTokens(lineTokens(m.unit.NewText())) {
		return false, false
	}
	for _, d := range slices.Concat(m.defs[atBase], m.uses[atBase]) {
		if p, ok := r[keyOf(d.decl)]; ok && d.kind != local && ast.IsExported(p.from.name) {
			api = true
		}
	}
	return true, api
}
