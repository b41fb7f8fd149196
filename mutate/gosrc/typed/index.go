package typed

import (
	"go/ast"
	"go/types"
	"maps"
)

// An index says, for an instance of head, who mentions which name. It is what
// lets a later check leave out the bodies that cannot notice a difference.
type index struct {
	headers map[string][]*unit
	bodies  map[string][]*unit
	imports map[*unit]map[int]bool // which imports of its file a body uses, by their number
	refs    references
}

func (in *instance) index() *index {
	in.indexOnce.Do(func() {
		x := &index{headers: map[string][]*unit{}, bodies: map[string][]*unit{}, imports: map[*unit]map[int]bool{}}
		for _, f := range in.files {
			specs := importNumbers(f)
			for _, u := range f.units() {
				header, body := u.mentions()
				for name := range header {
					x.headers[name] = append(x.headers[name], u)
				}
				for name := range body {
					x.bodies[name] = append(x.bodies[name], u)
				}
				x.imports[u] = usedImports(u, in.info, specs)
			}
		}
		x.refs = referencesOf(in.pkg, in.files, in.info, nil)
		in.idx = x
	})
	return in.idx
}

// importNumbers maps the place of the package name of each import to its
// number in the file.
func importNumbers(f *file) map[int]int {
	at := map[int]int{}
	for i, spec := range f.parse().Imports {
		at[int(spec.Pos())] = i
	}
	return at
}

func usedImports(u *unit, info *types.Info, specs map[int]int) map[int]bool {
	fn, ok := u.node.(*ast.FuncDecl)
	if !ok || fn.Body == nil {
		return nil
	}
	used := map[int]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pkg, ok := info.Uses[id].(*types.PkgName); ok {
				used[specs[int(pkg.Pos())]] = true
			}
		}
		return true
	})
	return used
}

// affected returns the units of head whose bodies could notice that the named
// things differ: they mention one, or they mention something whose own header
// mentions one, and so on. Every type in a body comes from a name in it or in
// its header, so nothing else can. known are all the names met.
func (x *index) affected(names []string) (units map[*unit]bool, known map[string]bool) {
	known = map[string]bool{}
	headers, bodies := map[*unit]bool{}, map[*unit]bool{}
	for len(names) > 0 {
		name := names[len(names)-1]
		names = names[:len(names)-1]
		if known[name] || name == "_" || name == "init" {
			continue
		}
		known[name] = true
		for _, u := range x.bodies[name] {
			bodies[u] = true
		}
		for _, u := range x.headers[name] {
			if !headers[u] {
				headers[u] = true
				names = append(names, u.visible()...)
			}
		}
	}
	maps.Copy(bodies, headers)
	return bodies, known
}
