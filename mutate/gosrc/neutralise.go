package gosrc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// A neutral form keeps a pure addition in name, so that everything that uses
// it compiles, and takes its behaviour away.
type neutral struct {
	edits []change.Edit
	words string
	decls []types.Object // what it declares that others can use
}

// neutralise returns the neutral form of a pure addition, false when there is
// none. Text that replaces other text has none: switching it off would take
// the old behaviour away as well.
func (s *sides) neutralise(m *member) (neutral, bool) {
	if m.file.Status == change.Deleted {
		return neutral{}, false
	}
	syn, ok := s.head.Syntax(m.file.Path)
	if !ok {
		return neutral{}, false
	}
	from, to := m.unit.New.Bytes(m.file.New)
	added := addition{syn: syn, path: m.file.Path, from: from, to: to}
	if m.code[atBase] {
		specs, ok := s.regrouped(m, added)
		if !ok {
			return neutral{}, false
		}
		return added.group(specs)
	}
	switch decls := added.declared(); len(decls) {
	case 0:
		return added.statements()
	case 1:
		return added.declaration(decls[0])
	default:
		return added.group(decls)
	}
}

// An addition is the new lines of a pure addition.
type addition struct {
	syn      *typed.Syntax
	path     string
	from, to int
}

func (a addition) inside(n ast.Node) bool {
	return a.from <= a.syn.Offset(n.Pos()) && a.syn.Offset(n.End()) <= a.to
}

func (a addition) text(n ast.Node) string {
	return string(a.syn.Src[a.syn.Offset(n.Pos()):a.syn.Offset(n.End())])
}

func (a addition) insert(at int, text string) change.Edit {
	return change.Edit{Path: a.path, Start: at, End: at, Text: []byte(text)}
}

// declared are the declarations inside the addition, the specs of a group one
// by one.
func (a addition) declared() []ast.Node {
	var found []ast.Node
	for _, d := range a.syn.File.Decls {
		g, isGroup := d.(*ast.GenDecl)
		if !isGroup {
			if a.inside(d) {
				found = append(found, d)
			}
			continue
		}
		for _, spec := range g.Specs {
			if a.inside(spec) {
				found = append(found, spec)
			}
		}
	}
	return found
}

// group takes the values of several constants and variables away that could
// not be told apart; functions among them must be judged one at a time.
func (a addition) group(decls []ast.Node) (neutral, bool) {
	out := neutral{words: "initialised with zero, all of them"}
	for _, d := range decls {
		n, ok := neutral{}, true
		switch d := d.(type) {
		case *ast.ValueSpec:
			n, ok = a.values(d)
		case *ast.TypeSpec:
			n, _ = a.tags(d)
		default:
			ok = false
		}
		if !ok {
			return neutral{}, false
		}
		out.edits = append(out.edits, n.edits...)
		out.decls = append(out.decls, n.decls...)
	}
	return out, len(out.edits) > 0
}

func (a addition) declaration(n ast.Node) (neutral, bool) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return a.function(n)
	case *ast.ValueSpec:
		if g := a.groupOf(n); g != nil && len(n.Values) == 0 && g.Tok == token.CONST {
			return a.apart(n, g)
		}
		return a.values(n)
	case *ast.TypeSpec:
		return a.tags(n)
	}
	return neutral{}, false
}

// function returns zero values at the start of the body.
func (a addition) function(fn *ast.FuncDecl) (neutral, bool) {
	if fn.Body == nil {
		return neutral{}, false
	}
	text := " if true { return" + a.zeros(fn.Type.Results) + " };"
	out := neutral{words: "body returns zero values at once", decls: []types.Object{a.syn.Info.Defs[fn.Name]}}
	out.edits = []change.Edit{a.insert(a.syn.Offset(fn.Body.Lbrace)+1, text)}
	return out, true
}

// zeros are the zero values of results; none for named ones, which a bare
// return gives back as they are, zero.
func (a addition) zeros(results *ast.FieldList) string {
	if results == nil || len(results.List) == 0 || len(results.List[0].Names) > 0 {
		return ""
	}
	var out []string
	for _, f := range results.List {
		out = append(out, "*new("+a.text(f.Type)+")")
	}
	return " " + strings.Join(out, ", ")
}

