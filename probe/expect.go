package probe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/harness"
)

// An Expectation is what a project's settings hold a test to.
type Expectation struct {
	Test    string  // a node id, or the file, class or unparametrized name above it
	Verdict Verdict // "" means held
	Plants  []Plant
	Watch   []string // must be loaded whenever a deadline is armed
}

// expected are the expectations of a test.
func (cfg Config) expected(test harness.TestID) []Expectation {
	var all []Expectation
	for _, e := range cfg.Expect {
		if e.matches(test) {
			all = append(all, e)
		}
	}
	return all
}

func (e Expectation) matches(test harness.TestID) bool {
	rest, ok := strings.CutPrefix(string(test), e.Test)
	return ok && (rest == "" || strings.HasPrefix(rest, "::") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "/"))
}

// over adds the expectation's plants and watches to the conditions.
func (e Expectation) over(c Conditions) Conditions {
	c.Plants = append(slices.Clone(c.Plants), e.Plants...)
	c.Watch = append(slices.Clone(c.Watch), e.Watch...)
	return c
}

// hold writes down what of the expectation the probe does not meet.
func (e Expectation) hold(p *Probe) {
	p.Expected = e.Verdict
	if p.Expected == "" {
		p.Expected = Held
	}
	if p.Verdict != p.Expected {
		p.Unmet = append(p.Unmet, fmt.Sprintf("expected %s, is %s", p.Expected, p.Verdict))
	}
	for _, a := range p.Armed {
		for _, name := range slices.Sorted(maps.Keys(a.Watch)) {
			if slices.Contains(e.Watch, name) && !a.Watch[name] {
				p.Unmet = append(p.Unmet, fmt.Sprintf("%s is not loaded when %s arms its deadline", name, a.At))
			}
		}
	}
	for _, plant := range e.Plants {
		if !slices.ContainsFunc(p.Planted, func(s Planted) bool { return s.Module == plant.Name }) {
			p.Unmet = append(p.Unmet, fmt.Sprintf("the plant in %s never struck: nothing asked for it", plant.Name))
		}
	}
}

// unmatched makes a probe of each expectation that fits no test, so that a
// test that was renamed does not go out of sight. Tests that were named by the
// user leave the others out on purpose.
func (cfg Config) unmatched(d Discovery) []Probe {
	var all []Probe
	for _, e := range cfg.Expect {
		if len(cfg.Named) > 0 || slices.ContainsFunc(d.Tests, func(f Found) bool { return e.matches(f.Test) }) {
			continue
		}
		p := Probe{Test: harness.TestID(e.Test), Verdict: Inconclusive, Reason: NotCollected, Detail: "no test has this name"}
		e.hold(&p)
		all = append(all, p)
	}
	return all
}
