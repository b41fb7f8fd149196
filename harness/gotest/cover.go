package gotest

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
)

// Cover returns the tests of every test binary that holds the file's package,
// that of the package itself first; for other files those that embed it, that
// opened it at head, or of the nearest package above it. Lines are not looked
// at: see Reached.
func (s *session) Cover(path string, _ change.Span) harness.Selection {
	basis, suites := s.covering(path)
	return selection(basis, suites)
}

// Widest returns every green test, those that Cover returns first.
func (s *session) Widest(path string) harness.Selection {
	_, first := s.covering(path)
	return selection(harness.All, union(first, s.graph.suites))
}

// covering returns the suites that an edit of path is seen by.
func (s *session) covering(path string) (harness.Basis, []*suite) {
	parts := s.graph.parts[path]
	var held []*suite
	basis := harness.Package
	for _, p := range parts {
		switch p.role {
		case compiled:
			held = union(held, s.graph.holding(p.dir))
		case tested:
			held = union(held, s.graph.of(p.dir))
		case embedded:
			held = union(held, s.graph.holding(p.dir))
			basis = harness.OpenedFile
		case excluded:
		}
	}
	opened := s.opening(path)
	switch {
	case len(held) > 0:
		return basis, union(held, opened)
	case len(opened) > 0:
		return harness.OpenedFile, opened
	case len(parts) > 0:
		return harness.Package, nil // excluded here, or held by no test
	default:
		return s.around(path)
	}
}

// around returns the suites for a file that is no part of a package at head
// and that no test opened.
func (s *session) around(file string) (harness.Basis, []*suite) {
	if isModuleFile(file) {
		return harness.All, s.graph.suites
	}
	dir := path.Dir(file)
	_, known := s.graph.pkgs[dir]
	switch {
	case strings.HasSuffix(file, "_test.go"):
		return harness.Package, s.graph.of(dir)
	case strings.HasSuffix(file, ".go") && !inTestdata(dir):
		if !known {
			return harness.Package, nil
		}
		return harness.Package, s.graph.holding(dir)
	}
	for ; ; dir = path.Dir(dir) {
		if found := s.graph.holding(dir); len(found) > 0 {
			return harness.Package, found
		}
		if dir == "." {
			return harness.All, s.graph.suites
		}
	}
}

func isModuleFile(file string) bool {
	return slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt"}, path.Base(file))
}

func inTestdata(dir string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), ignoredDir)
}

// opening returns the suites that opened path, or looked into its directory,
// at head.
func (s *session) opening(file string) []*suite {
	var found []*suite
	for _, at := range s.graph.suites {
		opened := at.head.opened
		if opened[file] || (path.Dir(file) != "." && path.Dir(file) != at.dir && opened[path.Dir(file)]) {
			found = append(found, at)
		}
	}
	return found
}

// union appends to first those of second that it lacks.
func union(first, second []*suite) []*suite {
	all := slices.Clone(first)
	for _, at := range second {
		if !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}

// selection selects all green tests of suites. Each suite was run by itself,
// whole, twice at head, so that the selection was too, unless the binary was
// lent: a trial on disk runs another.
func selection(basis harness.Basis, suites []*suite) harness.Selection {
	sel := harness.Selection{Basis: basis, Baselined: true}
	for _, at := range suites {
		if at.broken != "" {
			sel.Excluded = append(sel.Excluded, harness.TestID(at.importPath))
			continue
		}
		sel.Baselined = sel.Baselined && !at.lent
		for _, name := range at.head.tops() {
			sel.Tests = append(sel.Tests, at.id(name))
		}
		for _, name := range at.head.excluded() {
			sel.Excluded = append(sel.Excluded, at.id(name))
		}
	}
	return sel
}

// targetNotes says which targets cannot be seen by any test here.
func (s *session) targetNotes(targets []harness.Target) []string {
	var notes []string
	for _, t := range targets {
		if len(t.Lines) == 0 {
			continue // it did not change
		}
		for _, p := range s.graph.parts[t.Path] {
			if p.role == excluded {
				notes = append(notes, fmt.Sprintf("%s is left out of the build on %s/%s", t.Path, s.env.GOOS, s.env.GOARCH))
			}
		}
	}
	return notes
}
