package gosrc

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/change"
	"assay/mutate"
)

// moves knows the declarations of both sides of a change, by package, so that
// one that only changed its place can be told from one added or removed.
type moves struct {
	base, head map[pkg][]placed
}

// A pkg is one package on one side; a test file's declarations are kept apart.
type pkg struct {
	dir, name string
	test      bool
}

// placed is one declaration whose place within its package means nothing.
type placed struct {
	body string // its tokens and directives
	file *text
	decl ast.Decl
}

// constrainedName matches files that are built on some systems only. It is
// generous: a name too many leaves a unit unsettled.
var constrainedName = regexp.MustCompile(`_[a-z0-9]+(_test)?\.go$`)

func findMoves(c *change.Change) *moves {
	m := &moves{base: map[pkg][]placed{}, head: map[pkg][]placed{}}
	for _, f := range c.Files {
		if f.Form != change.Text || !isSource(f.Path) {
			continue
		}
		collect(m.base, f.OldPath, f.Old)
		collect(m.head, f.Path, f.New)
	}
	return m
}

func collect(into map[pkg][]placed, name string, src []byte) {
	if src == nil || constrained(name) {
		return
	}
	t := parse(src)
	if t.err != nil || t.lastConstraint() > 0 || dotImports(t) {
		return
	}
	p := packageOf(name, t)
	for _, d := range t.file.Decls {
		if movable(d) {
			into[p] = append(into[p], placed{body: t.declTokens(d), file: t, decl: d})
		}
	}
}

func constrained(name string) bool {
	base := strings.TrimSuffix(path.Base(name), "_test.go")
	return constrainedName.MatchString(strings.TrimSuffix(base, ".go") + ".go")
}

func packageOf(name string, t *text) pkg {
	return pkg{dir: path.Dir(name), name: t.file.Name.Name, test: strings.HasSuffix(name, "_test.go")}
}

func dotImports(t *text) bool {
	return slices.ContainsFunc(t.file.Imports, func(s *ast.ImportSpec) bool {
		return s.Name != nil && s.Name.Name == "." || importPath(s) == "C"
	})
}

// movable reports that the order of the declaration within its package cannot
// matter. Variables are initialised in order, so they are not.
func movable(d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name != "init" && d.Name.Name != "_"
	case *ast.GenDecl:
		return d.Tok == token.TYPE || d.Tok == token.CONST && !counts(d)
	}
	return false
}

// declTokens is the tokens of a declaration, the directives above it included.
func (t *text) declTokens(d ast.Decl) string {
	start, end := t.declRange(d)
	var b strings.Builder
	for _, tk := range t.tokens {
		if tk.start >= start && tk.start < end {
			b.WriteString(tk.text())
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func (t *text) declRange(d ast.Decl) (start, end int) {
	from := d.Pos()
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			from = d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			from = d.Doc.Pos()
		}
	}
	return t.offset(from), t.offset(d.End())
}

// moved reports that every declaration the unit takes away stands unchanged
// elsewhere in the package at head, and every one it adds stood in the package
// at base; and that the unit holds nothing but such declarations.
func (m *moves) moved(u *change.Unit) bool {
	f := u.Hunk.File
	return m.all(u.Old, f.OldPath, f.Old, m.base, m.head) && m.all(u.New, f.Path, f.New, m.head, m.base)
}

func (m *moves) all(s change.Span, name string, src []byte, here, there map[pkg][]placed) bool {
	if s.Lines == 0 {
		return true
	}
	if constrained(name) {
		return false
	}
	t := parse(src)
	if t.err != nil || t.lastConstraint() > 0 {
		return false
	}
	p := packageOf(name, t)
	start, end := s.Bytes(src)
	covered := start
	for _, d := range t.file.Decls {
		from, to := t.declRange(d)
		if to <= start || from >= end {
			continue
		}
		if from < start || to > end || !movable(d) || t.hasTokens(covered, from) || !once(here[p], there[p], placed{t.declTokens(d), t, d}) {
			return false
		}
		covered = to
	}
	return covered > start && !t.hasTokens(covered, end)
}

// hasTokens reports whether code or a directive other than the semicolon that
// ends a declaration stands in [start,end).
func (t *text) hasTokens(start, end int) bool {
	return slices.ContainsFunc(t.tokens, func(tk tok) bool {
		return tk.start >= start && tk.start < end && tk.kind != token.SEMICOLON
	})
}

// once reports that the declaration stands exactly once on either side, and
// means the same in both files.
func once(here, there []placed, d placed) bool {
	var other []placed
	n := 0
	for _, x := range here {
		if x.body == d.body {
			n++
		}
	}
	for _, x := range there {
		if x.body == d.body {
			other = append(other, x)
		}
	}
	return n == 1 && len(other) == 1 && sameQualifiers(d, other[0])
}

// sameQualifiers reports that every identifier of the declaration that either
// file imports a package by names the same packages in both.
func sameQualifiers(a, b placed) bool {
	start, end := a.file.declRange(a.decl)
	for _, tk := range a.file.tokens {
		if tk.kind != token.IDENT || tk.start < start || tk.start >= end {
			continue
		}
		if !slices.Equal(a.file.importsNamed(tk.lit), b.file.importsNamed(tk.lit)) {
			return false
		}
	}
	return true
}

func (t *text) importsNamed(name string) []string {
	var paths []string
	for _, s := range t.file.Imports {
		if slices.Contains(localNames(s), name) {
			paths = append(paths, importPath(s))
		}
	}
	slices.Sort(paths)
	return paths
}

// renamed settles a file that moved unchanged within its directory.
func (m *moves) renamed(f *change.File) mutate.Inertness {
	same := f.Status == change.Renamed && f.OldMode == f.NewMode && string(f.Old) == string(f.New)
	if !same || path.Dir(f.Path) != path.Dir(f.OldPath) || constrained(f.Path) || constrained(f.OldPath) ||
		strings.HasSuffix(f.Path, "_test.go") != strings.HasSuffix(f.OldPath, "_test.go") {
		return ""
	}
	// Variables and init functions run in the order of the file names.
	t := parse(f.New)
	if t.err != nil || slices.ContainsFunc(t.file.Decls, func(d ast.Decl) bool { return !movable(d) && !isImport(d) }) {
		return ""
	}
	return mutate.Moved
}

func isImport(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}
