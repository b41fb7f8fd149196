package gosrc

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"assay/mutate/gosrc/typed"
)

// copyQualified copies back what old text names as pkg.Name.
func (g *gluer) copyQualified(p typed.Problem) bool {
	src := g.d.text(p.Path)
	end := p.Offset - 1 // the dot
	start := end
	for start > 0 && isNameByte(src[start-1]) {
		start--
	}
	t := parse(src)
	if t.file == nil || start >= end {
		return false
	}
	for _, spec := range t.file.Imports {
		name := importPath(spec)
		if pkg := g.s.base.Package(name); pkg != nil && (spec.Name == nil && pkg.Name() == string(src[start:end]) || spec.Name != nil && spec.Name.Name == string(src[start:end])) {
			return g.copyGlobal(name, p.Name, "")
		}
	}
	return false
}

func isNameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// copyGlobal copies a function, type or plain constant of base back that head
// no longer has.
func (g *gluer) copyGlobal(pkg, name, near string) bool {
	base := g.s.base.Package(pkg)
	if base == nil {
		return false
	}
	obj := base.Scope().Lookup(name)
	if obj == nil {
		return false
	}
	at, inTree := g.s.base.Declared(obj)
	syn, ok := g.s.base.Syntax(at.Path)
	if !ok || !inTree {
		return false
	}
	switch d := declAround(syn, at.Offset).(type) {
	case *ast.FuncDecl:
		return g.copyBack(syn, d, "", near, "func "+name)
	case *ast.GenDecl:
		spec := specOf(syn, d, at.Offset)
		if d.Tok == token.TYPE || d.Tok == token.CONST && plainConst(spec) {
			return g.copyBack(syn, spec, d.Tok.String()+" ", near, d.Tok.String()+" "+name) && g.copyMethods(pkg, name)
		}
	}
	return false
}

// copyMethods copies the methods of a type that came back, other than those
// that old text brings back: what has the type may be asked for them without
// their being mentioned. It always succeeds; a method that cannot come back
// shows when the draft is checked.
func (g *gluer) copyMethods(pkg, name string) bool {
	for _, f := range g.s.change.Files {
		syn, ok := g.s.base.Syntax(f.OldPath)
		if !ok || g.s.isTest(f.OldPath) || packageOfFile(g.s.base, f.OldPath) != pkg {
			continue
		}
		for _, d := range syn.File.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if !isFunc || fn.Recv == nil || receiver(fn.Recv.List[0].Type) != name {
				continue
			}
			at := syn.Offset(fn.Name.Pos())
			back := func(m *member) bool { return m.file == f && m.holds(atBase, at) }
			if !slices.ContainsFunc(g.set, back) {
				g.copyBack(syn, fn, "", "", "func "+funcName(fn))
			}
		}
	}
	return true
}

func specOf(syn *typed.Syntax, d *ast.GenDecl, offset int) ast.Node {
	for _, spec := range d.Specs {
		if syn.Offset(spec.Pos()) <= offset && offset < syn.Offset(spec.End()) {
			return spec
		}
	}
	return nil
}

// plainConst reports that the value of a constant does not depend on its place
// in a group.
func plainConst(n ast.Node) bool {
	spec, ok := n.(*ast.ValueSpec)
	return ok && len(spec.Values) > 0 && !counts(&ast.GenDecl{Tok: token.CONST, Specs: []ast.Spec{spec}})
}

// copyMethod copies a method of base back that head's type no longer has.
func (g *gluer) copyMethod(p typed.Problem) bool {
	recv := lookedUpIn(p)
	for _, f := range g.s.change.Files {
		syn, ok := g.s.base.Syntax(f.OldPath)
		if !ok || g.s.isTest(f.OldPath) {
			continue
		}
		for _, d := range syn.File.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Recv != nil && recv != "" && funcName(fn) == recv+"."+p.Name && fn.Body != nil {
				return g.copyBack(syn, fn, "", "", "func "+recv+"."+p.Name)
			}
		}
	}
	return false
}

// lookedUpIn is the type in which a problem misses a member, without its package
// and type arguments; "" when it names none.
func lookedUpIn(p typed.Problem) string {
	recv := p.Receiver[strings.LastIndexByte(p.Receiver, '.')+1:]
	recv, _, _ = strings.Cut(recv, "[")
	return recv
}

// copyBack appends a declaration of base to the file it stood in, or to the
// one that needs it when that file is gone.
func (g *gluer) copyBack(syn *typed.Syntax, n ast.Node, keyword, near, what string) bool {
	to := g.s.newPath(syn.Path)
	if g.d.text(to) == nil || g.s.isTest(to) {
		to = near
	}
	text := g.d.text(to)
	if text == nil || path.Dir(to) != path.Dir(syn.Path) {
		return false
	}
	for _, said := range g.said {
		if said == what+" copied back" {
			return false // it is there, and what needs it still does not see it
		}
	}
	g.from = append(g.from, syn.Path)
	body := g.s.renames.within(syn, syn.Offset(n.Pos()), syn.Offset(n.End()))
	g.d.splice(to, len(text), len(text), "\n"+keyword+string(body)+"\n")
	return g.note("%s copied back", what)
}
