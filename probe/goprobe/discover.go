package goprobe

import (
	"context"
	"slices"
	"strings"

	"assay/harness"
	"assay/probe"
)

// discover runs the tests of a module and adds what each of them armed.
func (w *work) discover(ctx context.Context, named []string, d *probe.Discovery) error {
	suspects, err := w.suspects()
	if err != nil {
		return err
	}
	chosen, err := w.chosen(ctx, named)
	if err != nil {
		return err
	}
	for _, p := range suspects {
		if pattern, wanted := namedIn(p, named, chosen); wanted {
			if err := w.discoverIn(ctx, p, pattern, d); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *work) discoverIn(ctx context.Context, p pkg, pattern string, d *probe.Discovery) error {
	if w.place.Observe != nil {
		w.place.Observe("building and running " + p.ImportPath)
	}
	r, err := w.run(ctx, p, pattern, probe.Conditions{})
	if err != nil {
		return err
	}
	if r.trouble != "" && len(r.results) == 0 {
		d.Trouble, d.Output = r.trouble, r.output
		return nil
	}
	for _, t := range r.tests() {
		f := r.facts(t)
		d.Tests = append(d.Tests, probe.Found{Test: harness.TestID(p.ImportPath + "." + t), Status: f.Status, Facts: f})
	}
	return nil
}

// tests are those that ended or were seen, sorted.
func (r ran) tests() []string {
	var tests []string
	for t := range r.results {
		tests = append(tests, t)
	}
	for t := range r.seen {
		if _, ended := r.results[t]; !ended && t != "" {
			tests = append(tests, t) // the process ended in it
		}
	}
	slices.Sort(tests)
	return tests
}

// namedIn is the pattern of the tests that the user wants of a package, and
// whether there are any; no name means all.
func namedIn(p pkg, named []string, chosen map[string]bool) (pattern string, wanted bool) {
	if len(named) == 0 || chosen[p.ImportPath] {
		return "", true
	}
	var tests []string
	for _, n := range named {
		if path, test := split(harness.TestID(n)); path == p.ImportPath && test != "" {
			tests = append(tests, test)
		}
	}
	return "^(" + strings.Join(tests, "|") + ")$", len(tests) > 0
}
