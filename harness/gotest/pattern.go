package gotest

import (
	"maps"
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
	if len(tops) > 0 {
		alternatives = append(alternatives, anyOf(slices.Sorted(maps.Keys(tops))))
	}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if top, _, _ := strings.Cut(name, "/"); tops[top] {
			continue
		}
		elems := strings.Split(name, "/")
		for i, elem := range elems {
			elems[i] = anyOf([]string{elem})
		}
		alternatives = append(alternatives, strings.Join(elems, "/"))
	}
	p = pattern(strings.Join(slices.Compact(alternatives), "|"))
	return p, len(p) <= maxPattern
}

// anyOf matches just these elements of names. It is one expression in
// parentheses: package testing compiles what "|" separates outside of them one
// by one, and tries each on every name (newMatcher in testing/match.go), which
// costs ten times as much CPU as the tests themselves where a hundred are
// selected.
func anyOf(elems []string) string {
	quoted := make([]string, len(elems))
	for i, elem := range elems {
		quoted[i] = regexp.QuoteMeta(elem)
	}
	if len(quoted) == 1 {
		return "^" + quoted[0] + "$"
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}

func splitLines(text []byte) []string { return strings.Split(string(text), "\n") }
