package typed

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A fingerprint is what importers of a package can see of it: the text of all
// that its exported names lead to, and the packages that text speaks of. Two
// instances are interchangeable for importers when the texts are equal and
// speak of the very same packages.
type fingerprint struct {
	text string
	refs map[*types.Package]bool // other packages only
}

// sameAPI reports whether importers cannot tell in from head.
func (in *instance) sameAPI(head *instance) bool {
	a, b := in.fingerprint(), head.fingerprint()
	return a.text == b.text && maps.Equal(a.refs, b.refs)
}

func (in *instance) fingerprint() fingerprint {
	in.apiOnce.Do(func() { in.api = fingerprintOf(in.pkg) })
	return in.api
}

// A printer writes declarations, following named types of its own package to
// their declarations in turn, exported or not: an exported function may return
// an unexported type, and its methods can be called.
type printer struct {
	pkg  *types.Package
	out  strings.Builder
	refs map[*types.Package]bool
	seen map[types.Object]bool
	todo []*types.TypeName
}

func fingerprintOf(pkg *types.Package) fingerprint {
	p := &printer{pkg: pkg, refs: map[*types.Package]bool{}, seen: map[types.Object]bool{}}
	p.out.WriteString(pkg.Name() + "\n")
	for _, name := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(name); obj.Exported() {
			p.object(obj)
		}
	}
	for len(p.todo) > 0 {
		next := p.todo[0]
		p.todo = p.todo[1:]
		p.object(next)
	}
	return fingerprint{text: p.out.String(), refs: p.refs}
}

func (p *printer) object(obj types.Object) {
	if p.seen[obj] {
		return
	}
	p.seen[obj] = true
	fmt.Fprintf(&p.out, "%s %s %s", kindOf(obj), obj.Name(), p.typ(obj.Type()))
	switch obj := obj.(type) {
	case *types.Const:
		fmt.Fprintf(&p.out, " = %s", obj.Val().ExactString())
	case *types.TypeName:
		p.typeName(obj)
	}
	p.out.WriteByte('\n')
}

func kindOf(obj types.Object) string {
	switch obj.(type) {
	case *types.Const:
		return "const"
	case *types.Var:
		return "var"
	case *types.Func:
		return "func"
	}
	return "type"
}

// typeName writes what a type is, its type parameters, and its methods.
func (p *printer) typeName(obj *types.TypeName) {
	if alias, ok := obj.Type().(*types.Alias); ok {
		fmt.Fprintf(&p.out, "%s = %s", p.params(alias.TypeParams()), p.typ(alias.Rhs()))
		return
	}
	named, ok := obj.Type().(*types.Named)
	if !ok {
		return
	}
	fmt.Fprintf(&p.out, "%s %s", p.params(named.TypeParams()), p.typ(named.Underlying()))
	methods := slices.Collect(named.Methods())
	slices.SortFunc(methods, func(a, b *types.Func) int { return strings.Compare(a.Id(), b.Id()) })
	for _, m := range methods {
		fmt.Fprintf(&p.out, "; %s %s %s", m.Name(), p.typ(m.Signature().Recv().Type()), p.typ(m.Type()))
	}
}

func (p *printer) params(list *types.TypeParamList) string {
	var out []string
	for t := range list.TypeParams() {
		out = append(out, t.Obj().Name()+" "+p.typ(t.Constraint()))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// typ writes a type and notes what it speaks of.
func (p *printer) typ(t types.Type) string {
	p.walk(t)
	return types.TypeString(t, nil)
}

// walk notes the packages of the named types in t, and queues those of the
// package itself. It stops at names: what they are is written by themselves.
func (p *printer) walk(t types.Type) {
	switch t := t.(type) {
	case *types.Named:
		p.named(t.Origin().Obj())
		for arg := range t.TypeArgs().Types() {
			p.walk(arg)
		}
	case *types.Alias:
		p.named(t.Origin().Obj())
		for arg := range t.TypeArgs().Types() {
			p.walk(arg)
		}
	case *types.Pointer:
		p.walk(t.Elem())
	case *types.Slice:
		p.walk(t.Elem())
	case *types.Array:
		p.walk(t.Elem())
	case *types.Chan:
		p.walk(t.Elem())
	case *types.Map:
		p.walk(t.Key())
		p.walk(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			p.walk(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			p.walk(f.Type())
		}
	case *types.Signature:
		p.signature(t)
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			p.walk(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			p.walk(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			p.walk(term.Type())
		}
	}
}

func (p *printer) signature(t *types.Signature) {
	for param := range t.TypeParams().TypeParams() {
		p.walk(param.Constraint())
	}
	p.walk(t.Params())
	p.walk(t.Results())
}

func (p *printer) named(obj *types.TypeName) {
	switch {
	case obj.Pkg() == p.pkg && obj.Parent() == p.pkg.Scope():
		p.todo = append(p.todo, obj)
	case obj.Pkg() != p.pkg && obj.Pkg() != nil:
		p.refs[obj.Pkg()] = true
	}
}
