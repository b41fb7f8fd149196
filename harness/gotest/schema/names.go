package schema

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
)

// noteUses notes what names of the package and what imports a piece uses.
func (c *composition) noteUses(p *piece, info *types.Info) {
	at := place{p.variant, p.src}
	if c.used[at] == nil {
		c.used[at] = map[string]bool{}
	}
	if c.calls[p.variant] == nil {
		c.calls[p.variant] = map[string]bool{}
	}
	ast.Inspect(p.copied, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := info.Uses[id].(type) {
		case nil:
		case *types.PkgName:
			c.used[at][obj.Imported().Path()] = true
		default:
			if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
				c.calls[p.variant][obj.Name()] = true
			}
		}
		return true
	})
}

// checkNames leaves out the variants whose files would not build on disk
// because of an import or of a function that is gone.
func (c *composition) checkNames() {
	for at := range c.used {
		if _, gone := c.left[at.variant]; gone {
			continue
		}
		if why := c.importsFail(at); why != "" {
			c.leave(at.variant, "it does not build: "+why)
		}
	}
	for k, names := range c.gone {
		for name := range names {
			if c.calls[k][name] || c.outside(k, c.uses.names[name]) {
				c.leave(k, "it does not build: "+name+" is used and gone")
			}
		}
	}
}

// importsFail says why the imports of a variant's file would not do.
func (c *composition) importsFail(at place) string {
	own := c.importsOf(at)
	for path := range c.used[at] {
		if _, ok := own[path]; !ok {
			return strconv.Quote(path) + " is used and not imported"
		}
	}
	for _, path := range slices.Sorted(maps.Keys(own)) {
		if name := own[path]; name == "_" || name == "." || c.used[at][path] {
			continue
		}
		if !c.outside(at.variant, c.uses.imports[at.src][path]) && !c.extraUses(at) {
			return strconv.Quote(path) + " imported and not used"
		}
	}
	return ""
}

// extraUses reports whether the variant adds a function to the file, of whose
// imports nothing is known.
func (c *composition) extraUses(at place) bool {
	return slices.ContainsFunc(c.extras, func(x *extra) bool { return x.variant == at.variant && x.src == at.src })
}

// outside reports whether one of the places lies outside the functions that
// variant k edits or does without.
func (c *composition) outside(k int, at []token.Pos) bool {
	return slices.ContainsFunc(at, func(pos token.Pos) bool { return !c.edited(k, pos) })
}

// edited reports whether a position lies in a function that variant k edits or
// does without.
func (c *composition) edited(k int, pos token.Pos) bool {
	for _, p := range c.of[k] {
		if p.fn.Pos() <= pos && pos < p.fn.End() {
			return true
		}
	}
	for name := range c.gone[k] {
		if obj := c.pkg.Scope().Lookup(name); obj != nil && c.declaredAt(obj, pos) {
			return true
		}
	}
	return false
}

// declaredAt reports whether pos lies in the declaration of a function.
func (c *composition) declaredAt(obj types.Object, pos token.Pos) bool {
	for _, s := range c.sources {
		for _, d := range s.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Name.Pos() == obj.Pos() {
				return fn.Pos() <= pos && pos < fn.End()
			}
		}
	}
	return false
}

// uses is where head uses what may vanish.
type uses struct {
	imports map[*source]map[string][]token.Pos // by import path
	names   map[string][]token.Pos             // declared at the top of the package
}

func (h *head) readUses() uses {
	u := uses{imports: map[*source]map[string][]token.Pos{}, names: map[string][]token.Pos{}}
	bySource := map[*token.File]*source{}
	for _, s := range h.sources {
		bySource[s.tok], u.imports[s] = s, map[string][]token.Pos{}
	}
	for id, obj := range h.info.Uses {
		if p, ok := obj.(*types.PkgName); ok {
			at, path := bySource[h.fset.File(id.Pos())], p.Imported().Path()
			u.imports[at][path] = append(u.imports[at][path], id.Pos())
		} else if obj.Parent() == h.pkg.Scope() {
			u.names[obj.Name()] = append(u.names[obj.Name()], id.Pos())
		}
	}
	return u
}
