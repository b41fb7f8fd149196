package schema

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// typesFile is the name of the file that names types for define guards.
const typesFile = "zz_assay_types.go"

// nameable reports whether a type can be written at the top of a file of the
// package proper: it is made of predeclared types and of named types, declared
// at the top of this package's own files or exported by a package that it
// imports.
func (c *composition) nameable(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid && t.Info()&types.IsUntyped == 0
	case *types.Pointer:
		return c.nameable(t.Elem())
	case *types.Slice:
		return c.nameable(t.Elem())
	case *types.Array:
		return c.nameable(t.Elem())
	case *types.Chan:
		return c.nameable(t.Elem())
	case *types.Map:
		return c.nameable(t.Key()) && c.nameable(t.Elem())
	case *types.Named:
		return c.nameableName(t)
	}
	return false
}

func (c *composition) nameableName(t *types.Named) bool {
	obj := t.Obj()
	if t.TypeArgs().Len() > 0 || t.TypeParams().Len() > 0 {
		return false
	}
	if obj.Pkg() == nil {
		return true // error
	}
	if obj.Parent() != obj.Pkg().Scope() {
		return false
	}
	if obj.Pkg().Path() == c.ImportPath {
		return !c.inTest(obj.Name())
	}
	return obj.Exported() && c.imported(obj.Pkg().Path())
}

// inTest reports whether a test file declares the name: the package proper
// does not have it.
func (c *composition) inTest(name string) bool {
	obj := c.pkg.Scope().Lookup(name)
	if obj == nil {
		return true
	}
	return strings.HasSuffix(c.fset.File(obj.Pos()).Name(), "_test.go")
}

// imported reports whether the package proper imports path by name.
func (c *composition) imported(path string) bool {
	for _, s := range c.sources {
		if table, _ := importTable(s.ast); !s.Test {
			if name, ok := table[path]; ok && !special(name) {
				return true
			}
		}
	}
	return false
}

// typeText writes a type with import paths.
func (c *composition) typeText(t types.Type) string { return types.TypeString(t, nil) }

// An aliases gives types names that nothing shadows.
type aliases struct {
	c       *composition
	texts   []string // by number
	written []string // as the file of types writes them
	imports []string // paths; the package is known as assayPN there
}

// name returns the name of a type.
func (a *aliases) name(t types.Type) string {
	text := a.c.typeText(t)
	i := slices.Index(a.texts, text)
	if i < 0 {
		i = len(a.texts)
		a.texts = append(a.texts, text)
		a.written = append(a.written, types.TypeString(t, a.qualify))
	}
	return fmt.Sprintf("assayT%d", i)
}

func (a *aliases) qualify(p *types.Package) string {
	if p.Path() == a.c.ImportPath {
		return ""
	}
	i := slices.Index(a.imports, p.Path())
	if i < 0 {
		i = len(a.imports)
		a.imports = append(a.imports, p.Path())
	}
	return fmt.Sprintf("assayP%d", i)
}

// file writes the file of types; nil when there are none.
func (a *aliases) file() []byte {
	if len(a.texts) == 0 {
		return nil
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\n", a.c.name)
	for i, path := range a.imports {
		fmt.Fprintf(&out, "import assayP%d %q\n", i, path)
	}
	for i, text := range a.written {
		fmt.Fprintf(&out, "type assayT%d = %s\n", i, text)
	}
	return out.Bytes()
}
