package typed

import (
	"go/ast"
	"go/types"
)

// references are which package-level variables and functions each of them
// refers to, by name: what initialisation order is made of. Methods are named
// "T.m".
type references struct {
	to   map[string]map[string]bool
	vars map[string]bool
}

// referencesOf reads the declarations of the files. skip leaves out units that
// were not checked; nil skips none.
func referencesOf(pkg *types.Package, files []*file, info *types.Info, skip func(*unit) bool) references {
	refs := references{to: map[string]map[string]bool{}, vars: map[string]bool{}}
	for _, f := range files {
		for _, u := range f.units() {
			if skip != nil && skip(u) {
				continue
			}
			switch n := u.node.(type) {
			case *ast.FuncDecl:
				key := u.names[0]
				if u.receiver != "" {
					key = u.receiver + "." + key
				}
				refs.add(key, n.Body, pkg, info)
			case *ast.ValueSpec:
				for _, name := range u.names {
					refs.vars[name] = true
					for _, value := range n.Values {
						refs.add(name, value, pkg, info)
					}
				}
			}
		}
	}
	return refs
}

func (r *references) add(key string, n ast.Node, pkg *types.Package, info *types.Info) {
	if n == ast.Node((*ast.BlockStmt)(nil)) {
		return
	}
	if r.to[key] == nil {
		r.to[key] = map[string]bool{}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if name := referenceName(info.Uses[id], pkg); name != "" {
				r.to[key][name] = true
			}
		}
		return true
	})
}

// referenceName names a package-level variable, function or method of pkg.
func referenceName(obj types.Object, pkg *types.Package) string {
	if obj == nil || obj.Pkg() != pkg {
		return ""
	}
	switch obj := obj.(type) {
	case *types.Var:
		if obj.Parent() == pkg.Scope() {
			return obj.Name()
		}
	case *types.Func:
		recv := obj.Signature().Recv()
		if recv == nil {
			return obj.Name()
		}
		t := recv.Type()
		if ptr, ok := t.(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if named, ok := t.(*types.Named); ok {
			return named.Obj().Name() + "." + obj.Name()
		}
	}
	return ""
}

// mayCycle reports whether references that differ from head's could have made
// an initialisation cycle: one of them leads back to where it starts by way of
// a variable.
func (r references) mayCycle(head references) bool {
	next := func(key string) map[string]bool {
		if to, ok := r.to[key]; ok {
			return to
		}
		return head.to[key]
	}
	isVar := func(key string) bool { return r.vars[key] || head.vars[key] }
	for key, to := range r.to {
		for target := range to {
			if head.to[key][target] {
				continue
			}
			back := reachable(target, next)
			if !back[key] {
				continue
			}
			for member := range back {
				if isVar(member) && reachable(member, next)[key] {
					return true
				}
			}
		}
	}
	return false
}

func reachable(from string, next func(string) map[string]bool) map[string]bool {
	seen := map[string]bool{from: true}
	todo := []string{from}
	for len(todo) > 0 {
		key := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for to := range next(key) {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}
