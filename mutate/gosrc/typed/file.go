package typed

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"path"
	"slices"
	"strconv"
	"sync"
)

// A file is one version of one Go file. Its syntax is parsed when it is first
// asked for and not modified afterwards.
type file struct {
	path string // slash-separated and relative to the tree, or absolute when it lies outside
	src  []byte
	sum  [sha256.Size]byte

	fset *token.FileSet
	mu   sync.Mutex // until ast is set
	ast  *ast.File
	tok  *token.File
	errs scanner.ErrorList

	unitsOnce, stubsOnce sync.Once
	unitList             []*unit
	stubList             []ast.Decl
}

func newFile(fset *token.FileSet, name string, src []byte) *file {
	return &file{path: name, src: src, sum: sha256.Sum256(src), fset: fset}
}

// parse returns the syntax tree, as far as the file has one; f.errs then says
// what is wrong with the rest.
func (f *file) parse() *ast.File {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ast != nil {
		return f.ast
	}
	var err error
	f.ast, err = parser.ParseFile(f.fset, f.path, f.src, parser.AllErrors|parser.SkipObjectResolution)
	var list scanner.ErrorList
	if errors.As(err, &list) {
		f.errs = list
	}
	f.tok = f.fset.File(f.ast.FileStart)
	return f.ast
}

// forget takes the file's lines out of the file set, which would otherwise
// grow with every edited text. Offsets of its syntax still work.
func (f *file) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tok != nil {
		f.fset.RemoveFile(f.tok)
	}
}

// offset is the byte offset of a position of this file's syntax.
func (f *file) offset(pos token.Pos) int { return f.tok.Offset(pos) }

// holds reports whether the position is one of this file.
func (f *file) holds(pos token.Pos) bool {
	return f.tok != nil && int(pos) >= f.tok.Base() && int(pos) <= f.tok.Base()+f.tok.Size()
}

// imports lists the import paths of the file, "C" left out, each once.
func (f *file) imports() []string {
	var out []string
	for _, spec := range f.parse().Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err == nil && name != "C" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// selected reports whether the build context compiles the file. A file whose
// header cannot be read is selected: its syntax errors must be seen.
func (f *file) selected(c build.Context) bool {
	c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.src)), nil }
	match, err := c.MatchFile("", path.Base(f.path))
	if err != nil {
		return true
	}
	return match && (c.CgoEnabled || !f.importsC())
}

func (f *file) importsC() bool {
	for _, spec := range f.parse().Imports {
		if spec.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

func (f *file) importsDot() bool {
	for _, spec := range f.parse().Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			return true
		}
	}
	return false
}
