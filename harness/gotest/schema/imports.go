package schema

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
)

// importsOf returns the imports of a variant's file, by path.
func (c *composition) importsOf(at place) map[string]string {
	if own, ok := c.imports[at]; ok {
		return own
	}
	own, _ := importTable(at.src.ast)
	return own
}

// importTable returns the imports of a file: path to the name that is written,
// "" for none. ok is false when one path is imported twice.
func importTable(f *ast.File) (table map[string]string, ok bool) {
	table, ok = map[string]string{}, true
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		name := ""
		if spec.Name != nil {
			name = spec.Name.Name
		}
		_, twice := table[path]
		ok = ok && err == nil && !twice
		table[path] = name
	}
	return table, ok
}

// joinImports adds the imports that only variant k has to those that the file
// gets, or says why that cannot be.
func (c *composition) joinImports(at place, variant *ast.File) (why string) {
	own, ok := importTable(variant)
	was, alsoOK := importTable(at.src.ast)
	if !ok || !alsoOK {
		return "it imports one package twice"
	}
	if maps.Equal(own, was) {
		return ""
	}
	for path := range was {
		if now, kept := own[path]; special(was[path]) && (!kept || now != was[path]) {
			return fmt.Sprintf("it does without the import of %q", path)
		}
	}
	for path, name := range own {
		old, had := was[path]
		if had && old == name {
			continue
		}
		if had || special(name) || path == "C" {
			return fmt.Sprintf("it imports %q otherwise", path)
		}
		if err := c.free(at.src, path, name); err != nil {
			return err.Error()
		}
	}
	for path, name := range own {
		if _, had := was[path]; !had {
			if c.fresh[at.src] == nil {
				c.fresh[at.src] = map[string]string{}
			}
			c.fresh[at.src][path] = name
		}
	}
	c.imports[at] = own
	if c.used[at] == nil {
		c.used[at] = map[string]bool{}
	}
	return ""
}

func special(name string) bool { return name == "_" || name == "." }

// free reports why a package cannot be imported into a file beside what head
// and other variants import there and what the package declares.
func (c *composition) free(src *source, path, name string) error {
	local, err := c.localName(path, name)
	if err != nil {
		return err
	}
	if other, had := c.fresh[src][path]; had && other != name {
		return fmt.Errorf("two variants import %q under different names", path)
	}
	if c.pkg.Scope().Lookup(local) != nil {
		return fmt.Errorf("%s is declared in the package", local)
	}
	table, _ := importTable(src.ast)
	maps.Copy(table, c.fresh[src])
	for other, otherName := range table {
		if other == path || special(otherName) {
			continue
		}
		taken, err := c.localName(other, otherName)
		if err != nil {
			return err
		}
		if taken == local {
			return fmt.Errorf("%q and %q are both imported as %s", path, other, local)
		}
	}
	return nil
}

// localName is the name by which a file knows an import.
func (c *composition) localName(path, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	p, err := c.Importer.Import(path)
	if err != nil {
		return "", fmt.Errorf("%q cannot be imported: %w", path, err)
	}
	return p.Name(), nil
}

// added returns the imports that a file gets for its variants.
func (c *composition) added(src *source) []*ast.ImportSpec {
	var specs []*ast.ImportSpec
	for _, path := range slices.Sorted(maps.Keys(c.fresh[src])) {
		if !c.wanted(src, path) {
			continue
		}
		spec := &ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}}
		if name := c.fresh[src][path]; name != "" {
			spec.Name = ast.NewIdent(name)
		}
		specs = append(specs, spec)
	}
	return specs
}

// wanted reports whether a variant that is still in imports path.
func (c *composition) wanted(src *source, path string) bool {
	for at, own := range c.imports {
		_, has := own[path]
		if _, gone := c.left[at.variant]; has && !gone && at.src == src {
			return true
		}
	}
	return false
}
