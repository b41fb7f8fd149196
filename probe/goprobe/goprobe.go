// Package goprobe probes Go tests: what is done for the first time while a
// deadline of the test is armed.
//
// A deadline is a context.WithTimeout or WithDeadline (and their Cause forms) or
// a time.AfterFunc that a test file calls, or a file that imports testing. First
// work is the function of a sync.Once, OnceFunc, OnceValue or OnceValues, and a
// package-level variable that is set because it was still zero. The sources of
// the main module are rewritten on their lines in an overlay, so nothing on disk
// changes and line numbers stay; package agent is compiled in and writes down
// what happens. One binary a package, one process a test.
//
// Limits: sources of other modules, files that use cgo, and deadlines set
// otherwise (a select on time.After, a connection's deadline) are not watched;
// nothing in Go is left half done by a deadline, so there is no interrupt.
package goprobe

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"assay/harness"
	"assay/probe"
)

// New returns the prober of Go tests.
func New() probe.Prober { return prober{} }

type prober struct{}

// Names takes patterns of packages, directories with a dot in front, and ids
// such as example.com/shop.TestPrice.
func (prober) Names(word string) bool {
	return strings.HasPrefix(word, ".") || strings.Contains(word, ".Test") || strings.HasSuffix(word, "/...")
}

// words are how Go tests arm deadlines.
var words = [...]string{"WithTimeout", "WithDeadline", "AfterFunc"}

// Suspects looks through the test files of a tree.
func (prober) Suspects(dir string) (bool, error) {
	skip := func(path string) bool {
		return filepath.Base(path) == "vendor" || filepath.Base(path) == "testdata"
	}
	return probe.Mentioned(dir, words[:], skip, func(path string, _ fs.DirEntry) bool { return strings.HasSuffix(path, "_test.go") })
}

// split cuts an id into its package and its test.
func split(id harness.TestID) (pkg, test string) {
	at := strings.LastIndex(string(id), ".Test")
	if at < 0 {
		return string(id), ""
	}
	test, _, _ = strings.Cut(string(id[at+1:]), "/")
	return string(id[:at]), test
}

// Discover builds and runs the tests of every package that may arm a deadline.
func (prober) Discover(ctx context.Context, p probe.Place, named []string) (probe.Discovery, error) {
	all, err := open(ctx, p)
	var trouble *troubleError
	if errors.As(err, &trouble) {
		return probe.Discovery{Trouble: trouble.text, Output: trouble.output}, nil
	}
	if err != nil {
		return probe.Discovery{}, err
	}
	var d probe.Discovery
	for _, w := range all {
		if err := w.discover(ctx, named, &d); err != nil {
			return probe.Discovery{}, err
		}
	}
	return d, nil
}

// Probe builds the test's package, which is free when nothing has changed, and
// runs the test by itself.
func (prober) Probe(ctx context.Context, p probe.Place, id harness.TestID, c probe.Conditions) (probe.Facts, error) {
	all, err := open(ctx, p)
	var trouble *troubleError
	if errors.As(err, &trouble) {
		return probe.Facts{Status: harness.Unreported, Trouble: trouble.text}, nil
	}
	if err != nil {
		return probe.Facts{}, err
	}
	path, test := split(id)
	for _, w := range all {
		w.plants = c.Plants
		for _, found := range w.packages {
			if found.ImportPath != path {
				continue
			}
			r, err := w.run(ctx, found, "^"+test+"$", c)
			if err != nil {
				return probe.Facts{}, err
			}
			return r.facts(test), nil
		}
	}
	return probe.Facts{Status: harness.Unreported, Trouble: "no package " + path}, nil
}
