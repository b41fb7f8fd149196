package typed

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// A partial check of a node is one against its instance of head: every
// declaration is checked, but only the function bodies that are edited or
// could notice an edited declaration. The package it yields is whole as far as
// importers can see.
type partial struct {
	*checker
	head   *instance
	pairs  map[string]*pairing // by path, edited files only
	keep   map[*unit]bool      // units of c.files whose bodies are checked
	differ map[string]bool     // names that importers can notice
	stale  map[*unit]*unit     // unchecked units of edited files -> those of head
}

// partial returns how to check the node against head, nil when only a check
// of the whole will do: syntax errors on either side, a dot import
// (whose uses do not show in the text), or an import that stands for another
// package than at head, unless it is known by which names the two differ.
func (c *checker) partial(head *instance, edited map[string]*fileEdit) *partial {
	if head == nil || len(head.findings) > 0 && head.findings[0].code == SyntaxError {
		return nil
	}
	var names []string
	for path, got := range c.imports {
		if was, ok := head.imports[path]; ok && was.key != got.key {
			if got.differ == nil || was.id != got.id {
				return nil
			}
			names = slices.AppendSeq(names, maps.Keys(got.differ))
		}
	}
	p := &partial{checker: c, head: head, pairs: map[string]*pairing{}, keep: map[*unit]bool{}, stale: map[*unit]*unit{}}
	for _, f := range c.files {
		if len(f.errs) > 0 || f.importsDot() {
			return nil
		}
	}
	for path, e := range edited {
		if head.fileOf(path) == fileOf(c.files, path) {
			continue // of another package
		}
		if head.fileOf(path) != e.old || fileOf(c.files, path) != e.neu {
			return nil // one side is left out by the build context
		}
		p.pairs[path] = e.pair()
		for _, u := range p.pairs[path].gone {
			names = append(names, u.visible()...)
		}
	}
	units, known := head.index().affected(names)
	p.differ = known
	p.choose(units)
	return p
}

// choose decides which bodies are checked, given the units of head that could
// notice a difference.
func (p *partial) choose(affected map[*unit]bool) {
	for _, f := range p.files {
		pairs := p.pairs[f.path]
		for _, u := range f.units() {
			old := u
			if pairs != nil {
				old = pairs.head[u]
			}
			switch {
			case old == nil || affected[old]:
				p.keep[u] = true
			case pairs != nil && (pairs.bodies[u] || !pairs.sameImports):
				p.keep[u] = true
			case pairs != nil:
				p.stale[u] = old
			default:
				p.stale[u] = u
			}
		}
	}
}

// instance checks what must be checked. ok is false when a check of the whole
// is needed after all.
func (p *partial) instance(key string) (in *instance, ok bool, err error) {
	var trees []*ast.File
	for _, f := range p.files {
		trees = append(trees, p.tree(f))
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, found, err := p.check(trees, info)
	if err != nil {
		return nil, false, err
	}
	skip := func(u *unit) bool { return u.hasBody && !p.keep[u] }
	if referencesOf(pkg, p.files, info, skip).mayCycle(p.head.index().refs) {
		return nil, false, nil
	}
	found = slices.DeleteFunc(found, p.usedElsewhere)
	return &instance{id: p.id, key: key, files: p.files, imports: p.imports, pkg: pkg, findings: found, bodies: len(p.keep), differ: p.differ}, true, nil
}

// tree is the syntax of a file with the bodies that are not checked left out.
func (p *partial) tree(f *file) *ast.File {
	short := *f.parse()
	short.Decls = slices.Clone(f.stubs())
	for _, u := range f.units() {
		if p.keep[u] && u.hasBody {
			short.Decls[u.decl] = f.ast.Decls[u.decl]
		}
	}
	return &short
}

// usedElsewhere reports whether f says that an import is unused which a body
// that was left out uses.
func (p *partial) usedElsewhere(f finding) bool {
	if f.code != UnusedImport {
		return false
	}
	number := slices.IndexFunc(f.file.parse().Imports, func(s *ast.ImportSpec) bool {
		return f.file.offset(s.Pos()) <= f.offset && f.offset <= f.file.offset(s.End())
	})
	for _, u := range f.file.units() {
		if old := p.stale[u]; old != nil && p.head.index().imports[old][number] {
			return true
		}
	}
	return false
}

// fileOf returns the file of a path, nil when there is none.
func fileOf(files []*file, path string) *file {
	i := slices.IndexFunc(files, func(f *file) bool { return f.path == path })
	if i < 0 {
		return nil
	}
	return files[i]
}
