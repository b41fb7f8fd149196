package gotest

import (
	"path"
	"regexp"

	"assay/harness"
)

var _ harness.Namer = (*session)(nil)

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

// met reports whether the baseline has a result of the test.
func (st standing) met(name string) bool {
	_, red := st.red[name]
	return red || st.green[name] || st.flaky[name] || st.skipped[name]
}
