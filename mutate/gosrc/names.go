package gosrc

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"assay/change"
)

// names lists what the unit defines differently on its two sides, and every
// identifier either side mentions. Locals and parameters carry the name of
// their function ("trim/i"), so that they couple only inside it; methods and
// fields stand by their plain names, which may couple too much but never too
// little.
func names(u *change.Unit, old, neu *text) (defines, uses []string) {
	a, b := sideOf(old, u.Old), sideOf(neu, u.New)
	def, use := map[string]bool{}, map[string]bool{}
	for _, pair := range [][2]side{{a, b}, {b, a}} {
		for name, what := range pair[0].defines {
			if other, ok := pair[1].defines[name]; !ok || other != what {
				def[name] = true
			}
		}
		maps.Copy(use, pair[0].uses)
	}
	decls := union(a.decls, b.decls)
	for _, d := range decls {
		scoped := u.Hunk.File.Path + "#" + d
		use[scoped] = true
		if len(decls) > 1 {
			def[scoped] = true // couples with whatever else changes inside one of them
		}
	}
	return slices.Sorted(maps.Keys(def)), slices.Sorted(maps.Keys(use))
}

// declarationOf is the declaration around the unit, at head when it has any
// text there.
func declarationOf(u *change.Unit, old, neu *text) string {
	for _, decls := range [][]string{sideOf(neu, u.New).decls, sideOf(old, u.Old).decls} {
		if len(decls) > 0 {
			return decls[0]
		}
	}
	return ""
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// A side is the names in some lines of one version of a file.
type side struct {
	t          *text
	start, end int
	scope      string
	decls      []string
	defines    map[string]string // name -> how it is defined
	uses       map[string]bool
}

func sideOf(t *text, s change.Span) side {
	out := side{t: t, defines: map[string]string{}, uses: map[string]bool{}}
	if t.file == nil || s.Lines == 0 {
		return out
	}
	out.start, out.end = s.Bytes(t.src)
	for _, d := range t.file.Decls {
		from, to := t.declRange(d)
		if to > out.start && from < out.end {
			out.declaration(d)
		}
	}
	return out
}

// touches reports whether the node shares a byte with the lines.
func (s *side) touches(n ast.Node) bool {
	return s.t.offset(n.End()) > s.start && s.t.offset(n.Pos()) < s.end
}

func (s *side) source(n ast.Node) string {
	return strings.Join(strings.Fields(string(s.t.src[s.t.offset(n.Pos()):s.t.offset(n.End())])), " ")
}

func (s *side) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		s.scope = funcName(d)
		s.decls = append(s.decls, s.scope)
		s.function(d)
		s.locals(d)
	case *ast.GenDecl:
		s.scope = ""
		all := d.Tok == token.CONST && counts(d)
		for _, spec := range d.Specs {
			if all || s.touches(spec) {
				s.spec(spec)
			}
		}
	}
	s.mentions(d)
}

func (s *side) function(d *ast.FuncDecl) {
	if !s.touches(d.Type) {
		return
	}
	sig := s.source(d.Type)
	if d.Recv != nil {
		sig = s.source(d.Recv) + sig
	}
	s.defines[d.Name.Name] = sig
	for _, f := range d.Type.Params.List {
		for _, id := range f.Names {
			s.defines[s.scope+"/"+id.Name] = s.source(f.Type)
		}
	}
}

func (s *side) spec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ImportSpec:
		for _, n := range localNames(spec) {
			s.defines[n] = spec.Path.Value
		}
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			s.decls = append(s.decls, id.Name)
			s.defines[id.Name] = s.source(spec)
		}
	case *ast.TypeSpec:
		s.decls = append(s.decls, spec.Name.Name)
		s.typeSpec(spec)
	}
}

// typeSpec defines the touched members of a struct or interface one by one,
// and the type itself when its first line is touched.
func (s *side) typeSpec(spec *ast.TypeSpec) {
	var members *ast.FieldList
	var head string
	switch x := spec.Type.(type) {
	case *ast.StructType:
		members, head = x.Fields, "struct"
	case *ast.InterfaceType:
		members, head = x.Methods, "interface"
	default:
		s.defines[spec.Name.Name] = s.source(spec)
		return
	}
	if s.touches(spec.Name) {
		s.defines[spec.Name.Name] = head
	}
	for _, f := range members.List {
		if !s.touches(f) {
			continue
		}
		if len(f.Names) == 0 { // embedding gives the type new methods
			s.defines[spec.Name.Name] += " " + s.source(f)
		}
		for _, id := range f.Names {
			s.defines[id.Name] = s.source(f)
		}
	}
}

// locals defines the variables that touched statements assign.
func (s *side) locals(d *ast.FuncDecl) {
	if d.Body == nil {
		return
	}
	define := func(e ast.Expr, how ast.Node) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			s.defines[s.scope+"/"+id.Name] += s.source(how) + ";"
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if n == nil || !s.touches(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				define(e, n)
			}
		case *ast.IncDecStmt:
			define(n.X, n)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				define(id, n)
			}
		case *ast.RangeStmt:
			define(n.Key, n.X)
			define(n.Value, n.X)
		}
		return true
	})
}

// mentions adds every identifier of the lines inside d, by its plain name and,
// in a function, by its scoped one.
func (s *side) mentions(d ast.Decl) {
	from, to := s.t.declRange(d)
	for _, tk := range s.t.tokens {
		if tk.kind != token.IDENT || tk.start < max(from, s.start) || tk.start >= min(to, s.end) {
			continue
		}
		s.uses[tk.lit] = true
		if s.scope != "" {
			s.uses[s.scope+"/"+tk.lit] = true
		}
	}
}