// tags takes the struct tags of a new type away; the rest of a type has no
// behaviour of its own.
func (a addition) tags(spec *ast.TypeSpec) (neutral, bool) {
	out := neutral{words: "struct tags taken away", decls: []types.Object{a.syn.Info.Defs[spec.Name]}}
	ast.Inspect(spec, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && f.Tag != nil {
			out.edits = append(out.edits, change.Edit{Path: a.path, Start: a.syn.Offset(f.Tag.Pos()), End: a.syn.Offset(f.Tag.End())})
		}
		return true
	})
	return out, len(out.edits) > 0
}

// statements guards a run of statements of one list with `if false`, and
// declares before it what later statements use of it.
func (a addition) statements() (neutral, bool) {
	run, rest := a.run()
	if len(run) == 0 {
		return neutral{}, false
	}
	out := neutral{words: "statements guarded by if false"}
	var hoisted []string
	for _, stmt := range run {
		words, edits, decls, ok := a.hoist(stmt, rest)
		if !ok {
			return neutral{}, false
		}
		hoisted = append(hoisted, words...)
		out.edits = append(out.edits, edits...)
		out.decls = append(out.decls, decls...)
	}
	before := a.insert(a.syn.Offset(run[0].Pos()), strings.Join(hoisted, "")+"if false { ")
	after := a.insert(a.syn.Offset(run[len(run)-1].End()), " }")
	out.edits = append(append([]change.Edit{before}, out.edits...), after)
	return out, true
}

// statementsOf are the statements of a block or of a case.
func statementsOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// run are the statements of one list that are the whole addition, and those
// that follow them in the list.
func (a addition) run() (run, rest []ast.Stmt) {
	ast.Inspect(a.syn.File, func(n ast.Node) bool {
		list := statementsOf(n)
		first := slices.IndexFunc(list, func(s ast.Stmt) bool { return a.inside(s) })
		if first < 0 || isClause(list[first]) || run != nil {
			return run == nil
		}
		last := first
		for last+1 < len(list) && a.inside(list[last+1]) {
			last++
		}
		run, rest = list[first:last+1], list[last+1:]
		return false
	})
	if len(run) == 0 || hasCode(a.syn.Src[a.from:a.syn.Offset(run[0].Pos())]) || hasCode(a.syn.Src[a.syn.Offset(run[len(run)-1].End()):a.to]) {
		return nil, nil
	}
	return run, rest
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// hoist declares the variables of a statement before the guard when rest uses
// them. ok is false for a statement whose names cannot be declared apart.
func (a addition) hoist(stmt ast.Stmt, rest []ast.Stmt) (words []string, edits []change.Edit, decls []types.Object, ok bool) {
	var names []*ast.Ident
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		if stmt.Tok != token.DEFINE {
			return nil, nil, nil, true
		}
		for _, e := range stmt.Lhs {
			if id, isIdent := e.(*ast.Ident); isIdent && a.syn.Info.Defs[id] != nil && id.Name != "_" {
				names = append(names, id)
			}
		}
		if !a.usedIn(names, rest) {
			return nil, nil, nil, true
		}
		edits = []change.Edit{{Path: a.path, Start: a.syn.Offset(stmt.TokPos), End: a.syn.Offset(stmt.TokPos) + len(":="), Text: []byte("=")}}
	case *ast.DeclStmt:
		g, isGen := stmt.Decl.(*ast.GenDecl)
		if !isGen {
			return nil, nil, nil, false
		}
		for _, spec := range g.Specs {
			if v, isValue := spec.(*ast.ValueSpec); isValue {
				names = append(names, v.Names...)
			}
		}
		return nil, nil, nil, g.Tok == token.VAR && !a.usedIn(names, rest)
	case *ast.LabeledStmt:
		return nil, nil, nil, false
	default:
		return nil, nil, nil, true
	}
	for _, id := range names {
		t, known := a.typeText(a.syn.Info.Defs[id].Type())
		if !known {
			return nil, nil, nil, false
		}
		words = append(words, fmt.Sprintf("var %s %s; _ = %s; ", id.Name, t, id.Name))
		decls = append(decls, a.syn.Info.Defs[id])
	}
	return words, edits, decls, true
}

func (a addition) usedIn(names []*ast.Ident, rest []ast.Stmt) bool {
	found := false
	for _, stmt := range rest {
		ast.Inspect(stmt, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if ok {
				used := a.syn.Info.Uses[id]
				found = found || used != nil && slices.ContainsFunc(names, func(d *ast.Ident) bool { return a.syn.Info.Defs[d] == used })
			}
			return !found
		})
	}
	return found
}
