package gotest

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/harness"
)

var (
	_ harness.Namer = (*session)(nil)
	_ harness.Filer = (*session)(nil)
)

// testFunc is the name of a function that `go test` runs by itself.
var testFunc = regexp.MustCompile(`^(Test|Fuzz|Example)($|[^a-z])`)

// Named returns the ID of the test that a top-level function of a test file
// is; the baseline must have met it, whatever its outcome. A helper is no test.
func (s *session) Named(file, declaration string) []harness.TestID {
	if !testFunc.MatchString(declaration) {
		return nil
	}
	for _, at := range s.graph.suites {
		if at.dir == path.Dir(file) && at.head.met(declaration) {
			return []harness.TestID{at.id(declaration)}
		}
	}
	return nil
}

// InFile returns the top-level tests of the packages whose test binaries hold
// the file: any of them may use what it declares.
func (s *session) InFile(file string) []harness.TestID {
	var ids []harness.TestID
	for _, at := range s.graph.suites {
		if at.dir != path.Dir(file) {
			continue
		}
		for _, name := range at.head.names() {
			ids = append(ids, at.id(name))
		}
	}
	return ids
}

// names are the top-level tests that the baseline met, sorted.
func (st standing) names() []string {
	all := map[string]bool{}
	for _, met := range []map[string]bool{st.green, st.flaky, st.skipped} {
		maps.Copy(all, met)
	}
	for name := range st.red {
		all[name] = true
	}
	maps.DeleteFunc(all, func(name string, _ bool) bool { return strings.Contains(name, "/") })
	return slices.Sorted(maps.Keys(all))
}

// met reports whether the baseline has a result of the test.
func (st standing) met(name string) bool {
	_, red := st.red[name]
	return red || st.green[name] || st.flaky[name] || st.skipped[name]
}
