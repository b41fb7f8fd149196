package gotest

import (
	"path"
	"slices"

	"assay/harness"
)

// focused keeps the suites that the files are a part of, and of each the tests
// that are named where all are; the whole graph for no files.
func (g graph) focused(files []harness.Focus) graph {
	if len(files) == 0 {
		return g
	}
	g.suites = slices.DeleteFunc(g.suites, func(s *suite) bool {
		return !slices.ContainsFunc(files, func(f harness.Focus) bool { return path.Dir(f.Path) == s.dir })
	})
	for _, s := range g.suites {
		s.only = confined(files, s.dir)
	}
	return g
}

// confined matches the tests of the files of one directory; "" where one of
// them may be used by any test.
func confined(files []harness.Focus, dir string) pattern {
	var names []string
	for _, f := range files {
		if path.Dir(f.Path) != dir {
			continue
		}
		if len(f.Tests) == 0 || slices.ContainsFunc(f.Tests, func(name string) bool { return !testFunc.MatchString(name) }) {
			return ""
		}
		names = append(names, f.Tests...)
	}
	only, ok := matching(names)
	if !ok {
		return ""
	}
	return only
}
