package gosrc

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/mutate"
)

// inertness compares a file without the unit to head and says why they mean
// the same, or "" when they may not.
func inertness(without, head *text) mutate.Inertness {
	if sameTokens(without.tokens, head.tokens) {
		if without.comments() == head.comments() {
			return mutate.Formatting
		}
		return mutate.Comment
	}
	if sameTokens(without.beyondImports(), head.beyondImports()) && sameBindings(without, head) {
		return mutate.Imports
	}
	return ""
}

func sameTokens(a, b []tok) bool {
	return slices.EqualFunc(a, b, func(x, y tok) bool {
		return x.kind == y.kind && x.text() == y.text()
	})
}

// beyondImports are the tokens outside import declarations.
func (t *text) beyondImports() []tok {
	var out []tok
	for _, tk := range t.tokens {
		if !t.inImport(tk.start) {
			out = append(out, tk)
		}
	}
	return out
}

func (t *text) inImport(off int) bool {
	for _, d := range t.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if ok && g.Tok == token.IMPORT && t.offset(g.Pos()) <= off && off <= t.offset(g.End()) {
			return true
		}
	}
	return false
}

// sameBindings reports that no import with an effect of its own (blank, dot,
// cgo) differs, and that no name can be bound to another package.
func sameBindings(a, b *text) bool {
	onlyA, onlyB := difference(a.file.Imports, b.file.Imports), difference(b.file.Imports, a.file.Imports)
	for _, s := range append(slices.Clone(onlyA), onlyB...) {
		if hasEffect(s) {
			return false
		}
	}
	for _, x := range onlyA {
		for _, y := range onlyB {
			if importPath(x) != importPath(y) && intersects(localNames(x), localNames(y)) {
				return false
			}
		}
	}
	return true
}

func difference(a, b []*ast.ImportSpec) []*ast.ImportSpec {
	var out []*ast.ImportSpec
	for _, x := range a {
		same := func(y *ast.ImportSpec) bool {
			return x.Path.Value == y.Path.Value && (x.Name == nil) == (y.Name == nil) && (x.Name == nil || x.Name.Name == y.Name.Name)
		}
		if !slices.ContainsFunc(b, same) {
			out = append(out, x)
		}
	}
	return out
}

// hasEffect reports that the import does more than bind a name. Packages embed
// and unsafe have no init and are imported blank only to allow directives.
func hasEffect(s *ast.ImportSpec) bool {
	p := importPath(s)
	if p == "C" {
		return true
	}
	if s.Name == nil {
		return false
	}
	return s.Name.Name == "." || s.Name.Name == "_" && p != "embed" && p != "unsafe"
}

func importPath(s *ast.ImportSpec) string {
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return s.Path.Value
	}
	return p
}

var (
	majorVersion = regexp.MustCompile(`^v[0-9]+$`)
	dotVersion   = regexp.MustCompile(`\.v[0-9]+$`)
)

// localNames are all names by which the file may know the package. The real
// package name is not in the text, so it is guessed generously: a guess too
// many only leaves a unit unsettled.
func localNames(s *ast.ImportSpec) []string {
	if s.Name != nil {
		return []string{s.Name.Name}
	}
	p := importPath(s)
	last := path.Base(p)
	if majorVersion.MatchString(last) {
		last = path.Base(path.Dir(p))
	}
	last = dotVersion.ReplaceAllString(last, "")
	names := []string{last}
	if strings.Contains(p, ".") {
		names = append(names, strings.FieldsFunc(last, func(r rune) bool { return r == '-' || r == '.' || r == '_' })...)
		names = append(names, strings.NewReplacer("-", "", ".", "", "_", "").Replace(last), strings.TrimPrefix(last, "go"))
	}
	return names
}

func intersects(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}
