package main

import (
	"slices"
	"time"

	"github.com/spf13/pflag"

	"assay/probe"
	"assay/prove"
)

// probeFlags are the flags of assay probe.
type probeFlags struct {
	proveFlags
	at         string
	watch      []string
	plant      []string
	nested     bool
	armedDelay string
	interrupt  string
	attempts   int
	perSite    int
	timeouts   bool
	limit      time.Duration
}

func (f *probeFlags) registerProbe(flags *pflag.FlagSet) {
	f.registerFormats(flags, []string{"json", "table"})
	flags.StringVar(&f.python, "python", "", "the Python `INTERPRETER` that runs pytest (default: found as you would)")
	flags.StringVar(&f.config, "config", "", "read the settings from `FILE` instead of assay.toml")
	flags.StringVar(&f.at, "at", "", "probe `REVISION` instead of the working tree")
	flags.StringSliceVar(&f.watch, "watch", nil, "record whether `MODULE[.ATTR]` is loaded when a deadline is armed")
	flags.StringSliceVar(&f.plant, "plant", nil, "`MODULE=6s`: the first import of MODULE sleeps that long")
	flags.BoolVar(&f.nested, "plant-nested", false, "sleep inside the planted package, once a part of it is loaded, so that it is left half imported")
	flags.StringVar(&f.armedDelay, "armed-delay", "auto", "how long the first import under a deadline sleeps: auto (longer than the deadline), off, or a `DURATION`")
	flags.StringVar(&f.interrupt, "interrupt", "", "fire the deadline inside a late import and name the tests it hurts; =MODULE: once MODULE is loaded")
	flags.Lookup("interrupt").NoOptDefVal = firstPoint
	flags.IntVar(&f.attempts, "attempts", 1, "fresh processes for each test; every one is reported")
	flags.IntVar(&f.perSite, "per-site", 0, "probe at most `N` of the tests that arm their deadline in one place, and name the others (0: all)")
	flags.BoolVar(&f.timeouts, "timeouts", false, "count the suite-wide time-out of pytest-timeout as a deadline of each test")
	flags.DurationVar(&f.limit, "limit", 10*time.Minute, "end a probe's process after this time")
	flags.StringSliceVar(&f.failOn, "fail-on", nil, "what gives a non-zero exit: a list of late, inconclusive, none (default late,inconclusive)")
}

// firstPoint is --interrupt without a module.
const firstPoint = "first"

// checkProbe refuses what cannot be probed before any work is done.
func (f *probeFlags) checkProbe() error {
	if f.attempts < 1 || f.perSite < 0 || f.limit < 0 {
		return mistakef("--attempts must be at least 1, --per-site and --limit cannot be negative")
	}
	for _, w := range f.failOn {
		if !slices.Contains([]string{"late", "inconclusive", "none"}, w) {
			return mistakef("--fail-on of probe does not know %q; it takes a list of late, inconclusive, none", w)
		}
	}
	return f.check()
}

// conditions reads the flags into what a probe is made under.
func (f *probeFlags) conditions() (probe.Conditions, error) {
	c := probe.Conditions{Nested: f.nested, Watch: f.watch, Global: f.timeouts, Limit: f.limit, ArmedDelay: f.armedDelay != "off"}
	if f.armedDelay != "off" && f.armedDelay != "auto" {
		d, err := time.ParseDuration(f.armedDelay)
		if err != nil || d <= 0 {
			return c, mistakef("--armed-delay is %q; it can be auto, off or a duration such as 6s", f.armedDelay)
		}
		c.Delay = d
	}
	var err error
	c.Plants, err = plants(f.plant, "--plant")
	if err == nil && c.Nested && len(c.Plants) == 0 {
		err = mistakef("--plant-nested says where a plant strikes; name the plant with --plant MODULE=6s")
	}
	return c, err
}

// probeCode is the exit code of a report of probes.
func probeCode(r *prove.Report, failOn []string) int {
	if failOn == nil {
		failOn = []string{"late", "inconclusive"}
	}
	on := func(word string) bool { return slices.Contains(failOn, word) && !slices.Contains(failOn, "none") }
	late, doubtful, troubled := false, false, false
	for _, p := range r.Probes {
		late = late || p.Objects()
		doubtful = doubtful || p.Expected == "" && p.Verdict == probe.Inconclusive
	}
	for _, l := range r.Baseline.Languages {
		troubled = troubled || l.Trouble != ""
	}
	switch {
	case on("late") && late:
		return exitNotProven
	case on("inconclusive") && troubled && len(r.Probes) == 0:
		return exitBaseline
	case on("inconclusive") && (doubtful || troubled):
		return exitInconclusive
	}
	return exitOK
}
