package schema

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"assay/change"
)

// A piece is what one variant does to the body of one function.
type piece struct {
	variant int
	src     *source
	fn      *ast.FuncDecl // of head
	edits   []change.Edit // within the body
	shift   int           // lines that the variant adds to the file before the function

	copied *ast.FuncDecl // the function with the edits, in fset
	tok    *token.File   // of copied
	guards []guard       // innermost first
	level  int           // which of guards is in use
	fault  string        // why the last one did not hold
}

// An extra is a function that a variant has and head does not: it is added
// under its name, where nothing of head can call it.
type extra struct {
	variant int
	src     *source
	name    string
	text    []byte
	line    int
	copied  *ast.FuncDecl
	tok     *token.File
}

// body returns the offsets inside the braces of a function of head.
func (s *source) body(fn *ast.FuncDecl) (lo, hi int) {
	return s.off(fn.Body.Lbrace) + 1, s.off(fn.Body.Rbrace)
}

// add cuts a variant into pieces, or says why it cannot be embedded.
func (c *composition) add(k int, edits []change.Edit) (why string) {
	byFile := map[string][]change.Edit{}
	var paths []string
	for _, e := range edits {
		if c.sources[e.Path] == nil {
			continue
		}
		if e.Op != change.Splice {
			return "it adds or removes a file"
		}
		if byFile[e.Path] == nil {
			paths = append(paths, e.Path)
		}
		byFile[e.Path] = append(byFile[e.Path], e)
	}
	for _, path := range paths {
		src := c.sources[path]
		if src.odd != "" {
			return path + ": " + src.odd
		}
		pieces, extras, why := c.cut(k, src, byFile[path])
		if why != "" {
			return path + ": " + why
		}
		c.pieces, c.extras = append(c.pieces, pieces...), append(c.extras, extras...)
		c.of[k] = append(c.of[k], pieces...)
	}
	return ""
}

// cut finds the functions that edits of one file lie in. Edits that are not
// all inside bodies are compared declaration by declaration.
func (c *composition) cut(k int, src *source, edits []change.Edit) ([]*piece, []*extra, string) {
	pieces, inside := within(k, src, edits)
	if inside {
		return pieces, nil, c.read(pieces)
	}
	text, err := change.Apply(src.Text, edits)
	if err != nil {
		return nil, nil, err.Error()
	}
	pieces, extras, why := c.compare(k, src, text)
	if why != "" {
		return nil, nil, why
	}
	return pieces, extras, c.read(pieces)
}

// within groups edits by the function whose body they lie in; inside is false
// when one lies elsewhere.
func within(k int, src *source, edits []change.Edit) (pieces []*piece, inside bool) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b change.Edit) int { return a.Start - b.Start })
	shift := 0
	for _, e := range sorted {
		fn := src.function(e.Start, e.End)
		if fn == nil {
			return nil, false
		}
		if len(pieces) == 0 || pieces[len(pieces)-1].fn != fn {
			pieces = append(pieces, &piece{variant: k, src: src, fn: fn, shift: shift})
		}
		at := pieces[len(pieces)-1]
		at.edits = append(at.edits, e)
		shift += bytes.Count(e.Text, []byte{'\n'}) - bytes.Count(src.Text[e.Start:e.End], []byte{'\n'})
	}
	return pieces, true
}

// function returns the function whose body holds the bytes [lo,hi), or nil.
func (s *source) function(lo, hi int) *ast.FuncDecl {
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		if first, last := s.body(fn); first <= lo && hi <= last {
			return fn
		}
	}
	return nil
}

// read parses the function of each piece with its edits and finds its guards.
func (c *composition) read(pieces []*piece) (why string) {
	for _, p := range pieces {
		lo, hi := p.src.off(p.fn.Pos()), p.src.off(p.fn.End())
		text, err := p.span(lo, hi)
		if err != nil {
			return err.Error()
		}
		p.copied, p.tok, err = parseFunction(c.fset, text)
		if err != nil {
			return fmt.Sprintf("%s does not parse: %v", p.fn.Name.Name, err)
		}
		if why := c.findGuards(p); why != "" {
			return why
		}
	}
	return ""
}

// span returns the bytes [lo,hi) of head with the piece's edits.
func (p *piece) span(lo, hi int) ([]byte, error) {
	moved := make([]change.Edit, len(p.edits))
	for i, e := range p.edits {
		e.Start, e.End = e.Start-lo, e.End-lo
		moved[i] = e
	}
	return change.Apply(p.src.Text[lo:hi], moved)
}

// line is the line of offset off, which precedes the edits or follows some, in
// the variant's file.
func (p *piece) line(off int) int {
	line, _ := p.src.place(off)
	line += p.shift
	for _, e := range p.edits {
		if e.End < off {
			line += bytes.Count(e.Text, []byte{'\n'}) - bytes.Count(p.src.Text[e.Start:e.End], []byte{'\n'})
		}
	}
	return line
}

// parseFunction parses the text of one function declaration, which must be all
// there is. The declaration begins after a package clause of fixed length.
func parseFunction(fset *token.FileSet, text []byte) (*ast.FuncDecl, *token.File, error) {
	f, err := parser.ParseFile(fset, "", append([]byte(clause), text...), parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	if len(f.Decls) != 1 {
		return nil, nil, fmt.Errorf("it is %d declarations", len(f.Decls))
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || fn.Body == nil {
		return nil, nil, fmt.Errorf("it is no function with a body")
	}
	return fn, fset.File(f.FileStart), nil
}

// clause stands before a function that is parsed by itself.
const clause = "package p;"
