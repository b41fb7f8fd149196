package gosrc

import (
	"go/ast"
	"go/token"
	"strings"

	"assay/change"
	"assay/mutate"
)

// sections cuts the file at its declarations. A file that does not parse has
// none.
func (t *text) sections() []mutate.Section {
	if t.file == nil || t.cutted {
		return t.cuts
	}
	t.cutted = true
	last := 0
	if n := t.lastConstraint(); n > 0 {
		t.cuts = append(t.cuts, mutate.Section{Key: "constraint", Name: "build constraint", First: 1, Last: n})
		last = n
	}
	clause := t.line(t.file.Name.End())
	t.cuts = append(t.cuts, mutate.Section{Key: "package", Name: "package clause", First: last + 1, Last: clause})
	last = clause
	for _, d := range t.file.Decls {
		s := t.section(d)
		s.First, s.Last = last+1, t.line(d.End()-1)
		if t.line(d.Pos()) <= last { // shares a line with the one before
			prev := &t.cuts[len(t.cuts)-1]
			prev.Key, prev.Name, prev.Last, prev.Parts = "", prev.Name+", "+s.Name, s.Last, nil
		} else {
			t.cuts = append(t.cuts, s)
		}
		last = s.Last
	}
	t.cuts[len(t.cuts)-1].Last = max(last, change.CountLines(t.src))
	blurTwins(t.cuts)
	return t.cuts
}

// lastConstraint is the line of the last build constraint before the package
// clause, or 0.
func (t *text) lastConstraint() int {
	last := 0
	for _, g := range t.file.Comments {
		for _, c := range g.List {
			if c.Pos() < t.file.Package && directive.MatchString(c.Text) {
				last = t.line(c.End() - 1)
			}
		}
	}
	return last
}

// blurTwins takes the key from sections that share one.
func blurTwins(s []mutate.Section) {
	count := map[string]int{}
	for _, x := range s {
		count[x.Key]++
	}
	for i := range s {
		if count[s[i].Key] > 1 {
			s[i].Key = ""
		}
	}
}

func (t *text) section(d ast.Decl) mutate.Section {
	switch d := d.(type) {
	case *ast.FuncDecl:
		s := mutate.Section{Key: "func " + funcName(d), Name: "func " + funcName(d)}
		if d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "_") {
			s.Key = ""
		}
		return s
	case *ast.GenDecl:
		s := mutate.Section{Key: d.Tok.String() + " " + specNames(d.Specs...), Parts: t.parts(d)}
		s.Name = s.Key
		if d.Tok == token.IMPORT {
			s.Key, s.Name = "import", "imports"
		}
		return s
	}
	return mutate.Section{}
}

// parts cuts a group of specs, unless the place of a spec within the group
// means something.
func (t *text) parts(d *ast.GenDecl) []mutate.Section {
	if !d.Lparen.IsValid() || len(d.Specs) < 2 || d.Tok == token.CONST && counts(d) {
		return nil
	}
	last := t.line(d.Lparen)
	var out []mutate.Section
	for _, s := range d.Specs {
		name := d.Tok.String() + " " + specNames(s)
		if t.line(s.Pos()) <= last {
			return nil
		}
		out = append(out, mutate.Section{Key: name, Name: name, First: last + 1, Last: t.line(s.End() - 1)})
		last = out[len(out)-1].Last
	}
	if t.line(d.Rparen) <= last {
		return nil
	}
	out[len(out)-1].Last = t.line(d.Rparen) - 1
	blurTwins(out)
	return out
}

// counts reports whether a const group uses iota or repeats a value silently.
func counts(d *ast.GenDecl) bool {
	found := false
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec) //nolint:forcetypeassert // const groups hold value specs
		found = found || len(v.Values) == 0
		for _, e := range v.Values {
			ast.Inspect(e, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && id.Name == "iota"
				return true
			})
		}
	}
	return found
}

// funcName is "trim" or "Lexer.next".
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return receiver(d.Recv.List[0].Type) + "." + d.Name.Name
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

func specNames(specs ...ast.Spec) string {
	var names []string
	for _, s := range specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			for _, id := range s.Names {
				names = append(names, id.Name)
			}
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
		case *ast.ImportSpec:
			names = append(names, s.Path.Value)
		}
	}
	if len(names) > 3 {
		names = append(names[:3:3], "…")
	}
	return strings.Join(names, ", ")
}
