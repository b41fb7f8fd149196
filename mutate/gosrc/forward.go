package gosrc

import (
	"context"
	"go/ast"
	"go/types"
	"path"
	"slices"

	"assay/mutate/gosrc/typed"
)

// forward looks for partners once more where head's tests name what the change
// adds: functions that the un-done text held stay, at the end of their file, and
// a function whose old body is back keeps the parameters that it is called with.
// What the unit itself is part of stays in name only and returns zero values, so
// that the tests still miss it.
func (l *climb) forward(ctx context.Context, m *member, core []*member) (trial, error) {
	again := &climb{s: l.s, moved: l.moved, tried: map[string]trial{}, core: m}
	return again.partners(ctx, core)
}

// keepAdded puts a function that only head has, and that un-done members held,
// at the end of its file. Only tests, and functions that were put there, may ask
// for one.
func (g *gluer) keepAdded(p typed.Problem) bool {
	if g.core == nil || !g.s.isTest(p.Path) && !g.inTail(p) {
		return false
	}
	for _, f := range g.s.change.Files {
		syn, ok := g.s.head.Syntax(f.Path)
		if !ok || g.s.isTest(f.Path) {
			continue
		}
		for _, d := range syn.File.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if isFunc && fn.Body != nil && g.asksFor(p, f.Path, fn) && g.isNew(f.Path, fn) {
				return g.append(syn, fn)
			}
		}
	}
	return false
}

// asksFor reports whether a problem is that the function is not there.
func (g *gluer) asksFor(p typed.Problem, file string, fn *ast.FuncDecl) bool {
	switch {
	case fn.Name.Name != p.Name:
		return false
	case fn.Recv != nil:
		return (p.Code == typed.UnknownMember || p.Code == typed.MissingMethod) && typed.ReceiverName(fn) == lookedUpIn(p)
	}
	return p.Code == typed.Undefined && (p.Selector || packageOfFile(g.s.head, file) == packageOfFile(g.s.head, p.Path))
}

// isNew reports that the change adds the function and that some of it is un-done.
func (g *gluer) isNew(file string, fn *ast.FuncDecl) bool {
	if base, ok := g.s.base.Syntax(g.s.oldPath(file)); ok && functionNamed(base.File, funcName(fn)) != nil {
		return false
	}
	return slices.ContainsFunc(g.set, func(m *member) bool { return g.s.overlaps(m, file, fn) })
}

// overlaps reports whether the head side of a member shares bytes with a
// function.
func (s *sides) overlaps(m *member, file string, fn *ast.FuncDecl) bool {
	syn, ok := s.head.Syntax(file)
	if !ok || m.file.Path != file {
		return false
	}
	from, to := m.unit.New.Bytes(m.file.New)
	return from < syn.Offset(fn.End()) && syn.Offset(fn.Pos()) < to
}

// unblank gives an import its name again that glue blanked before what needs it
// was put there.
func (g *gluer) unblank(p typed.Problem) bool {
	head, ok := g.s.head.Syntax(p.Path)
	t := parse(g.d.text(p.Path))
	if !ok || t.file == nil || p.Code != typed.Undefined || !g.inTail(p) {
		return false
	}
	for _, spec := range t.file.Imports {
		if spec.Name == nil || spec.Name.Name != "_" {
			continue
		}
		for _, was := range head.File.Imports {
			if was.Path.Value == spec.Path.Value && importName(head, was) == p.Name {
				from := t.offset(spec.Pos())
				to := t.offset(spec.Path.Pos())
				g.d.splice(p.Path, from, to, "")
				return g.note("import %s in use", spec.Path.Value)
			}
		}
	}
	return false
}

// inTail reports whether a problem stands in what was put at the end of a file.
func (g *gluer) inTail(p typed.Problem) bool {
	from, ok := g.tail[p.Path]
	return ok && p.Offset >= from
}

// append puts a function of head at the end of its file.
func (g *gluer) append(syn *typed.Syntax, fn *ast.FuncDecl) bool {
	text := g.d.text(syn.Path)
	name := funcName(fn)
	if text == nil || slices.Contains(g.kept, path.Join(syn.Path, name)) {
		return false
	}
	if _, known := g.tail[syn.Path]; !known {
		g.tail[syn.Path] = len(text)
	}
	g.kept = append(g.kept, path.Join(syn.Path, name))
	from, body, to := syn.Offset(fn.Pos()), syn.Offset(fn.Body.Lbrace)+1, syn.Offset(fn.End())
	quiet, said := "", "func %s kept"
	if g.s.overlaps(g.core, syn.Path, fn) {
		if cameFrom(g.core, g.s.members) || g.s.replaces(g.core) || g.usedBeside(syn.Info.Defs[fn.Name]) {
			return false // switching it off would take old behaviour away
		}
		quiet, said = returnsZero(syn, fn), "func %s kept, returning zero values at once"
	}
	g.d.splice(syn.Path, len(text), len(text), "\n"+string(syn.Src[from:body])+quiet+string(syn.Src[body:to])+"\n")
	return g.note(said, name)
}

// usedBeside reports whether production text that is not un-done uses a function,
// other than what stays at the end of files.
func (g *gluer) usedBeside(fn types.Object) bool {
	for _, name := range g.s.filesAround([]types.Object{fn}) {
		syn, ok := g.s.head.Syntax(name)
		if !ok || g.s.isTest(name) {
			continue
		}
		for id, obj := range syn.Info.Uses {
			at := g.s.placeOf(syn, id)
			if at == nil || obj != fn {
				continue
			}
			undone := slices.ContainsFunc(g.set, func(m *member) bool { return m.file.Path == name && m.holds(atHead, *at) })
			if around := syn.Func(*at); !undone && (around == nil || !slices.Contains(g.kept, path.Join(name, funcName(around)))) {
				return true
			}
		}
	}
	return false
}

// returnsZero is the statement that ends a function at once.
func returnsZero(syn *typed.Syntax, fn *ast.FuncDecl) string {
	return " if true { return" + addition{syn: syn, path: syn.Path}.zeros(fn.Type.Results) + " };"
}
