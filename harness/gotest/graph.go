package gotest

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"assay/harness"
)

// A pkg is one directory of the tree with Go code.
type pkg struct {
	dir        string // slash-separated, relative to the tree
	importPath string
	listed     listed // at head; Dir is where the session's own tree has it
}

// A suite is the test binary of one package.
type suite struct {
	pkg
	module module
	deps   map[string]bool // directories of the tree whose packages it holds
	broken string          // why it cannot be listed or built at head, else ""
	lent   bool            // the baseline ran a binary of Prepare, none of its own

	only pattern // what is run of it when everything is; "" for all tests

	head standing // filled by the baseline
}

func (s *suite) id(test string) harness.TestID { return harness.TestID(s.importPath + "." + test) }

// A role is what a file is to a package.
type role int

const (
	compiled role = iota // part of the package proper
	embedded             // by the package proper
	tested               // compiled into or embedded in the package's own test binary only
	excluded             // by build constraints, on this platform
)

// A part is one file of a package.
type part struct {
	dir  string // of the package
	role role
}

// A graph is the packages of the tree and what tests hold them.
type graph struct {
	pkgs   map[string]pkg // by directory
	suites []*suite       // by import path
	parts  map[string][]part
}

// A graphBuilder gathers what go list prints for each module. A package that
// several modules reach is the same when its directory is.
type graphBuilder struct {
	root  string
	pkgs  map[string]pkg
	dirs  map[string]string // import path of this module's listing to directory
	byID  map[string]*suite
	parts map[string][]part
	notes []string
}

func newGraphBuilder(root string) *graphBuilder {
	return &graphBuilder{root: root, pkgs: map[string]pkg{}, byID: map[string]*suite{}, parts: map[string][]part{}}
}

func (b *graphBuilder) add(m module, all []listed) {
	b.dirs = map[string]string{}
	for _, p := range all {
		if dir, ok := b.treeDir(p); ok && p.ForTest == "" && !strings.HasSuffix(p.ImportPath, ".test") {
			b.addPackage(dir, p)
		}
	}
	for _, p := range all {
		if _, ok := b.treeDir(p); ok && p.Name == "main" && strings.HasSuffix(p.ImportPath, ".test") {
			b.addSuite(m, p)
		}
	}
}

// treeDir returns the package's directory inside the tree.
func (b *graphBuilder) treeDir(p listed) (string, bool) {
	if p.Standard || p.Dir == "" {
		return "", false
	}
	return inside(b.root, p.Dir)
}

func (b *graphBuilder) addPackage(dir string, p listed) {
	b.dirs[p.ImportPath] = dir
	if _, known := b.pkgs[dir]; known {
		return
	}
	b.pkgs[dir] = pkg{dir: dir, importPath: p.ImportPath, listed: p}
	for r, lists := range map[role][][]string{
		compiled: {p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles},
		embedded: {p.EmbedFiles},
		tested:   {p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles},
		excluded: {p.IgnoredGoFiles, p.IgnoredOtherFiles},
	} {
		for _, file := range slices.Concat(lists...) {
			if !filepath.IsAbs(file) { // cgo's products lie in the build cache
				b.parts[join(dir, file)] = append(b.parts[join(dir, file)], part{dir: dir, role: r})
			}
		}
	}
}

func (b *graphBuilder) addSuite(m module, p listed) {
	importPath := strings.TrimSuffix(p.ImportPath, ".test")
	dir, known := b.dirs[importPath]
	if !known || !within(m, dir) {
		return
	}
	if other := b.byID[importPath]; other != nil {
		if other.dir != dir {
			b.notes = append(b.notes, fmt.Sprintf("%s and %s are both the package %s; the tests of the second are not run", other.dir, dir, importPath))
		}
		return
	}
	s := &suite{pkg: b.pkgs[dir], module: m, deps: map[string]bool{}}
	for _, dep := range p.Deps {
		if at, ours := b.dirs[plainPath(dep)]; ours {
			s.deps[at] = true
		}
	}
	b.byID[importPath] = s
}

// within reports whether dir lies in the module's directory.
func within(m module, dir string) bool {
	return m.rel == "." || dir == m.rel || strings.HasPrefix(dir, m.rel+"/")
}

func (b *graphBuilder) graph() graph {
	g := graph{pkgs: b.pkgs, parts: b.parts}
	for _, importPath := range slices.Sorted(maps.Keys(b.byID)) {
		g.suites = append(g.suites, b.byID[importPath])
	}
	return g
}

// holding returns the suites that hold the package of dir, its own first.
func (g graph) holding(dir string) []*suite {
	var own, others []*suite
	for _, s := range g.suites {
		switch {
		case s.dir == dir:
			own = append(own, s)
		case s.deps[dir]:
			others = append(others, s)
		}
	}
	return append(own, others...)
}

// of returns the suites of the tests of dir itself.
func (g graph) of(dir string) []*suite {
	return slices.DeleteFunc(g.holding(dir), func(s *suite) bool { return s.dir != dir })
}

// suite returns the suite a test belongs to, nil for none. Import paths hold
// dots, so the longest that fits is the one.
func (g graph) suite(id harness.TestID) *suite {
	var best *suite
	for _, s := range g.suites {
		if strings.HasPrefix(string(id), s.importPath+".") && (best == nil || len(s.importPath) > len(best.importPath)) {
			best = s
		}
	}
	return best
}
