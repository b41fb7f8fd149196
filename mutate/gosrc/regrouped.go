package gosrc

import (
	"go/ast"
	"go/token"
	"slices"
)

// regrouped returns the specs that a member adds when it writes declarations
// of constants, variables or types in another group and changes none of them:
// `const a = 1` that becomes `const ( a = 1; b = 2 )` adds b. ok is false when
// anything else differs, and for iota groups, whose values hang together.
func (s *sides) regrouped(m *member, a addition) (added []ast.Node, ok bool) {
	base, known := s.base.Syntax(m.file.OldPath)
	if !known {
		return nil, false
	}
	from, to := m.unit.Old.Bytes(m.file.Old)
	before := addition{syn: base, path: m.file.OldPath, from: from, to: to}
	old, okOld := before.specs()
	head, okHead := a.specs()
	if !okOld || !okHead {
		return nil, false
	}
	for _, spec := range head {
		same := func(o ast.Node) bool {
			return joinTokens(lineTokens([]byte(before.text(o)))) == joinTokens(lineTokens([]byte(a.text(spec))))
		}
		if i := slices.IndexFunc(old, same); i >= 0 {
			old = slices.Delete(old, i, i+1)
			continue
		}
		added = append(added, spec)
	}
	return added, len(old) == 0 && len(added) > 0
}

// specs are the specs inside the lines when the lines hold whole declarations
// of constants, variables and types, and nothing else.
func (a addition) specs() (found []ast.Node, ok bool) {
	for _, d := range a.syn.File.Decls {
		if a.syn.Offset(d.End()) <= a.from || a.to <= a.syn.Offset(d.Pos()) {
			continue
		}
		g, isGroup := d.(*ast.GenDecl)
		if !isGroup || !a.inside(g) || g.Tok == token.IMPORT || g.Tok == token.CONST && counts(g) {
			return nil, false
		}
		for _, spec := range g.Specs {
			found = append(found, spec)
		}
	}
	return found, true
}
