package typed

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sync"
)

// An instance is one package as it was type checked: certain files against
// certain imported packages. It is not modified once made.
type instance struct {
	id       nodeID
	key      string // of the files and of everything they import
	files    []*file
	imports  map[string]imported
	pkg      *types.Package
	info     *types.Info // of head only
	findings []finding   // in order of file and offset

	whole  bool            // every body was checked
	bodies int             // how many were, otherwise
	differ map[string]bool // see imported; of partial checks only

	apiOnce   sync.Once
	api       fingerprint
	indexOnce sync.Once // of head only
	idx       *index
}

// An imported package is what an import path stands for in one instance.
type imported struct {
	pkg *types.Package
	key string
	id  nodeID // of a package of the tree
	err error
	// differ are the names through which it can be told from head's instance
	// of the same node; nil when that is not known.
	differ map[string]bool
}

// keyOf names the outcome of checking files against imports.
func keyOf(id nodeID, lang string, files []*file, imports map[string]imported) string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%p %s %d %q %s\n", id.u, id.path, id.kind, id.forTest, lang) // a hash never fails to write
	for _, f := range files {
		_, _ = fmt.Fprintf(sum, "%s %x\n", f.path, f.sum)
	}
	for _, path := range sortedKeys(imports) {
		_, _ = fmt.Fprintf(sum, "%s %s\n", path, imports[path].key)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// A checker type checks one node.
type checker struct {
	id      nodeID
	lang    string
	files   []*file
	imports map[string]imported
}

// Import resolves an import of the files; it implements types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	got, ok := c.imports[path]
	if !ok {
		return nil, errNotFound
	}
	return got.pkg, got.err
}

// check type checks the syntax trees, which are those of c.files or stand for
// them, and returns the package with what is wrong in it. A panic of the type
// checker, which would be a bug of its own, is an error.
func (c *checker) check(trees []*ast.File, info *types.Info) (pkg *types.Package, found []finding, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			err = fmt.Errorf("type check %s: go/types panicked: %v", c.id.path, trouble)
		}
	}()
	collect := &collector{files: c.files}
	conf := types.Config{
		GoVersion: c.lang, FakeImportC: true, Sizes: c.id.u.sizes,
		Importer: c, Error: collect.add,
	}
	path := c.id.path
	if c.id.kind == external {
		path += "_test"
	}
	pkg, _ = conf.Check(path, collect.fset(), trees, info) // every error went to collect
	return pkg, collect.sorted(), nil
}

// instance checks the whole node. Syntax errors hide all others, as they do
// for the compiler.
func (c *checker) instance(key string, info *types.Info) (*instance, error) {
	trees := make([]*ast.File, len(c.files))
	var syntax []finding
	for i, f := range c.files {
		trees[i] = f.parse()
		syntax = append(syntax, syntaxFindings(f)...)
	}
	pkg, found, err := c.check(trees, info)
	if err != nil {
		return nil, err
	}
	if len(syntax) > 0 {
		found = syntax
	}
	return &instance{id: c.id, key: key, files: c.files, imports: c.imports, pkg: pkg, info: info, findings: found, whole: true}, nil
}

// differsInside reports whether the names through which in can be told from
// head are all unexported, so that the API need not be compared: whatever
// exported leads to one of them would be among the names.
func (in *instance) differsInside(head *instance) bool {
	if in.differ == nil || !sameImports(in.imports, head.imports) {
		return false
	}
	for name := range in.differ {
		if token.IsExported(name) {
			return false
		}
	}
	return true
}

// sameImports reports whether what both import is the same.
func sameImports(a, b map[string]imported) bool {
	for path, got := range a {
		if was, both := b[path]; both && was.key != got.key {
			return false
		}
	}
	return true
}

func (in *instance) fileOf(path string) *file { return fileOf(in.files, path) }

func fullInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
}
