package typed

import (
	"go/ast"
	"go/token"
	"slices"
)

// A unit is one declaration of a file, cut into what others can see of it and,
// for a function, its body.
type unit struct {
	decl     int    // index in the file's Decls
	header   string // its text without the body
	body     string
	hasBody  bool
	names    []string // what it declares at package level; a method's own name
	receiver string   // base type of a method
	node     ast.Node // *ast.FuncDecl, ast.Spec, or a const *ast.GenDecl
}

// units returns the declarations of the file in order, imports left out.
func (f *file) units() []*unit {
	f.parse()
	f.unitsOnce.Do(func() {
		for i, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				f.unitList = append(f.unitList, f.funcUnit(i, d))
			case *ast.GenDecl:
				f.unitList = append(f.unitList, f.genUnits(i, d)...)
			}
		}
	})
	return f.unitList
}

func (f *file) text(from, to token.Pos) string { return string(f.src[f.offset(from):f.offset(to)]) }

func (f *file) funcUnit(i int, d *ast.FuncDecl) *unit {
	u := &unit{decl: i, names: []string{d.Name.Name}, receiver: ReceiverName(d), node: d}
	if d.Body == nil {
		u.header = f.text(d.Pos(), d.End())
		return u
	}
	u.header, u.body, u.hasBody = f.text(d.Pos(), d.Body.Lbrace), f.text(d.Body.Lbrace, d.Body.End()), true
	return u
}

// genUnits cuts a group into its specs. Constants stay together: the value of
// one may depend on its place among the others.
func (f *file) genUnits(i int, d *ast.GenDecl) []*unit {
	if d.Tok == token.CONST {
		u := &unit{decl: i, header: f.text(d.Pos(), d.End()), node: d}
		for _, spec := range d.Specs {
			u.names = append(u.names, specNames(spec)...)
		}
		return []*unit{u}
	}
	var out []*unit
	for _, spec := range d.Specs {
		if names := specNames(spec); names != nil {
			header := d.Tok.String() + " " + f.text(spec.Pos(), spec.End())
			out = append(out, &unit{decl: i, header: header, names: names, node: spec})
		}
	}
	return out
}

// specNames is nil for an import.
func specNames(spec ast.Spec) []string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []string{spec.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, id := range spec.Names {
			names = append(names, id.Name)
		}
		return names
	}
	return nil
}

// ReceiverName is the base type of a method's receiver, "" for a function.
func ReceiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// visible are the names through which others notice that the unit differs. An
// exported method also changes what its type implements, for interfaces of
// packages whose text is not at hand; an unexported one can only satisfy an
// interface that names it in this package.
func (u *unit) visible() []string {
	if u.receiver != "" && ast.IsExported(u.names[0]) {
		return []string{u.names[0], u.receiver}
	}
	return u.names
}

// mentions lists every identifier of the header and of the body.
func (u *unit) mentions() (header, body map[string]bool) {
	header, body = map[string]bool{}, map[string]bool{}
	if d, ok := u.node.(*ast.FuncDecl); ok {
		for _, n := range []ast.Node{d.Recv, d.Name, d.Type} {
			if n != ast.Node((*ast.FieldList)(nil)) {
				identsOf(n, header)
			}
		}
		if d.Body != nil {
			identsOf(d.Body, body)
		}
		return header, body
	}
	identsOf(u.node, header)
	return header, body
}

func identsOf(n ast.Node, into map[string]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != "_" {
			into[id.Name] = true
		}
		return true
	})
}

// A pairing relates the units of a file to those of its head version.
type pairing struct {
	head        map[*unit]*unit // edited unit -> the head unit with the same header
	bodies      map[*unit]bool  // edited units of which only the body differs
	gone        []*unit         // of either side, without a partner
	sameImports bool
}

// pair matches units by their header, those with the same body first; head or
// edited may be nil.
func pair(head, edited *file) *pairing {
	p := &pairing{head: map[*unit]*unit{}, bodies: map[*unit]bool{}, sameImports: head != nil && edited != nil && slices.Equal(head.importTexts(), edited.importTexts())}
	left := map[string][]*unit{}
	if head != nil {
		for _, u := range head.units() {
			left[u.header] = append(left[u.header], u)
		}
	}
	take := func(u *unit, i int) {
		all := left[u.header]
		p.head[u] = all[i]
		left[u.header] = slices.Delete(slices.Clone(all), i, i+1)
	}
	var rest []*unit
	if edited != nil {
		for _, u := range edited.units() {
			if i := slices.IndexFunc(left[u.header], func(h *unit) bool { return h.body == u.body && h.hasBody == u.hasBody }); i >= 0 {
				take(u, i)
			} else {
				rest = append(rest, u)
			}
		}
	}
	for _, u := range rest {
		i := slices.IndexFunc(left[u.header], func(h *unit) bool { return h.hasBody == u.hasBody })
		if i < 0 {
			p.gone = append(p.gone, u)
			continue
		}
		take(u, i)
		p.bodies[u] = true
	}
	for _, all := range left {
		p.gone = append(p.gone, all...)
	}
	return p
}

// bodiesOnly reports whether nothing but the inside of functions differs.
func (p *pairing) bodiesOnly() bool { return p.sameImports && len(p.gone) == 0 }

func (f *file) importTexts() []string {
	var out []string
	for _, spec := range f.parse().Imports {
		out = append(out, f.text(spec.Pos(), spec.End()))
	}
	return append(out, f.ast.Name.Name, f.ast.GoVersion)
}

// stubs are the declarations of the file with every function body left out,
// or, where go/types wants one, replaced by one that only ends: `for {}`.
func (f *file) stubs() []ast.Decl {
	f.parse()
	f.stubsOnce.Do(func() {
		for _, d := range f.ast.Decls {
			f.stubList = append(f.stubList, stub(d))
		}
	})
	return f.stubList
}

func stub(d ast.Decl) ast.Decl {
	fn, ok := d.(*ast.FuncDecl)
	if !ok || fn.Body == nil {
		return d
	}
	short := *fn
	short.Body = nil
	if fn.Type.TypeParams != nil || fn.Recv == nil && (fn.Name.Name == "init" || fn.Name.Name == "main") {
		at := fn.Body.Lbrace
		loop := &ast.ForStmt{For: at, Body: &ast.BlockStmt{Lbrace: at, Rbrace: at}}
		short.Body = &ast.BlockStmt{Lbrace: at, List: []ast.Stmt{loop}, Rbrace: fn.Body.Rbrace}
	}
	return &short
}
