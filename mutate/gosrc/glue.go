package gosrc

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"assay/mutate/gosrc/typed"
)

// mostGlue bounds the repairs of one un-doing.
const mostGlue = 30

// A gluer makes old text fit head by repairs without behaviour of their own.
type gluer struct {
	s    *sides
	d    *draft
	set  []*member // un-done by d
	said []string
	from []string // base files that text was copied from
}

// glue type checks a draft and repairs what it can, first error first. It
// returns the first problem that it cannot repair, nil when the draft builds
// with all tests.
func (s *sides) glue(ctx context.Context, d *draft, set []*member) (*gluer, *typed.Problem, error) {
	g := &gluer{s: s, d: d, set: set}
	for range mostGlue {
		res, err := s.head.Check(ctx, d.edits())
		if err != nil {
			return nil, nil, err
		}
		p := first(res.Problems)
		if p == nil || !g.repair(*p) {
			return g, p, nil
		}
	}
	res, err := s.head.Check(ctx, d.edits())
	if err != nil {
		return nil, nil, err
	}
	return g, first(res.Problems), nil
}

// first is the first problem that does not merely follow from another.
func first(all []typed.Problem) *typed.Problem {
	for i, p := range all {
		if !p.Soft {
			return &all[i]
		}
	}
	if len(all) > 0 {
		return &all[0]
	}
	return nil
}

// repair mends one problem; false when no behaviour-free repair is known.
// Head's tests are never repaired: they must stay what they are.
func (g *gluer) repair(p typed.Problem) bool {
	if g.s.isTest(p.Path) {
		return false
	}
	switch p.Code {
	case typed.UnusedImport:
		return g.blankImport(p)
	case typed.UnusedVar:
		return g.useVariable(p)
	case typed.Undefined:
		if p.Selector {
			return g.copyQualified(p)
		}
		return g.addImport(p) || g.copyGlobal(p.Package, p.Name, p.Path)
	case typed.UnknownMember, typed.MissingMethod:
		return g.copyMethod(p)
	}
	return false
}

func (g *gluer) note(format string, args ...any) bool {
	g.said = append(g.said, fmt.Sprintf(format, args...))
	return true
}

// blankImport keeps an import for its init only.
func (g *gluer) blankImport(p typed.Problem) bool {
	t := parse(g.d.text(p.Path))
	if t.file == nil {
		return false
	}
	for _, spec := range t.file.Imports {
		from, to := t.offset(spec.Pos()), t.offset(spec.Path.Pos())
		if from <= p.Offset && p.Offset <= t.offset(spec.End()) {
			g.d.splice(p.Path, from, to, "_ ")
			return g.note("import %s blanked in %s", spec.Path.Value, p.Path)
		}
	}
	return false
}

// addImport adds an import that the base version of the file had, on the line
// of the package clause so that no line moves.
func (g *gluer) addImport(p typed.Problem) bool {
	t := parse(g.d.text(p.Path))
	if t.file == nil {
		return false
	}
	for _, from := range append([]string{g.s.oldPath(p.Path)}, g.from...) {
		base, ok := g.s.base.Syntax(from)
		if !ok {
			continue
		}
		for _, spec := range base.File.Imports {
			if importName(base, spec) != p.Name {
				continue
			}
			text := spec.Path.Value
			if spec.Name != nil {
				text = spec.Name.Name + " " + text
			}
			at := t.offset(t.file.Name.End())
			g.d.splice(p.Path, at, at, "; import "+text)
			return g.note("import %s added to %s", text, p.Path)
		}
	}
	return false
}

// importName is the name that an import of a checked file binds.
func importName(syn *typed.Syntax, spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	if obj := syn.Info.Implicits[spec]; obj != nil {
		return obj.Name()
	}
	return ""
}

