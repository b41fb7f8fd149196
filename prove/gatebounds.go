package prove

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/harness"
	"assay/mutate"
)

// Bounds of a gate in mutants. A gate without a budget shows so many for each
// affected test and some, so that what it costs follows the change: at most
// mostPrepared when the harness prepares them, mostPlain when each costs a
// process and perhaps a build. Beside a proof of production code the gate is the
// smaller part of what was asked, and gets fewer; a gate alone with a budget
// goes on until that is spent.
const (
	perTest, leastMutants       = 20, 40
	mostPrepared                = 400
	mostPlain                   = 60
	besidePrepared, besidePlain = 60, 12
	// mostDistant bounds the mutants of lines that no test is seen on itself, as
	// those that run when a file is imported: every test may notice these, and
	// each costs a process on either side. They come when others are few.
	mostDistant = 6
	// Where tests are slow, base's are shown no more mutants than take
	// screenFactor times what a run of them took, or screenLeast, but
	// leastMutants and leastPerTest for each test in any case: how much time
	// there was must not decide whether a weakened test is found.
	screenFactor = 5
	screenLeast  = 10 * time.Second
	leastPerTest = 10
	// mostVariants bounds what one preparation holds, lineVariants where a
	// mutant a line does, mostSource the bytes of source that mutants are made
	// of.
	mostVariants = 1500
	lineVariants = 600
	mostSource   = 400_000
)

// ranked orders mutants; of each line the most telling come before all the
// others.
func ranked(mutants []*gateMutant, operators []mutate.Operator) []*gateMutant {
	rank := func(m *gateMutant) int {
		switch {
		case m.distant:
			return 3
		case len(m.before) > 0 && len(m.after)+len(m.others) == 0:
			return 0 // its line lost its coverage
		case len(m.before) > 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(mutants, func(a, b *gateMutant) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.others), len(b.others)))
	})
	plain := make([]mutate.Mutant, len(mutants))
	for i, m := range mutants {
		plain[i] = m.Mutant
	}
	first := map[int]bool{}
	var order []*gateMutant
	for _, i := range mutate.OnePerLine(plain, operators) {
		first[i] = true
		order = append(order, mutants[i])
	}
	for i, m := range mutants {
		if !first[i] {
			order = append(order, m)
		}
	}
	return order
}

// bounded keeps as many mutants as the gate may run, of those that every
// affected test comes by in turn.
func (g *gate) bounded(all []*gateMutant) []*gateMutant {
	if g.widens() {
		return all
	}
	most := g.most(topsOf(all, (*gateMutant).tops))
	near := slices.DeleteFunc(slices.Clone(all), func(m *gateMutant) bool { return m.distant })
	far := slices.DeleteFunc(slices.Clone(all), func(m *gateMutant) bool { return !m.distant })
	kept := shared(near, most, (*gateMutant).tops)
	most -= len(kept)
	if g.prepares() {
		most = min(most, mostDistant)
	}
	kept = append(kept, shared(far, most, (*gateMutant).tops)...)
	g.left += len(all) - len(kept)
	return kept
}

// prepares reports whether mutants are run without a process and a build each.
func (g *gate) prepares() bool {
	_, ok := g.now.session.(harness.Preparer)
	return ok && !g.p.cfg.Plain
}

// most is how many mutants are shown for the sake of so many tests.
func (g *gate) most(tests []string) int {
	return mostMutants(len(tests), g.prepares(), !g.p.testsAlone())
}

func mostMutants(tests int, prepared, beside bool) int {
	wanted := leastMutants + perTest*tests
	switch {
	case beside && prepared:
		return min(wanted, besidePrepared)
	case beside:
		return min(wanted, besidePlain)
	case prepared:
		return min(wanted, mostPrepared)
	}
	return min(wanted, mostPlain)
}

// tops are the affected tests that come by the mutant on either side.
func (m *gateMutant) tops() []string { return topNames(slices.Concat(m.before, m.after)) }

// topNames are tests without their parameters, each once, sorted.
func topNames(ids []harness.TestID) []string {
	var tops []string
	for _, id := range ids {
		top, _, _ := strings.Cut(string(id), "[")
		tops = append(tops, top)
	}
	slices.Sort(tops)
	return slices.Compact(tops)
}

// topsOf are the tests of all of them, each once, sorted.
func topsOf[T any](all []T, tops func(T) []string) []string {
	seen := map[string]bool{}
	for _, one := range all {
		for _, top := range tops(one) {
			seen[top] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// shared takes n of them: the best that is left of each test's, in turn. The
// first of what it returns are shared as well.
func shared[T any](all []T, n int, tops func(T) []string) []T {
	queues := map[string][]int{}
	for i, one := range all {
		for _, top := range tops(one) {
			queues[top] = append(queues[top], i)
		}
	}
	taken := map[int]bool{}
	var kept []T
	names := slices.Sorted(maps.Keys(queues))
	for before := -1; before < len(taken); {
		before = len(taken)
		for _, top := range names {
			queues[top] = slices.DeleteFunc(queues[top], func(i int) bool { return taken[i] })
			if len(queues[top]) > 0 && len(taken) < n {
				taken[queues[top][0]] = true
				kept = append(kept, all[queues[top][0]])
			}
		}
	}
	return kept
}

// testsAlone reports whether nothing but tests is judged.
func (p *proof) testsAlone() bool {
	return p.cfg.TestsOnly || !slices.ContainsFunc(p.subjects, func(s *subject) bool { return s.revertible() })
}

// allowance is how long base's tests may be shown mutants; 0 means without end.
func (g *gate) allowance() time.Duration {
	if g.widens() {
		return 0
	}
	return max(screenLeast, time.Duration(screenFactor*g.then.base.Seconds*float64(time.Second)))
}

// widens reports whether the gate goes on for as long as there is time.
func (g *gate) widens() bool { return g.p.cfg.Budget > 0 && g.p.testsAlone() }
