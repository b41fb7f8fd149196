package schema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
)

// batch is how many pieces are checked at once: it bounds what go/types keeps.
const batch = 256

// checkCopies checks each piece as a function of its own beside head's
// declarations, and leaves out the variants that would not build on disk.
func (c *composition) checkCopies() {
	for pieces := range slices.Chunk(slices.Clone(c.pieces), batch) {
		c.checkBatch(pieces)
	}
	c.checkNames()
}

func (c *composition) checkBatch(pieces []*piece) {
	owner := map[*token.File]*piece{}
	copies := map[*source][]ast.Decl{}
	for i, p := range pieces {
		owner[p.tok] = p
		p.copied.Name = &ast.Ident{NamePos: p.copied.Name.NamePos, Name: fmt.Sprintf("assayCopy%d", i)}
		copies[p.src] = append(copies[p.src], p.copied)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	fset := c.fset
	_, errs := c.check(fset, c.declarations(fset, copies), info)
	for _, err := range errs {
		tok := fset.File(err.Pos)
		if p := owner[tok]; p != nil {
			c.leave(p.variant, "it does not build: "+err.Msg)
		}
		for _, x := range slices.Clone(c.extras) {
			if x.tok == tok || c.twin(x, tok) {
				c.leave(x.variant, "it does not build: "+err.Msg)
			}
		}
	}
	for _, p := range pieces {
		if _, gone := c.left[p.variant]; !gone {
			c.noteUses(p, info)
			c.checkDefine(p, info)
		}
	}
}

// declarations parses head anew, without the bodies of its functions, and adds
// the copies to the files they belong to, so that they see its imports, and the
// imports that only variants have.
func (c *composition) declarations(fset *token.FileSet, copies map[*source][]ast.Decl) []*ast.File {
	var files []*ast.File
	for _, f := range c.Files {
		// It parsed before.
		parsed, _ := parser.ParseFile(fset, f.Name, f.Text, parser.SkipObjectResolution)
		for _, d := range parsed.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				fn.Body = nil
			}
		}
		src := c.sources[f.Path]
		for _, spec := range c.added(src) {
			parsed.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}}}, parsed.Decls...)
		}
		parsed.Decls = append(parsed.Decls, copies[src]...)
		for _, x := range c.extrasOf(src) {
			parsed.Decls = append(parsed.Decls, x.copied)
		}
		files = append(files, parsed)
	}
	return files
}

// checkDefine drops the define guards of a piece whose types differ between
// head and variant, or cannot be written elsewhere in the package.
func (c *composition) checkDefine(p *piece, info *types.Info) {
	p.guards = slices.DeleteFunc(p.guards, func(g guard) bool {
		if g.form != define {
			return false
		}
		shift := len(clause) - p.src.off(p.fn.Pos())
		var found *ast.AssignStmt
		ast.Inspect(p.copied.Body, func(n ast.Node) bool {
			if at, ok := n.(*ast.AssignStmt); ok && p.tok.Offset(at.Pos()) == g.lo+shift {
				found = at
			}
			return found == nil
		})
		return found == nil || mentions(found.Rhs, g.vars) || !c.sameTypes(g.vars, found, info)
	})
}

func (c *composition) sameTypes(vars []*ast.Ident, found *ast.AssignStmt, info *types.Info) bool {
	for _, v := range vars {
		i := slices.IndexFunc(found.Lhs, func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == v.Name })
		if i < 0 {
			return false
		}
		id, _ := found.Lhs[i].(*ast.Ident)
		was, now := c.info.Defs[v], info.Defs[id]
		if was == nil || now == nil || !c.nameable(was.Type()) || !c.nameable(now.Type()) || c.typeText(was.Type()) != c.typeText(now.Type()) {
			return false
		}
	}
	return true
}

// extrasOf returns the functions that variants add to a file, each name once.
func (c *composition) extrasOf(src *source) []*extra {
	var all []*extra
	for _, x := range c.extras {
		if x.src == src && !slices.ContainsFunc(all, func(o *extra) bool { return o.name == x.name }) {
			all = append(all, x)
		}
	}
	return all
}

// twin reports whether x stands for the same function as the extra in tok.
func (c *composition) twin(x *extra, tok *token.File) bool {
	return slices.ContainsFunc(c.extras, func(o *extra) bool { return o.tok == tok && o.name == x.name })
}
