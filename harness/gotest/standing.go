package gotest

import (
	"slices"
	"strings"

	"assay/harness"
)

// A standing is what the baseline learnt of a suite.
type standing struct {
	green   map[string]bool // tests and subtests that passed both times
	skipped map[string]bool // by themselves
	red     map[string]harness.Result
	flaky   map[string]bool
	seconds float64 // of the longer of the last two runs
	opened  map[string]bool
	// oddEnd is set when the binary exits with a failure though no test fails.
	oddEnd bool
}

// excluded returns the names of the tests that never serve.
func (st standing) excluded() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range st.red {
			if !yield(name) {
				return
			}
		}
		for name := range st.flaky {
			if !yield(name) {
				return
			}
		}
	})
}

// tops returns the green top-level tests, sorted.
func (st standing) tops() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range st.green {
			if !strings.Contains(name, "/") && !yield(name) {
				return
			}
		}
	})
}

// take excludes what failed in one of two runs, as red when it failed in both
// and as flaky otherwise. It reports whether there was anything.
func (st *standing) take(at *suite, first, second ran) bool {
	bad := map[string]int{}
	for _, r := range []ran{first, second} {
		for name := range r.of {
			if !r.redBelow(name) {
				bad[name]++
			}
		}
	}
	for name := range first.wavering(second) {
		bad[name] = 1
	}
	for name, times := range bad {
		if times == 2 {
			st.red[name] = harness.Result{ID: at.id(name), Status: harness.Failed, Red: first.of[name], Seconds: first.seconds(name)}
		} else {
			st.flaky[name] = true
		}
	}
	return len(bad) > 0
}

// wavering returns the tests that passed in one run and skipped themselves in
// the other.
func (r ran) wavering(other ran) map[string]bool {
	found := map[string]bool{}
	for _, one := range r.order {
		again := other.tests[one.name]
		if again == nil || r.of[one.name] != nil || other.of[one.name] != nil {
			continue
		}
		if one.state != again.state && one.ended() && again.ended() {
			found[one.name] = true
		}
	}
	return found
}

// redBelow reports whether a subtest of name is red: it is then the subtest
// that is taken out first, and the test may come back.
func (r ran) redBelow(name string) bool {
	for other := range r.of {
		if strings.HasPrefix(other, name+"/") {
			return true
		}
	}
	return false
}

func (r ran) seconds(name string) float64 {
	if at := r.tests[name]; at != nil {
		return at.seconds
	}
	return 0
}

// keep records two runs in which nothing failed. A test that only one of them
// had (a subtest named after a port or the time) is not known by name.
func (st *standing) keep(first, second ran) {
	st.green, st.skipped = map[string]bool{}, map[string]bool{}
	for _, one := range first.order {
		other := second.tests[one.name]
		switch {
		case other == nil || one.state != other.state:
		case one.state == passed:
			st.green[one.name] = true
		case one.state == skipped:
			st.skipped[one.name] = true
		}
	}
	st.seconds = max(first.end.Duration, second.end.Duration).Seconds()
	st.oddEnd = first.end.Code != 0 || second.end.Code != 0
}
