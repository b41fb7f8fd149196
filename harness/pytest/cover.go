package pytest

import (
	"path"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
)

// Cover returns the green tests that reach the lines: for a probed source
// those that ran the very lines, or when there are none those that ran the
// function around them; for a watched file those that opened it. Tests that start processes
// are added, since nobody sees what those reach.
func (s *session) Cover(file string, lines change.Span) harness.Selection {
	if s.reach == nil || !s.targets[file] || s.absent[file] {
		return s.Widest(file)
	}
	r := s.reach
	switch {
	case len(r.sources[file]) > 0:
		return s.coverSource(file, lines)
	case path.Base(file) == "conftest.py", s.holdsTests(file), r.unprobed[file]:
		return s.Widest(file)
	}
	opened, idle := r.opened(file)
	switch {
	case idle && !isPython(file):
		return s.selection(harness.OpenedFile, s.tests)
	case len(opened) > 0:
		return s.selection(harness.OpenedFile, r.withSpawners(opened))
	case !isPython(file):
		return s.selection(harness.All, s.tests)
	case len(r.spawners) > 0:
		return s.selection(harness.Package, r.spawners)
	}
	return s.selection(harness.Hit, nil) // no test loads it
}

func (s *session) coverSource(file string, lines change.Span) harness.Selection {
	found := s.reach.lines(file, lines)
	tests := append(found.tests, s.inFile(file)...) // doctests of the file itself
	switch {
	case found.importTime:
		return s.selection(harness.ImportTime, append(tests, s.tests...))
	case found.exact:
		return s.selection(harness.Hit, s.reach.withSpawners(tests))
	case len(tests) > 0: // they come near; none is seen on the lines
		return s.selection(harness.Package, s.reach.withSpawners(tests))
	}
	if len(s.reach.spawners) > 0 {
		return s.selection(harness.Package, s.reach.spawners)
	}
	return s.selection(harness.Hit, nil)
}

// Widest returns every green test that could notice an edit of the file: the
// tests below a conftest.py, all tests for anything else.
func (s *session) Widest(file string) harness.Selection {
	if path.Base(file) != "conftest.py" {
		return s.selection(harness.All, s.tests)
	}
	dir := path.Dir(file) + "/"
	var below []*known
	for _, t := range s.tests {
		if dir == "./" || strings.HasPrefix(t.file, dir) || t.file == "" {
			below = append(below, t)
		}
	}
	return s.selection(harness.Package, below)
}

// selection keeps the green tests, each once, and names the others that could
// have served.
func (s *session) selection(basis harness.Basis, tests []*known) harness.Selection {
	sel := harness.Selection{Basis: basis}
	seen := map[harness.TestID]bool{}
	for _, t := range tests {
		if seen[t.id] {
			continue
		}
		seen[t.id] = true
		switch t.state {
		case green:
			sel.Tests = append(sel.Tests, t.id)
		case red, flaky:
			sel.Excluded = append(sel.Excluded, t.id)
		}
	}
	sel.Excluded = append(sel.Excluded, s.uncollected()...)
	everything := len(sel.Tests) == len(s.ids(green)) && len(s.ids(red, flaky)) == 0
	sel.Baselined = everything && len(sel.Tests) > 0
	return sel
}

// uncollected are the files that do not collect at head. What their tests
// would notice is not known, so they might belong to any selection.
func (s *session) uncollected() []harness.TestID {
	var ids []harness.TestID
	for _, id := range s.broken {
		ids = append(ids, harness.TestID(id))
	}
	return ids
}

func (s *session) holdsTests(file string) bool { return len(s.inFile(file)) > 0 }

func (s *session) inFile(file string) []*known {
	var found []*known
	for _, t := range s.tests {
		if t.file == file {
			found = append(found, t)
		}
	}
	return found
}

// withSpawners adds the tests that start processes, after the others.
func (r *reach) withSpawners(tests []*known) []*known {
	return append(slices.Clone(tests), r.spawners...)
}
