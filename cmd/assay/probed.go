package main

import (
	"assay/probe"
)

// Probed is one [[probe]] of assay.toml: what a test that arms a deadline is
// held to.
type Probed struct {
	Test   string   `toml:"test"`   // a node id, or the file or class above it
	Expect string   `toml:"expect"` // held (the default), late or inconclusive
	Plant  []string `toml:"plant"`  // MODULE=DURATION
	Watch  []string `toml:"watch"`  // must be loaded when a deadline is armed
}

// expectation reads one [[probe]]; where names the file.
func (p Probed) expectation(where string) (probe.Expectation, error) {
	e := probe.Expectation{Test: p.Test, Verdict: probe.Verdict(p.Expect), Watch: p.Watch}
	if p.Test == "" {
		return e, mistakef("%s: a [[probe]] names no test; give it test = \"tests/test_x.py::test_y\"", where)
	}
	switch e.Verdict {
	case "", probe.Held, probe.Late, probe.Inconclusive:
	default:
		return e, mistakef("%s: probe %q expects %q; it can be held, late or inconclusive", where, p.Test, p.Expect)
	}
	var err error
	e.Plants, err = plants(p.Plant, where+": probe "+p.Test+": plant")
	return e, err
}

// plants reads NAME=DURATION words; where says where they stand.
func plants(words []string, where string) ([]probe.Plant, error) {
	var all []probe.Plant
	for _, w := range words {
		p, err := probe.ParsePlant(w)
		if err != nil {
			return nil, mistakef("%s: %w", where, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// expectations reads all of the configuration.
func (c Config) expectations() ([]probe.Expectation, error) {
	var all []probe.Expectation
	for _, p := range c.Probe {
		e, err := p.expectation(configName)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}
