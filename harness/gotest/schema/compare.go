package schema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"assay/change"
)

// A declared is one function of a file, by what identifies it.
type declared struct {
	fn        *ast.FuncDecl
	lo, hi    int // of the declaration, without its doc comment
	signature string
	line      int
}

// compare cuts a variant of a whole file into pieces. It must declare what
// head declares but for bodies, imports and plain functions that it adds or
// does without.
func (c *composition) compare(k int, src *source, text []byte) (pieces []*piece, extras []*extra, why string) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, "it does not parse: " + err.Error()
	}
	tok := fset.File(parsed.FileStart)
	if odd := oddity(text); odd != "" {
		return nil, nil, odd
	}
	if !slices.Equal(fixed(parsed, tok, text), fixed(src.ast, src.tok, src.Text)) {
		return nil, nil, "it changes a declaration that is no function"
	}
	at := place{k, src}
	if why := c.joinImports(at, parsed); why != "" {
		return nil, nil, why
	}
	old, neu := functions(src.ast, src.tok, src.Text), functions(parsed, tok, text)
	for key, was := range old {
		now, kept := neu[key]
		switch {
		case !kept:
			why = c.without(k, was)
		case now.signature != was.signature:
			why = "it changes the signature of " + key
		default:
			if p := bodyPiece(k, src, was, now, text, tok); p != nil {
				pieces = append(pieces, p)
			}
		}
		if why != "" {
			return nil, nil, why
		}
	}
	for key, now := range neu {
		if _, had := old[key]; had {
			continue
		}
		x, why := c.extra(k, src, now, text)
		if why != "" {
			return nil, nil, why
		}
		extras = append(extras, x)
	}
	return pieces, extras, ""
}

// fixed lists what a variant may not change: declarations that are neither
// functions nor imports, without their comments, and every directive.
func fixed(f *ast.File, tok *token.File, text []byte) []string {
	all := []string{f.Name.Name}
	for _, d := range f.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok != token.IMPORT {
			all = append(all, tokens(text[tok.Offset(d.Pos()):tok.Offset(d.End())]))
		}
	}
	for _, group := range f.Comments {
		for _, one := range group.List {
			if strings.HasPrefix(one.Text, "//go:") || strings.HasPrefix(one.Text, "// +build") || strings.HasPrefix(one.Text, "//export ") {
				all = append(all, one.Text)
			}
		}
	}
	return all
}

// tokens is a text without its comments and layout.
func tokens(text []byte) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), text, nil, 0)
	var out strings.Builder
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return out.String()
		}
		if tok == token.SEMICOLON {
			lit = ";"
		}
		fmt.Fprintf(&out, "%s %s\n", tok, lit)
	}
}

// functions returns the functions of a file by receiver, name and number.
func functions(f *ast.File, tok *token.File, text []byte) map[string]declared {
	found := map[string]declared{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		one := declared{fn: fn, lo: tok.Offset(fn.Pos()), hi: tok.Offset(fn.End()), line: tok.Line(fn.Pos())}
		end := one.hi
		if fn.Body != nil {
			end = tok.Offset(fn.Body.Lbrace)
		}
		one.signature = tokens(text[one.lo:end])
		key := fn.Name.Name
		if fn.Recv != nil {
			key = tokens(text[tok.Offset(fn.Recv.Pos()):tok.Offset(fn.Recv.End())]) + key
		}
		for n, first := 1, key; ; n++ {
			if _, taken := found[key]; !taken {
				break
			}
			key = fmt.Sprint(first, "#", n)
		}
		found[key] = one
	}
	return found
}

// bodyPiece is the piece for a function whose body differs, nil when it does
// not.
func bodyPiece(k int, src *source, was, now declared, text []byte, tok *token.File) *piece {
	if was.fn.Body == nil || now.fn.Body == nil {
		return nil // the signatures are equal: both or none have one
	}
	lo, hi := src.body(was.fn)
	old, neu := src.Text[lo:hi], text[tok.Offset(now.fn.Body.Lbrace)+1:tok.Offset(now.fn.Body.Rbrace)]
	if string(old) == string(neu) {
		return nil
	}
	a := 0
	for a < len(old) && a < len(neu) && old[a] == neu[a] {
		a++
	}
	b := 0
	for b < len(old)-a && b < len(neu)-a && old[len(old)-1-b] == neu[len(neu)-1-b] {
		b++
	}
	return &piece{variant: k, src: src, fn: was.fn, shift: now.line - was.line,
		edits: []change.Edit{{Path: src.Path, Start: lo + a, End: hi - b, Text: neu[a : len(neu)-b]}}}
}

// without notes that a variant does without a function of head, or says why it
// cannot.
func (c *composition) without(k int, was declared) string {
	name := was.fn.Name.Name
	if was.fn.Recv != nil || ast.IsExported(name) || name == "init" || name == "main" || name == "_" {
		return "it does without " + name
	}
	if c.gone[k] == nil {
		c.gone[k] = map[string]bool{}
	}
	c.gone[k][name] = true
	return ""
}

// extra is a function that only the variant has, or why it cannot be added.
func (c *composition) extra(k int, src *source, now declared, text []byte) (*extra, string) {
	name := now.fn.Name.Name
	if now.fn.Recv != nil || ast.IsExported(name) || name == "init" || name == "main" || name == "_" || now.fn.Body == nil {
		return nil, "it adds " + name
	}
	if c.pkg.Scope().Lookup(name) != nil || types.Universe.Lookup(name) != nil {
		return nil, name + " is something else at head"
	}
	x := &extra{variant: k, src: src, name: name, text: text[now.lo:now.hi], line: now.line}
	for _, other := range c.extras {
		if other.name == name && other.variant != k && (other.src != src || string(other.text) != string(x.text)) {
			return nil, "another variant adds another " + name
		}
	}
	var err error
	if x.copied, x.tok, err = parseFunction(c.fset, x.text); err != nil {
		return nil, name + " does not parse: " + err.Error()
	}
	return x, ""
}
