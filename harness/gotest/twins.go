package gotest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/change"
)

// twins are the functions of one package that variants edit, each twice behind
// its file: as it is, and as a variant has it.
type twins struct {
	dir    string
	files  map[string]*twinFile
	headOf map[int]int // variant to the number of its function as it is
	heads  int
}

// A twinFile is one file with the twins behind its own text.
type twinFile struct {
	head  []byte
	text  []byte
	funcs []twinFunc
}

// A twinFunc is a function whose code can be compared.
type twinFunc struct {
	start, end      int // from "func" to the end of the body, in bytes
	name, afterName int
	body            int
	number          int // of its copy as it is; 0 for none yet
}

// newTwinFile finds the functions of a file that are not generic.
func newTwinFile(text []byte) *twinFile {
	f := &twinFile{head: text, text: append(slices.Clone(text), '\n')}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return f
	}
	offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Name.Name == "_" || generic(fn) {
			continue
		}
		f.funcs = append(f.funcs, twinFunc{start: offset(fn.Type.Func), end: offset(fn.End()),
			name: offset(fn.Name.Pos()), afterName: offset(fn.Name.End()), body: offset(fn.Body.Lbrace)})
	}
	return f
}

// generic reports whether a function is compiled once for each of its uses.
func generic(fn *ast.FuncDecl) bool {
	if fn.Type.TypeParams != nil {
		return true
	}
	found := false
	if fn.Recv != nil {
		ast.Inspect(fn.Recv, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.IndexExpr, *ast.IndexListExpr:
				found = true
			}
			return !found
		})
	}
	return found
}

// add puts a variant behind its file, when all of it lies in one body.
func (t *twins) add(k int, edits []change.Edit, f *twinFile) {
	i := slices.IndexFunc(f.funcs, func(fn twinFunc) bool {
		return !slices.ContainsFunc(edits, func(e change.Edit) bool { return e.Start <= fn.body || e.End >= fn.end })
	})
	if i < 0 {
		return
	}
	fn := &f.funcs[i]
	moved := make([]change.Edit, len(edits))
	for j, e := range edits {
		e.Start, e.End = e.Start-fn.start, e.End-fn.start
		moved[j] = e
	}
	text, err := change.Apply(f.head[fn.start:fn.end], moved)
	if err != nil {
		return
	}
	if fn.number == 0 {
		t.heads++
		fn.number = t.heads
		f.copy(fn, f.head[fn.start:fn.end], fmt.Sprintf("%sH%d", twinName, fn.number))
	}
	f.copy(fn, text, fmt.Sprintf("%sV%d", twinName, k))
	t.headOf[k] = fn.number
}

// twinName begins the names of copies; H or V and a number follow.
const twinName = "zzassay"

func (f *twinFile) copy(fn *twinFunc, text []byte, name string) {
	f.text = slices.Concat(f.text, text[:fn.name-fn.start], []byte(name), text[fn.afterName-fn.start:], []byte("\n"))
}

// equal returns the variants whose code is that of their function as it is.
func (t *twins) equal(code map[string]string) []int {
	var found []int
	for _, k := range slices.Sorted(maps.Keys(t.headOf)) {
		head, has := code["H"+strconv.Itoa(t.headOf[k])]
		if has && code["V"+strconv.Itoa(k)] == head && !strings.Contains(head, anonymousData) {
			found = append(found, k)
		}
	}
	return found
}

// anonymousData begins the names of data that has no name in the source and is
// numbered through the package: what it holds cannot be compared by name.
const anonymousData = "..stmp_"

// A listing keeps what the compiler's -S prints of twins. It is written to.
type listing struct {
	rest  []byte
	of    string // the twin that the lines now belong to; "" for none
	block []byte
	found map[string][]string
}

func newListing() *listing { return &listing{found: map[string][]string{}} }

var (
	twinSymbol = regexp.MustCompile(twinName + `([HV]\d+)`)
	// What differs between two copies of one text: where they stand, what they
	// are called, and how the compiler numbers its own variables.
	placing = regexp.MustCompile(`\([^()\s]*:\d+\)|\(<unknown line number>\)|autotmp_\d+`)
)

// Write takes a piece of the listing.
func (l *listing) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 {
			return len(p), nil
		}
		l.line(l.rest[:i+1])
		l.rest = l.rest[i+1:]
	}
}

// line takes one line: the first of what is said of a symbol begins with it,
// the others with a tab.
func (l *listing) line(line []byte) {
	if line[0] != '\t' {
		l.flush()
		l.of = ""
		if m := twinSymbol.FindSubmatch(line); m != nil && !bytes.HasPrefix(line, []byte("type:")) { // that spells the name
			l.of = string(m[1])
		}
	}
	if l.of != "" {
		l.block = append(l.block, placing.ReplaceAll(twinSymbol.ReplaceAll(line, []byte(twinName)), nil)...)
	}
}

func (l *listing) flush() {
	if l.of != "" {
		l.found[l.of] = append(l.found[l.of], string(l.block))
	}
	l.block = l.block[:0]
}

// code is all that was said of each twin, in an order that names do not change.
func (l *listing) code() map[string]string {
	l.flush()
	all := map[string]string{}
	for twin, blocks := range l.found {
		slices.Sort(blocks)
		all[twin] = strings.Join(blocks, "")
	}
	return all
}
