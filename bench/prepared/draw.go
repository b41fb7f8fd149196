package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"assay/change"
)

// swaps are the tokens that one kind of edit replaces.
func swaps() map[token.Token]string {
	return map[token.Token]string{
		token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
		token.EQL: "!=", token.NEQ: "==", token.LAND: "||", token.LOR: "&&", token.AND: "|", token.OR: "&", token.INC: "--", token.DEC: "++",
		token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.DEFINE: "=", token.ASSIGN: ":=",
	}
}

// draw returns n edits, each a variant of its own, of function bodies of the
// module in dir: a token swapped, a number changed, a statement removed or
// doubled, or a return planted.
func (o options) draw(dir string) ([][]change.Edit, error) {
	var all [][]change.Edit
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != dir && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor") {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || !o.only.MatchString(rel) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		all = append(all, editsOf(filepath.ToSlash(rel), text)...)
		return nil
	})
	r := rand.New(rand.NewPCG(o.seed, 2))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(o.n, len(all))], err
}

// editsOf lists every edit of one file.
func editsOf(path string, text []byte) [][]change.Edit {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil // a file that does not parse has no bodies
	}
	var all [][]change.Edit
	off := func(p token.Pos) int { return fset.Position(p).Offset }
	put := func(lo, hi int, with string) {
		all = append(all, []change.Edit{{Path: path, Start: lo, End: hi, Text: []byte(with)}})
	}
	swap := func(at token.Pos, tok token.Token) {
		if with, ok := swaps()[tok]; ok {
			put(off(at), off(at)+len(tok.String()), with)
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				swap(n.OpPos, n.Op)
			case *ast.IncDecStmt:
				swap(n.TokPos, n.Tok)
			case *ast.AssignStmt:
				swap(n.TokPos, n.Tok)
			case *ast.BasicLit:
				if n.Kind == token.INT {
					put(off(n.Pos()), off(n.End()), n.Value+"+1")
				}
			case *ast.BlockStmt:
				put(off(n.Lbrace)+1, off(n.Lbrace)+1, " return ")
				put(off(n.Lbrace)+1, off(n.Lbrace)+1, " panic(\"planted\"); ")
				for _, s := range n.List {
					put(off(s.Pos()), off(s.End()), "")
					put(off(s.Pos()), off(s.Pos()), string(text[off(s.Pos()):off(s.End())])+"\n")
				}
			}
			return true
		})
	}
	return all
}
