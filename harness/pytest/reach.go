package pytest

import (
	"context"
	"slices"

	"assay/change"
	"assay/harness"
)

// A reach is what the probed run saw.
type reach struct {
	sources  map[string][]source // by file; several when a file was loaded anew
	hits     map[int][]*known    // by probe
	idle     map[int]bool        // probes hit while no test ran
	watch    []string
	opens    map[int][]*known // by place in watch
	idleOpen map[int]bool
	spawners []*known
	unprobed map[string]bool
}

func newReach(s *session, probed *suite) *reach {
	log := probed.last.log
	r := &reach{sources: map[string][]source{}, hits: map[int][]*known{}, idle: map[int]bool{}, watch: probed.watch,
		opens: map[int][]*known{}, idleOpen: map[int]bool{}, unprobed: map[string]bool{}}
	for _, src := range log.Sources {
		r.sources[src.File] = append(r.sources[src.File], src)
	}
	for file := range log.Unprobed {
		r.unprobed[file] = true
		delete(r.sources, file) // a part of what happens was not seen
	}
	for _, t := range log.Tests {
		r.add(s.byID[t.ID], t.Events)
	}
	for _, n := range log.Idle.Hits {
		r.idle[n] = true
	}
	for _, n := range log.Idle.Opens {
		r.idleOpen[n] = true
	}
	return r
}

func (r *reach) add(t *known, e events) {
	for _, n := range e.Hits {
		r.hits[n] = append(r.hits[n], t)
	}
	for _, n := range e.Opens {
		r.opens[n] = append(r.opens[n], t)
	}
	if e.Spawned {
		r.spawners = append(r.spawners, t)
	}
}

// opened returns the tests that opened the file, and whether it was opened
// while no test ran.
func (r *reach) opened(file string) (tests []*known, idle bool) {
	i := slices.Index(r.watch, file)
	return r.opens[i], r.idleOpen[i]
}

// A found is what is known of some lines of a source.
type found struct {
	tests      []*known // those that ran the very lines, or else what is around them
	importTime bool     // the lines also run while no test does
	exact      bool     // some test ran the very lines
	statements bool     // there are statements on the lines
}

// lines looks the lines up in every probed text of the file.
func (r *reach) lines(file string, span change.Span) found {
	var all found
	var around []*known
	for _, src := range r.sources[file] {
		at := src.locate(span)
		for _, n := range at.on {
			all.tests = append(all.tests, r.hits[src.Base+n]...)
			all.importTime = all.importTime || r.idle[src.Base+n] && !src.declares(n)
		}
		for _, n := range at.around {
			around = append(around, r.hits[src.Base+n]...)
		}
		all.statements = all.statements || len(at.on) > 0
		all.importTime = all.importTime || at.atImport
	}
	all.exact = len(all.tests) > 0
	if !all.exact {
		all.tests = around
	}
	return all
}

// Reached answers from the probed run, without running anything.
func (s *session) Reached(_ context.Context, _, file string, lines change.Span) (hit, known bool, err error) {
	if s.reach == nil || len(s.reach.sources[file]) == 0 {
		return false, false, nil
	}
	found := s.reach.lines(file, lines)
	if found.exact || found.importTime {
		return true, true, nil
	}
	// A process that a test started may run the lines unseen.
	return false, found.statements && len(s.reach.spawners) == 0, nil
}

var (
	_ harness.Reach    = (*session)(nil)
	_ harness.Namer    = (*session)(nil)
	_ harness.Preparer = (*session)(nil)
	_ harness.Noter    = (*session)(nil)
)
