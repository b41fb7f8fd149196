package probe

import "slices"

// A First is work done for the first time that started under a deadline: an
// import, or in Go the body of a sync.Once.
type First struct {
	Module string  `json:"module"`
	At     string  `json:"at"` // file:line that asked for it
	MS     float64 `json:"ms"`
	Depth  int     `json:"depth"`            // of imports inside imports; 0 is the outermost
	Thread string  `json:"thread,omitempty"` // when not the main one
	By     string  `json:"by,omitempty"`     // the cooperative deadline, of slow ones only
	// Missing is true for an import that found nothing. Nothing can be loaded
	// beforehand then, so it is no fault.
	Missing bool `json:"missing,omitempty"`
	// Again is true when it had been loaded before and was thrown away.
	Again bool `json:"again,omitempty"`
	// Exec is true for code that was executed without an import; Module is
	// then its file.
	Exec bool `json:"exec,omitempty"`
	// Runner is true for what the test runner asked for by itself, such as a
	// module that shows how two values differ once the test has failed.
	Runner bool `json:"runner,omitempty"`
}

// An Aborted is an import that an exception from outside cut short.
type Aborted struct {
	Module string `json:"module"`
	By     string `json:"by"` // the exception's type
	Depth  int    `json:"depth"`
	// Deadline is true when the handler of an armed deadline raised it. When it
	// did not, the exception came from elsewhere, as KeyboardInterrupt does.
	Deadline bool `json:"deadline"`
	Global   bool `json:"global,omitempty"` // the deadline is that of the whole suite
}

// counting returns the firsts that make a test late, with global also those
// under the suite's time-out.
func (f Facts) counting(global bool) []First {
	all, out := f.Late, []First(nil)
	if global {
		all = append(slices.Clone(all), f.UnderSuite...)
	}
	for _, f := range all {
		if !f.Missing && !f.Runner {
			out = append(out, f)
		}
	}
	return out
}
