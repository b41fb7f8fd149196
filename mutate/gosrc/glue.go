package gosrc

import (
	"context"
	"fmt"
	"go/ast"
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

	// core is the unit that the search is for where added functions may stay; see
	// forward.
	core *member
	kept []string       // added functions that stay
	tail map[string]int // where in a file they begin
}

// glue type checks a draft and repairs what it can, first error first. It
// returns the first problem that it cannot repair, nil when the draft builds
// with all tests.
func (s *sides) glue(ctx context.Context, d *draft, set []*member) (*gluer, *typed.Problem, error) {
	return s.glueFor(ctx, nil, d, set)
}

// glueFor is glue that may keep what head's tests name, for the sake of core.
func (s *sides) glueFor(ctx context.Context, core *member, d *draft, set []*member) (*gluer, *typed.Problem, error) {
	g := &gluer{s: s, d: d, set: set, core: core, tail: map[string]int{}}
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
// Head's tests are never repaired: they must stay what they are, and what they
// call may have to stay callable.
func (g *gluer) repair(p typed.Problem) bool {
	if g.s.isTest(p.Path) {
		return g.keepSignature(p) || g.keepAdded(p)
	}
	if g.core != nil && (g.keepAdded(p) || g.unblank(p) || p.Head >= 0 && g.keepSignature(p)) {
		return true
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
		return g.keepLocal(p) || g.addImport(p) || g.copyGlobal(p.Package, p.Name, p.Path)
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
