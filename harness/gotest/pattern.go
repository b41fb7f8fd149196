package gotest

import (
	"regexp"
	"slices"
	"strings"
)

// A pattern is the value of -test.run or -test.skip.
type pattern string

// maxPattern bounds a pattern, in bytes: an argument of a process holds at
// most 128 KiB on Linux.
const maxPattern = 100 << 10

// matching returns the pattern that matches exactly the named tests, their
// subtests and, for -test.run, the tests they are part of. It is "" for no
// names. ok is false when the pattern would be too long.
func matching(names []string) (p pattern, ok bool) {
	tops := map[string]bool{}
	for _, name := range names {
		if !strings.Contains(name, "/") {
			tops[name] = true
		}
	}
	var alternatives []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		top, _, sub := strings.Cut(name, "/")
		if sub && tops[top] {
			continue
		}
		elems := strings.Split(name, "/")
		for i, elem := range elems {
			elems[i] = "^" + regexp.QuoteMeta(elem) + "$"
		}
		alternatives = append(alternatives, strings.Join(elems, "/"))
	}
	p = pattern(strings.Join(slices.Compact(alternatives), "|"))
	return p, len(p) <= maxPattern
}

func splitLines(text []byte) []string { return strings.Split(string(text), "\n") }
