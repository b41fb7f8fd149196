// Package bench measures assay prove side by side with what it replaces: a
// loop that un-does one hunk at a time in place and runs the whole suite.
//
// Nothing here asserts a time. A benchmark reports medians, their ratio and
// how many processes each side
// started: loads of the test suite, and for Go runs of the go command; it fails only when the two
// sides disagree about a hunk, since a fast wrong answer is worth nothing.
//
// The planning benchmarks run no test: they tell what finding out how a hunk is
// un-done costs on a project of 50,000 lines (load-s: reading it, with one hunk
// a file; s/10hunks: ten further hunks; cpu-: the same in processor time).
//
//	make bench
//	make bench-plan
package bench
