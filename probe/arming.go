package probe

import "slices"

// An Arming is one deadline that was armed, and the state of what is watched
// at that moment.
type Arming struct {
	By      string  `json:"by"` // ITIMER_REAL, alarm, pytest-timeout, context.WithTimeout, …
	Seconds float64 `json:"seconds"`
	At      string  `json:"at"` // file:line that armed it
	Phase   string  `json:"phase"`
	// Fixture is what was being set up, if any: it is where a preload belongs.
	Fixture string          `json:"fixture,omitempty"`
	Watch   map[string]bool `json:"watch,omitempty"`
}

// A Clobber is a deadline that another place took away while it was running:
// there is one timer of each kind in a process.
type Clobber struct {
	Of      string  `json:"of"`  // file:line that had armed it
	At      string  `json:"at"`  // file:line that took it away
	How     string  `json:"how"` // replaced or cancelled
	Seconds float64 `json:"seconds"`
}

// Armings returns the deadlines of a test, with global also that of the suite.
func (f Facts) Armings(global bool) []Arming {
	if !global {
		return f.Armed
	}
	return append(slices.Clone(f.Armed), f.Suite...)
}
