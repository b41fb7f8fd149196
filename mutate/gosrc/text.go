package gosrc

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"assay/mutate"
)

// A text is one version of a Go file, parsed and scanned.
type text struct {
	src    []byte
	fset   *token.FileSet
	tf     *token.File
	file   *ast.File // nil when err is set
	err    error     // the first syntax error, with its line
	tokens []tok     // code and directive comments, normalised
	cuts   []mutate.Section
	cutted bool
}

// A tok is a token of code, or a comment that means something to the
// toolchain.
type tok struct {
	kind      token.Token
	lit       string
	start     int // byte offset
	directive bool
}

func (t tok) text() string {
	if t.kind.IsOperator() || t.kind.IsKeyword() {
		return t.kind.String()
	}
	return t.lit
}

// parse reads src; a nil src is an absent file, which parses to nothing.
func parse(src []byte) *text {
	t := &text{src: src, fset: token.NewFileSet()}
	if src == nil {
		t.err = errors.New("the file does not exist")
		return t
	}
	file, err := parser.ParseFile(t.fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			err = syntaxError{list[0]}
		}
		t.err = err
		return t
	}
	t.file = file
	t.tf = t.fset.File(file.Package)
	t.scan()
	return t
}

// A syntaxError prints as "line N: what".
type syntaxError struct{ first *scanner.Error }

func (e syntaxError) Error() string {
	return "line " + strconv.Itoa(e.first.Pos.Line) + ": " + e.first.Msg
}

func (t *text) offset(p token.Pos) int { return t.tf.Offset(p) }

// line returns the line of p as git counts lines: //line comments are not
// heeded.
func (t *text) line(p token.Pos) int { return t.tf.PositionFor(p, false).Line }

func (t *text) holds(p token.Pos, start, end int) bool {
	return t.offset(p) >= start && t.offset(p) < end
}

// directive matches comments that change what the toolchain does. Of the
// //go: comments only go:generate is without effect on a build.
var directive = regexp.MustCompile(`^(//go:[a-z]|//line |/\*line |//export |//extern |// \+build |//\+build |//#cgo|//sys )`)

// exampleOutput matches the comment that makes an example a test.
var exampleOutput = regexp.MustCompile(`(?i)^(//|/\*)\s*(unordered )?output:`)

// scan fills t.tokens. Semicolons that may be left out, and a comma before a
// closing bracket that may follow a line end, are dropped.
func (t *text) scan() {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(t.src))
	s.Init(file, t.src, nil, scanner.ScanComments)
	for {
		pos, kind, lit := s.Scan()
		tk := tok{kind: kind, lit: lit, start: file.Offset(pos)}
		switch {
		case kind == token.EOF:
			return
		case kind == token.COMMENT && !t.meaningful(lit, tk.start):
			continue
		case kind == token.COMMENT:
			tk.directive = true
		case kind == token.SEMICOLON:
			tk.lit = ";" // an inserted one says "\n"
		case kind == token.RPAREN || kind == token.RBRACE:
			t.dropBefore()
		}
		t.tokens = append(t.tokens, tk)
	}
}

// dropBefore takes away what may be left out before a closing bracket.
func (t *text) dropBefore() {
	n := len(t.tokens)
	if n > 0 && (t.tokens[n-1].kind == token.SEMICOLON || t.tokens[n-1].kind == token.COMMA) {
		t.tokens = t.tokens[:n-1]
	}
}

// meaningful reports whether the comment at offset start has an effect.
func (t *text) meaningful(lit string, start int) bool {
	if directive.MatchString(lit) {
		return !strings.HasPrefix(lit, "//go:generate")
	}
	for _, d := range t.file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.IMPORT && importsC(d) && t.offset(d.End()) > start {
				return true // the preamble of cgo is code
			}
		case *ast.FuncDecl:
			inside := d.Body != nil && t.offset(d.Body.Lbrace) < start && start < t.offset(d.Body.Rbrace)
			if inside && strings.HasPrefix(d.Name.Name, "Example") && d.Recv == nil {
				return t.hasOutput(d.Body)
			}
		}
	}
	return false
}

// hasOutput reports whether a comment of the body says what it prints; any
// comment of such an example may then be part of what is compared.
func (t *text) hasOutput(body *ast.BlockStmt) bool {
	for _, g := range t.file.Comments {
		if g.Pos() > body.Lbrace && g.End() < body.Rbrace && exampleOutput.MatchString(g.List[0].Text) {
			return true
		}
	}
	return false
}

func importsC(d *ast.GenDecl) bool {
	for _, s := range d.Specs {
		if spec, ok := s.(*ast.ImportSpec); ok && spec.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

// remarks are the lines of all comments.
func (t *text) remarks() []mutate.Remark {
	if t.file == nil {
		return nil
	}
	var out []mutate.Remark
	for _, g := range t.file.Comments {
		for _, c := range g.List {
			body := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(c.Text, "//"), "/*"), "*/")
			for i, l := range strings.Split(body, "\n") {
				out = append(out, mutate.Remark{Line: t.line(c.Pos()) + i, Text: strings.TrimRight(l, "\r")})
			}
		}
	}
	return out
}

// comments is the text of all comments that have no effect, without white
// space, to tell a changed comment from changed formatting.
func (t *text) comments() string {
	var b strings.Builder
	for _, r := range t.remarks() {
		b.WriteString(strings.Join(strings.Fields(r.Text), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
