package typed

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Syntax is one file of a World with what its names stand for. Its contents
// are shared and must not be modified.
type Syntax struct {
	Path    string
	Src     []byte
	File    *ast.File // without comments
	Info    *types.Info
	Package *types.Package
	w       *World
	file    *file
}

// Syntax returns the file at a path of the tree. ok is false when no package
// compiles it. A file of several modules' builds is given as the first of them
// sees it; a production file as production sees it.
func (w *World) Syntax(path string) (s *Syntax, ok bool) {
	for _, u := range w.universes {
		src := w.snap.inDir(u, dirOf(path))
		if src == nil {
			continue
		}
		for _, id := range src.nodes() {
			in := w.head[id]
			if f := in.fileOf(path); f != nil {
				return &Syntax{Path: path, Src: f.src, File: f.ast, Info: in.info, Package: in.pkg, w: w, file: f}, true
			}
		}
	}
	return nil, false
}

// Offset is the byte offset of a position of this file.
func (s *Syntax) Offset(pos token.Pos) int { return s.file.offset(pos) }

// Place is where a byte offset of this file stands.
func (s *Syntax) Place(offset int) Place { return placeIn(s.file, offset) }

// Func returns the function declaration around an offset, nil outside one.
func (s *Syntax) Func(offset int) *ast.FuncDecl {
	for _, d := range s.File.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && s.Offset(fn.Pos()) <= offset && offset < s.Offset(fn.End()) {
			return fn
		}
	}
	return nil
}

// An Ident is one identifier of a file and what it stands for.
type Ident struct {
	Place
	Name    string
	Object  types.Object // nil when it has none: a package clause, a label, a name that is undefined
	Defines bool         // it declares the object
	Decl    Place        // where the object is declared; zero when it is predeclared
	InTree  bool         // Decl is a file of the tree
}

// Line returns the identifiers of a line, from 1, in order.
func (s *Syntax) Line(line int) []Ident {
	from, to := lineRange(s.Src, line)
	return s.Idents(from, to)
}

func lineRange(src []byte, line int) (from, to int) {
	for ; line > 1; line-- {
		i := bytes.IndexByte(src[from:], '\n')
		if i < 0 {
			return len(src), len(src)
		}
		from += i + 1
	}
	if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
		return from, from + i
	}
	return from, len(src)
}

// Idents returns the identifiers that start in bytes [from,to), in order.
func (s *Syntax) Idents(from, to int) []Ident {
	var out []Ident
	ast.Inspect(s.File, func(n ast.Node) bool {
		if n == nil || s.Offset(n.Pos()) >= to && n != ast.Node(s.File) {
			return false
		}
		if n != ast.Node(s.File) && s.Offset(n.End()) < from {
			return false
		}
		if id, ok := n.(*ast.Ident); ok && s.Offset(id.Pos()) >= from {
			out = append(out, s.ident(id))
		}
		return true
	})
	slices.SortFunc(out, func(a, b Ident) int { return a.Offset - b.Offset })
	return out
}

func (s *Syntax) ident(id *ast.Ident) Ident {
	out := Ident{Place: s.Place(s.Offset(id.Pos())), Name: id.Name}
	if obj := s.Info.Defs[id]; obj != nil {
		out.Object, out.Defines = obj, true
	} else {
		out.Object = s.Info.Uses[id]
	}
	if out.Object != nil {
		out.Decl, out.InTree = s.w.Declared(out.Object)
	}
	return out
}

// Declared returns where an object is declared. The object may be of any
// package a World loaded; inTree is false for those from export data, of which
// only the file and line are known, and for predeclared ones, which have no
// place at all.
func (w *World) Declared(obj types.Object) (at Place, inTree bool) {
	if !obj.Pos().IsValid() {
		return Place{}, false
	}
	p := w.cache.fset.PositionFor(obj.Pos(), false)
	if f := w.snap.file(w.universes, p.Filename); f != nil && f.holds(obj.Pos()) {
		return placeIn(f, f.offset(obj.Pos())), true
	}
	return Place{Path: p.Filename, Line: p.Line, Col: p.Column, Offset: p.Offset}, false
}

// Package returns the production package of an import path as the tree's own
// code sees it, nil when the tree has none.
func (w *World) Package(path string) *types.Package {
	for _, u := range w.universes {
		if in := w.head[nodeID{u: u, path: path, kind: production}]; in != nil {
			return in.pkg
		}
	}
	return nil
}

// Content returns the text of a Go file of the tree, nil when no package holds
// it.
func (w *World) Content(path string) []byte {
	if f := w.snap.file(w.universes, path); f != nil {
		return f.src
	}
	return nil
}
