package probe

import (
	"context"
	"fmt"
	"slices"

	"assay/harness"
)

// Config is what a Run is told beside the place.
type Config struct {
	Conditions
	Language string   // of the tests, for the report
	Named    []string // tests, files or directories; empty means the whole suite
	Attempts int      // fresh processes a test; less than 1 is 1
	// PerSite bounds how many tests are probed of those that arm their
	// deadline in one place; 0 means all. The others are named as unprobed.
	PerSite int
	Most    int // probes at most; 0 means no bound
	Expect  []Expectation
}

// A Result is everything that a Run found.
type Result struct {
	Probes   []Probe
	Unprobed []Unprobed
	Tests    int // that the discovery ran
	// Suite is how many tests have no deadline but that of the whole suite,
	// and where it is armed.
	Suite   int
	SuiteAt string
	Slow    int // tests with only deadlines that interrupt nothing
	Trouble string
	Output  string
}

// An Unprobed is a test that arms a deadline and was not probed.
type Unprobed struct {
	Test    harness.TestID `json:"test"`
	At      string         `json:"at"` // where it arms its deadline
	Fixture string         `json:"fixture,omitempty"`
	Why     string         `json:"why"`
}

// Run discovers and probes. When ctx ends it returns what it has, the rest as
// unprobed, with ctx's error.
func Run(ctx context.Context, cfg Config, p Prober, place Place) (Result, error) {
	place.say("discovering which tests arm a deadline")
	found, err := p.Discover(ctx, place, cfg.Named)
	if err != nil {
		return Result{}, fmt.Errorf("looking for tests that arm a deadline: %w", err)
	}
	r := Result{Tests: len(found.Tests), Trouble: found.Trouble, Output: found.Output}
	r.count(found, cfg.Conditions)
	jobs, left := cfg.choose(found)
	r.Unprobed = left
	for i, j := range jobs {
		place.say(fmt.Sprintf("[%d/%d] probing %s", i+1, len(jobs), j.found.Test))
		one, err := cfg.probe(ctx, p, place, j)
		if ctx.Err() != nil {
			r.Unprobed = append(r.Unprobed, unprobed(jobs[i:], "interrupted")...)
			return r, ctx.Err()
		}
		if err != nil {
			return r, fmt.Errorf("probing %s: %w", j.found.Test, err)
		}
		r.Probes = append(r.Probes, one)
	}
	r.Probes = append(r.Probes, cfg.unmatched(found)...)
	for i := range r.Probes {
		r.Probes[i].Language = cfg.Language
	}
	return r, nil
}

func (p Place) say(text string) {
	if p.Observe != nil {
		p.Observe(text)
	}
}

func (r *Result) count(d Discovery, c Conditions) {
	for _, f := range d.Tests {
		switch {
		case f.arms(c):
		case len(f.Facts.Suite) > 0:
			r.Suite++
			r.SuiteAt = f.Facts.Suite[0].At
		case len(f.Facts.Slow) > 0:
			r.Slow++
		}
	}
}

// A job is one probe to make.
type job struct {
	found Found
	c     Conditions
	want  *Expectation // nil: none
}

// choose says what is probed and what is left out: the tests that arm a
// deadline, those that the user names one by one, and each that the settings
// expect something of, once for each expectation.
func (cfg Config) choose(d Discovery) (jobs []job, left []Unprobed) {
	sites := map[string]int{}
	for _, f := range d.Tests {
		named := slices.Contains(cfg.Named, string(f.Test))
		if !f.arms(cfg.Conditions) && !named && len(cfg.expected(f.Test)) == 0 {
			continue
		}
		if wants := cfg.expected(f.Test); len(wants) > 0 {
			for _, w := range wants {
				jobs = append(jobs, job{f, w.over(cfg.Conditions), &w})
			}
			continue
		}
		if cfg.Most > 0 && len(jobs) >= cfg.Most {
			left = append(left, unprobed([]job{{found: f, c: cfg.Conditions}}, "enough others were")...)
			continue
		}
		site := f.site(cfg.Conditions)
		sites[site]++
		if cfg.PerSite > 0 && sites[site] > cfg.PerSite && !named {
			left = append(left, unprobed([]job{{found: f, c: cfg.Conditions}}, "another test of the same deadline was")...)
			continue
		}
		jobs = append(jobs, job{f, cfg.Conditions, nil})
	}
	return jobs, left
}

// site is where a test arms the first of its deadlines, and in which fixture.
func (f Found) site(c Conditions) string {
	for _, a := range f.Facts.Armings(c.Global) {
		return a.Fixture + " " + a.At
	}
	return string(f.Test)
}

func unprobed(jobs []job, why string) []Unprobed {
	var all []Unprobed
	for _, j := range jobs {
		u := Unprobed{Test: j.found.Test, Why: why}
		for _, a := range j.found.Facts.Armings(j.c.Global) {
			u.At, u.Fixture = a.At, a.Fixture
			break
		}
		all = append(all, u)
	}
	return all
}

// probe makes the attempts of one test. One that was late and may have been cut
// short is followed by one with stretched deadlines, which lists all of it.
func (cfg Config) probe(ctx context.Context, p Prober, place Place, j job) (Probe, error) {
	var all []Attempt
	for range max(1, cfg.Attempts) {
		a, err := attempt(ctx, p, place, j.found.Test, j.c)
		if err != nil {
			return Probe{}, err
		}
		all = append(all, a)
		if a.Verdict != Late || !a.cut() {
			continue
		}
		whole := j.c
		whole.ArmedDelay, whole.Plants, whole.Stretch = false, nil, true
		if a, err = attempt(ctx, p, place, j.found.Test, whole); err != nil {
			return Probe{}, err
		}
		a.Stretched = true
		all = append(all, a)
	}
	one := sum(j.found.Test, all, j.c)
	if j.want != nil {
		j.want.hold(&one)
	}
	return one, nil
}

func attempt(ctx context.Context, p Prober, place Place, test harness.TestID, c Conditions) (Attempt, error) {
	f, err := p.Probe(ctx, place, test, c)
	if err != nil {
		return Attempt{}, err
	}
	return attemptOf(f, c), nil
}

// sum makes one Probe of its attempts: the gravest speaks, the first of several.
func sum(test harness.TestID, all []Attempt, c Conditions) Probe {
	worst, most := 0, 0
	for i, a := range all {
		if !a.Stretched && worse(a.Verdict, all[worst].Verdict) {
			worst = i
		}
		if len(a.Late) > len(all[most].Late) {
			most = i
		}
	}
	one := Probe{Test: test, Facts: all[worst].Facts, Attempts: all}
	one.Verdict, one.Reason, one.Detail = Decide(one.Facts, c)
	if one.Verdict == Late {
		one.Late = all[most].Late
		one.Preload = preload(one.Facts, c)
	}
	if one.Verdict == Late && one.Status == harness.Failed && len(one.Planted) > 0 {
		one.Detail += "; slowed down, the test fails: " + one.Message
	}
	return one
}
