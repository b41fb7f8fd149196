package gosrc

import (
	"go/ast"
	"go/types"
	"slices"

	"assay/mutate/gosrc/typed"
)

// entangled says why switching an addition off can take old behaviour away as
// well; "" when it cannot.
func (s *sides) entangled(m *member, n neutral) string {
	switch {
	case s.replacedBy(m):
		return "text that replaces other text uses it"
	case s.keptUses(n.decls):
		return "text that stays uses it"
	case s.succeeds(m):
		return "its type loses another method"
	}
	return ""
}

// replaces reports that base declares what the member adds, in another place:
// it is another version of it, and switching it off would take the old one away
// as well.
func (s *sides) replaces(m *member) bool {
	for _, d := range m.defs[atHead] {
		if m.declares(atBase, d.name, func(def) bool { return true }) {
			continue // it stands in the member's own old text
		}
		switch d.kind {
		case global:
			if s.scopeOf(s.base, d.pkg).Lookup(d.name) != nil {
				return true
			}
		case inType:
			pkg := s.base.Package(d.pkg)
			if pkg == nil {
				continue
			}
			owner := pkg.Scope().Lookup(ownerOf(s.head, d.decl))
			if owner == nil {
				continue
			}
			if found, _, _ := types.LookupFieldOrMethod(owner.Type(), true, pkg, d.name); found != nil {
				return true
			}
		}
	}
	return false
}

// replacedBy reports whether text that replaces other text needs what the
// member adds, directly or through other additions: without it the old
// behaviour would be gone as well.
func (s *sides) replacedBy(m *member) bool {
	seen := []*member{m}
	for i := 0; i < len(seen); i++ {
		for _, v := range s.members {
			if slices.Contains(seen, v) || !v.usesOf(seen[i], atHead) {
				continue
			}
			if v.code[atBase] {
				return true
			}
			seen = append(seen, v)
		}
	}
	return false
}

// keptUses reports whether text that stands at head and at base, or replaces
// other text, uses one of the objects.
func (s *sides) keptUses(decls []types.Object) bool {
	for _, name := range s.filesAround(decls) {
		syn, ok := s.head.Syntax(name)
		if !ok || s.isTest(name) {
			continue
		}
		for id, obj := range syn.Info.Uses {
			at := s.placeOf(syn, id)
			if at == nil || !slices.Contains(decls, obj) {
				continue
			}
			if !slices.ContainsFunc(s.members, func(m *member) bool {
				return m.file.Path == name && !m.code[atBase] && m.holds(atHead, *at)
			}) {
				return true
			}
		}
	}
	return false
}

// placeOf is the offset of a name when it stands in the file.
func (s *sides) placeOf(syn *typed.Syntax, id *ast.Ident) *int {
	if id.Pos() < syn.File.FileStart || id.Pos() >= syn.File.FileEnd {
		return nil
	}
	at := syn.Offset(id.Pos())
	return &at
}

// filesAround are the files of the packages that declare the objects.
func (s *sides) filesAround(decls []types.Object) []string {
	var out []string
	add := func(obj types.Object) {
		if at, in := s.head.Declared(obj); in && !slices.Contains(out, at.Path) {
			out = append(out, at.Path)
		}
	}
	for _, d := range decls {
		if d == nil || d.Pkg() == nil {
			continue
		}
		add(d)
		scope := d.Pkg().Scope()
		for _, n := range scope.Names() {
			obj := scope.Lookup(n)
			add(obj)
			if named, ok := obj.Type().(*types.Named); ok {
				for m := range named.Methods() {
					add(m)
				}
			}
		}
	}
	return out
}

// succeeds reports that the member adds a method to a type that loses another
// one in the change: an interface may ask for the one as it did for the other.
func (s *sides) succeeds(m *member) bool {
	type method struct{ owner, name string }
	methods := func(m *member, side int, w *typed.World) (owners []method) {
		for _, d := range m.defs[side] {
			if _, isFunc := d.obj.(*types.Func); isFunc && d.kind == inType {
				owners = append(owners, method{d.pkg + "." + ownerOf(w, d.decl), d.name})
			}
		}
		return owners
	}
	var kept, gone []method
	for _, v := range s.members {
		kept = append(kept, methods(v, atHead, s.head)...)
		gone = append(gone, methods(v, atBase, s.base)...)
	}
	for _, mine := range methods(m, atHead, s.head) {
		for _, other := range gone {
			if mine.owner == other.owner && !slices.Contains(kept, other) {
				return true
			}
		}
	}
	return false
}
