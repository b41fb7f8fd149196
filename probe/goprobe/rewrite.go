package goprobe

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"assay/change"
)

// agentName is how rewritten sources call package agent.
const agentName = "assayprobeagent"

// A rewriter makes the edits of one file. All stay on their lines.
type rewriter struct {
	file  *ast.File
	fset  *token.FileSet
	rel   string            // the file, relative to the tree
	pkg   string            // its package's import path
	names map[string]string // local name of an import -> its path
	tests bool              // deadlines that it arms are those of tests
	lazy  map[string]bool   // package-level variables
	plant map[string]bool   // functions with a planted delay
	edits []change.Edit
	keep  map[string]bool // imports of which the last use may be gone
	used  bool            // the agent is called
}

// deadlines are the functions that arm one, by import path.
var deadlines = map[string][]string{
	"context": {"WithTimeout", "WithDeadline", "WithTimeoutCause", "WithDeadlineCause"},
	"time":    {"AfterFunc"},
}

// keepers use an import for nothing.
var keepers = map[string]string{"context": "Context", "time": "Time"}

// rewrite returns the text with its calls watched; nil when there is nothing to
// watch in it.
func (r *rewriter) rewrite(text []byte, agent string) ([]byte, error) {
	r.fset = token.NewFileSet()
	file, err := parser.ParseFile(r.fset, r.rel, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	r.file, r.names, r.keep = file, importsOf(file), map[string]bool{}
	for _, p := range r.names {
		r.tests = r.tests || p == "testing"
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			r.function(n)
		case *ast.CallExpr:
			r.call(n)
		case *ast.SelectorExpr:
			r.deadline(n)
		case *ast.IfStmt:
			r.lazily(n)
		}
		return true
	})
	if !r.used {
		return nil, nil
	}
	r.insert(file.Name.End(), fmt.Sprintf("; import %s %q", agentName, agent))
	for name := range r.keep {
		r.edits = append(r.edits, change.Edit{Path: r.rel, Start: len(text), End: len(text),
			Text: fmt.Appendf(nil, "\nvar _ %s.%s", name, keepers[r.names[name]])})
	}
	slices.SortStableFunc(r.edits, func(a, b change.Edit) int { return a.Start - b.Start })
	return change.Apply(text, r.edits)
}

// importsOf maps local names to paths, as far as the text tells.
func importsOf(file *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it already
		}
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}

func (r *rewriter) at(pos token.Pos) string {
	return fmt.Sprintf("%s:%d", r.rel, r.fset.Position(pos).Line)
}

func (r *rewriter) insert(pos token.Pos, text string) { r.replace(pos, pos, text) }

func (r *rewriter) replace(from, to token.Pos, text string) {
	r.edits = append(r.edits, change.Edit{Path: r.rel, Start: r.fset.Position(from).Offset, End: r.fset.Position(to).Offset, Text: []byte(text)})
	r.used = true
}

// function marks the start of tests and of functions with a plant.
func (r *rewriter) function(f *ast.FuncDecl) {
	if f.Body == nil {
		return
	}
	text := ""
	if strings.HasSuffix(r.rel, "_test.go") && f.Recv == nil && isTest(f) {
		text = fmt.Sprintf(" defer %s.Test(%q)();", agentName, f.Name.Name)
	}
	for _, name := range r.called(f) {
		if r.plant[name] {
			text += fmt.Sprintf(" %s.Call(%q);", agentName, name)
		}
	}
	if text != "" {
		r.insert(f.Body.Lbrace+1, text)
	}
}

// isTest reports whether a function is one that go test runs.
func isTest(f *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(f.Name.Name, "Test")
	return ok && f.Name.Name != "TestMain" && f.Type.Params.NumFields() == 1 && (rest == "" || strings.ToLower(rest[:1]) != rest[:1])
}

// called are the names under which a plant may know a function: pkg.Func or
// pkg.Type.Method, with the whole import path or its last part.
func (r *rewriter) called(f *ast.FuncDecl) []string {
	name := f.Name.Name
	if f.Recv != nil && len(f.Recv.List) == 1 {
		name = typeName(f.Recv.List[0].Type) + "." + name
	}
	names := []string{r.pkg + "." + name, path.Base(r.pkg) + "." + name, r.file.Name.Name + "." + name}
	slices.Sort(names)
	return slices.Compact(names)
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// deadline replaces a function that arms one.
func (r *rewriter) deadline(s *ast.SelectorExpr) {
	x, ok := s.X.(*ast.Ident)
	if !ok || !r.tests || !slices.Contains(deadlines[r.names[x.Name]], s.Sel.Name) {
		return
	}
	r.keep[x.Name] = true
	r.replace(s.Pos(), s.End(), fmt.Sprintf("%s.%s(%q)", agentName, s.Sel.Name, r.at(s.Pos())))
}

// call wraps the functions that are to run once.
func (r *rewriter) call(c *ast.CallExpr) {
	fun := c.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	s, ok := fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) != 1 || c.Ellipsis.IsValid() || !wrappable(c.Args[0]) {
		return
	}
	var wrapper string
	x, isName := s.X.(*ast.Ident)
	ofSync := isName && r.names[x.Name] == "sync"
	switch {
	case ofSync && s.Sel.Name == "OnceFunc":
		wrapper = "Func"
	case ofSync && s.Sel.Name == "OnceValue":
		wrapper = "Value"
	case ofSync && s.Sel.Name == "OnceValues":
		wrapper = "Values"
	case s.Sel.Name == "Do" && (!isName || r.names[x.Name] == ""):
		wrapper = "Do"
	default:
		return
	}
	at := r.at(c.Pos())
	what := map[string]string{"Do": "sync.Once", "Func": "sync.OnceFunc", "Value": "sync.OnceValue", "Values": "sync.OnceValues"}[wrapper]
	r.insert(c.Args[0].Pos(), fmt.Sprintf("%s.%s(%q, %q, ", agentName, wrapper, what+" at "+at, at))
	r.insert(c.Args[0].End(), ")")
}

// wrappable leaves out what has no type of its own to hand through: constants
// and nil.
func wrappable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncLit, *ast.SelectorExpr, *ast.CallExpr:
		return true
	case *ast.Ident:
		return e.Name != "nil" && e.Name != "true" && e.Name != "false"
	}
	return false
}

// lazily marks a package-level variable that is set because it is zero still:
// if v == nil { … v = … } and if !v { … v = true }.
func (r *rewriter) lazily(s *ast.IfStmt) {
	name := zeroAsked(s.Cond)
	if name == "" || !r.lazy[name] || !assigns(s.Body, name) {
		return
	}
	at := r.at(s.Pos())
	r.insert(s.Body.Lbrace+1, fmt.Sprintf(" %s.Lazy(%q, %q);", agentName, "variable "+name+" at "+at, at))
}

func zeroAsked(cond ast.Expr) string {
	var asked ast.Expr
	switch c := cond.(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			asked = c.X
		}
	case *ast.BinaryExpr:
		if right, ok := c.Y.(*ast.Ident); ok && c.Op == token.EQL && right.Name == "nil" {
			asked = c.X
		}
	}
	if id, ok := asked.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func assigns(body *ast.BlockStmt, name string) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			for _, l := range a.Lhs {
				id, ok := l.(*ast.Ident)
				found = found || ok && id.Name == name
			}
		}
		return !found
	})
	return found
}

// variables are the package-level variables of a file.
func variables(name string, text []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil // the build says what is wrong with it
	}
	var names []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// relative is a file of the tree as people name it.
func relative(dir, file string) string {
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}
