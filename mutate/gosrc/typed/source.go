package typed

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// A nodeKind is which files of a directory are compiled together.
type nodeKind int

const (
	production nodeKind = iota
	inPackage           // production and in-package tests
	external            // the _test package
)

// A nodeID names one package as it is compiled. forTest is the package whose
// tests it is compiled for, when that makes a difference: the tests of p see
// p with its in-package tests, also through the packages that import p.
type nodeID struct {
	u       *universe
	path    string
	kind    nodeKind
	forTest string
}

// test reports whether only tests need the node.
func (id nodeID) test() bool { return id.forTest != "" }

// A source is the Go files of one directory in one universe. It is not
// modified once made.
type source struct {
	u           *universe
	path        string // import path
	dir         string // slash-separated, relative to the tree, or absolute
	lang        string
	all         map[string]*file // by path, files that the build context leaves out included
	prod        []*file
	test, xtest []*file
}

func newSource(u *universe, importPath, dir, lang string, all map[string]*file) *source {
	s := &source{u: u, path: importPath, dir: dir, lang: lang, all: all}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		switch {
		case !f.selected(u.context):
		case !strings.HasSuffix(name, "_test.go"):
			s.prod = append(s.prod, f)
		case strings.HasSuffix(f.parse().Name.Name, "_test"):
			s.xtest = append(s.xtest, f)
		default:
			s.test = append(s.test, f)
		}
	}
	return s
}

// files are those compiled for a node of the source; none means that there is
// no such node.
func (s *source) files(kind nodeKind) []*file {
	switch kind {
	case production:
		return s.prod
	case inPackage:
		if len(s.test) == 0 {
			return nil
		}
		return slices.Concat(s.prod, s.test)
	default:
		return s.xtest
	}
}

// nodes are what is compiled of the source for itself and its own tests.
func (s *source) nodes() []nodeID {
	all := []nodeID{
		{u: s.u, path: s.path, kind: production},
		{u: s.u, path: s.path, kind: inPackage, forTest: s.path},
		{u: s.u, path: s.path, kind: external, forTest: s.path},
	}
	return slices.DeleteFunc(all, func(id nodeID) bool { return len(s.files(id.kind)) == 0 })
}

// name is the name in the package clauses, "" when there are no files.
func (s *source) name() string {
	if len(s.prod) == 0 {
		return ""
	}
	return s.prod[0].parse().Name.Name
}

func dirOf(file string) string { return path.Dir(file) }
