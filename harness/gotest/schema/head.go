package schema

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// A source is one file of head, parsed.
type source struct {
	File
	ast *ast.File
	tok *token.File
	odd string // why no edit of it can be embedded, "" when it can
}

// off is the byte offset of a position in the file.
func (s *source) off(p token.Pos) int { return s.tok.Offset(p) }

// line and column of a byte offset, from 1.
func (s *source) place(off int) (line, column int) {
	line = s.tok.Line(s.tok.Pos(off))
	return line, off - s.off(s.tok.LineStart(line)) + 1
}

// A head is a package at head, checked.
type head struct {
	Package
	name    string // of the package
	fset    *token.FileSet
	sources map[string]*source // by File.Path
	info    *types.Info
	pkg     *types.Package
}

func readHead(p Package) (*head, error) {
	h := &head{Package: p, fset: token.NewFileSet(), sources: map[string]*source{},
		info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}}
	var files []*ast.File
	for _, f := range p.Files {
		parsed, err := parser.ParseFile(h.fset, f.Name, f.Text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("read %s at head: %w", f.Path, err)
		}
		s := &source{File: f, ast: parsed, tok: h.fset.File(parsed.FileStart), odd: oddity(f.Text)}
		h.sources[f.Path], h.name = s, parsed.Name.Name
		files = append(files, parsed)
	}
	pkg, errs := h.check(h.fset, files, h.info)
	if len(errs) > 0 {
		return nil, fmt.Errorf("check %s at head: %w", p.ImportPath, errs[0])
	}
	h.pkg = pkg
	return h, nil
}

// oddity says why positions of a file cannot be trusted.
func oddity(text []byte) string {
	if bytes.Contains(text, []byte("//line ")) || bytes.Contains(text, []byte("/*line ")) {
		return "it has line directives of its own"
	}
	return ""
}

// check checks files as this package and returns every error.
func (h *head) check(fset *token.FileSet, files []*ast.File, info *types.Info) (*types.Package, []types.Error) {
	var errs []types.Error
	conf := types.Config{
		GoVersion: h.GoVersion, Importer: withRuntime{h.Importer}, Sizes: h.Sizes,
		Error: func(err error) {
			var one types.Error
			if errors.As(err, &one) {
				errs = append(errs, one)
			}
		},
	}
	pkg, _ := conf.Check(h.ImportPath, fset, files, info) // its error is the first of errs
	return pkg, errs
}

// withRuntime is an importer that knows the runtime of the guards.
type withRuntime struct{ types.Importer }

// Import returns the package of path.
func (w withRuntime) Import(path string) (*types.Package, error) {
	if path == RuntimePath {
		return runtimePackage(), nil
	}
	return w.Importer.Import(path)
}

// runtimePackage is what the guards may call.
func runtimePackage() *types.Package {
	p := types.NewPackage(RuntimePath, RuntimePath)
	k := types.NewTuple(types.NewParam(token.NoPos, p, "k", types.Typ[types.Int]))
	yes := types.NewTuple(types.NewParam(token.NoPos, p, "", types.Typ[types.Bool]))
	for name, sig := range map[string]*types.Signature{
		"On":   types.NewSignatureType(nil, nil, nil, k, yes, false),
		"Off":  types.NewSignatureType(nil, nil, nil, k, yes, false),
		"Tick": types.NewSignatureType(nil, nil, nil, nil, nil, false),
	} {
		p.Scope().Insert(types.NewFunc(token.NoPos, p, name, sig))
	}
	p.MarkComplete()
	return p
}
