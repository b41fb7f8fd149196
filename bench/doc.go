// Package bench measures assay prove side by side with what it replaces: a
// loop that un-does one hunk at a time in place and runs the whole suite.
//
// Nothing here asserts a time. A benchmark reports medians, their ratio and
// how many processes each side
// started: loads of the test suite, and for Go runs of the go command; it fails only when the two
// sides disagree about a hunk, since a fast wrong answer is worth nothing.
//
//	make bench
package bench
