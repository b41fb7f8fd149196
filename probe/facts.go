package probe

import "assay/harness"

// Facts are what one fresh process showed of one test. They hold no opinion.
type Facts struct {
	Code   int            `json:"code"` // the runner's exit code
	Status harness.Status `json:"status"`
	// Collected is false when the runner did not come as far as the test: it
	// does not build, cannot be imported, or does not exist.
	Collected bool    `json:"collected"`
	Message   string  `json:"message,omitempty"` // first lines of the red
	Trouble   string  `json:"trouble,omitempty"` // why there is no result
	TimedOut  bool    `json:"timed_out,omitempty"`
	Seconds   float64 `json:"seconds"`

	Armed        []Arming  `json:"armed"`
	Late         []First   `json:"late"`
	Aborted      []Aborted `json:"aborted"`
	HalfImported []string  `json:"half_imported"`
	// Slow is first work under a deadline that only asks to stop.
	Slow []First `json:"slow,omitempty"`
	// Suite are time-outs of the whole suite, which no test asked for, and
	// UnderSuite first work that only the suite's time-out ran over.
	Suite      []Arming  `json:"suite,omitempty"`
	UnderSuite []First   `json:"under_suite,omitempty"`
	Clobbered  []Clobber `json:"clobbered,omitempty"`
	Planted    []Planted `json:"planted,omitempty"`
}

// cut reports whether a delay struck or a deadline fired: the test may have
// ended before it did all its late work.
func (f Facts) cut() bool { return len(f.Planted) > 0 || len(f.Aborted) > 0 }

// An Attempt is one fresh process of a probe.
type Attempt struct {
	Facts
	// Stretched is true for the process whose deadlines were lengthened to see
	// all that is late; how its test ended says nothing.
	Stretched bool    `json:"stretched,omitempty"`
	Verdict   Verdict `json:"verdict"`
	Reason    Reason  `json:"reason"`
}

// A Probe is what was found of one test. The facts are those of the attempt
// that its verdict comes from; a later attempt that went well changes nothing.
// What is late is listed as the attempt that saw most of it has it.
type Probe struct {
	Test     harness.TestID `json:"test"`
	Language string         `json:"language,omitempty"`
	Verdict  Verdict        `json:"verdict"`
	Reason   Reason         `json:"reason"`
	Detail   string         `json:"detail,omitempty"` // the reason in words
	Facts
	Preload []string `json:"preload,omitempty"` // what to load before, in order
	// Expected is the verdict that the project's settings ask for, and Unmet
	// what of their expectations was not met.
	Expected Verdict   `json:"expected,omitempty"`
	Unmet    []string  `json:"unmet,omitempty"`
	Victims  []Victim  `json:"victims,omitempty"` // with an interrupt only
	Attempts []Attempt `json:"attempts"`
}

// Objects reports whether the probe is something to object to: late, or not
// as the settings expect it.
func (p Probe) Objects() bool {
	if p.Expected != "" {
		return len(p.Unmet) > 0
	}
	return p.Verdict == Late
}

// A Victim is a test that is green by itself and red after the interrupt.
type Victim struct {
	Test    harness.TestID `json:"test"`
	Message string         `json:"message"`
}