// useVariable mentions a variable that old text declares and no longer uses.
func (g *gluer) useVariable(p typed.Problem) bool {
	t := parse(g.d.text(p.Path))
	if t.file == nil || p.Name == "" || g.usedElsewhere(p) {
		return false
	}
	pos := t.tf.Pos(p.Offset)
	nodes, _ := astutil.PathEnclosingInterval(t.file, pos, pos)
	for i, n := range nodes {
		if i+1 >= len(nodes) {
			break
		}
		stmt, ok := n.(ast.Stmt)
		if !ok {
			continue
		}
		if at, text, ok := useAt(t, stmt, nodes[i+1], p.Name); ok {
			g.d.splice(p.Path, at, at, text)
			return g.note("_ = %s", p.Name)
		}
		if sw, ok := nodes[i+1].(*ast.TypeSwitchStmt); ok && sw.Assign == stmt {
			if a, ok := stmt.(*ast.AssignStmt); ok {
				g.d.splice(p.Path, t.offset(a.Pos()), t.offset(a.Rhs[0].Pos()), "")
				return g.note("%s not declared", p.Name)
			}
		}
	}
	return false
}

// usedElsewhere reports that old text which is not put back uses the variable:
// without it, what declares the variable would be half of a program.
func (g *gluer) usedElsewhere(p typed.Problem) bool {
	if p.Head >= 0 {
		return false
	}
	at := scene{s: g.s, p: p, t: trial{set: g.set, gluer: g}}
	return slices.ContainsFunc(g.s.members, func(m *member) bool {
		return !slices.Contains(g.set, m) && at.leftOver(m)
	})
}

// useAt is where a variable that stmt declares can be mentioned: after the
// statement when it stands in a list, else in the block that it introduces.
func useAt(t *text, stmt ast.Stmt, parent ast.Node, name string) (int, string, bool) {
	inBlock := func(b *ast.BlockStmt) (int, string, bool) { return t.offset(b.Lbrace) + 1, " _ = " + name + ";", true }
	switch parent := parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		switch stmt := stmt.(type) {
		case *ast.RangeStmt:
			return inBlock(stmt.Body)
		case *ast.AssignStmt, *ast.DeclStmt:
			return t.offset(stmt.End()), "; _ = " + name, true
		}
	case *ast.CommClause:
		if parent.Comm == stmt {
			return t.offset(parent.Colon) + 1, " _ = " + name + ";", true
		}
		return t.offset(stmt.End()), "; _ = " + name, true
	case *ast.IfStmt:
		if parent.Init == stmt {
			return inBlock(parent.Body)
		}
	case *ast.ForStmt:
		if parent.Init == stmt {
			return inBlock(parent.Body)
		}
	}
	return 0, "", false
}

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
	recv := p.Receiver[strings.LastIndexByte(p.Receiver, '.')+1:]
	if i := strings.IndexByte(recv, '['); i >= 0 {
		recv = recv[:i]
	}
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

// isTest reports whether a path is a test at head, which no un-doing touches.
// A support file that the change edits may be touched.
func (s *sides) isTest(name string) bool {
	if !strings.HasSuffix(name, "_test.go") {
		return false
	}
	for _, m := range s.members {
		if m.file.Path == name {
			return false
		}
	}
	return true
}

// oldPath is what a path of head was called at base.
func (s *sides) oldPath(name string) string {
	for _, f := range s.change.Files {
		if f.Path == name && f.OldPath != "" {
			return f.OldPath
		}
	}
	return name
}

// newPath is what a path of base is called at head.
func (s *sides) newPath(name string) string {
	for _, f := range s.change.Files {
		if f.OldPath == name {
			return f.Path
		}
	}
	return name
}

// sameAsHead reports that an un-doing means the same as head: its tokens are
// head's, imports aside.
func (s *sides) sameAsHead(d *draft) bool {
	for name := range d.files {
		a, b := parse(d.text(name)), parse(s.content(name))
		if a.file == nil || b.file == nil || inertness(withoutBlank(a), b) == "" {
			return false
		}
	}
	return true
}

// withoutBlank hides the imports that glue blanked: they bind no name, and
// what they initialise head initialises as well.
func withoutBlank(t *text) *text {
	out := *t
	file := *t.file
	file.Imports = nil
	for _, spec := range t.file.Imports {
		if spec.Name == nil || spec.Name.Name != "_" {
			file.Imports = append(file.Imports, spec)
		}
	}
	out.file = &file
	return &out
}
