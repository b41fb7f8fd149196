package probe

import (
	"fmt"
	"strings"
	"time"
)

// A Plant is a delay put into the first import of a module, or in Go into the
// first call of a function.
type Plant struct {
	Name  string
	Delay time.Duration
}

// ParsePlant reads NAME=DURATION, such as "fakeredis=6s".
func ParsePlant(text string) (Plant, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return Plant{}, fmt.Errorf("%q is not NAME=DURATION, such as fakeredis=6s", text)
	}
	delay, err := time.ParseDuration(value)
	if err != nil || delay <= 0 {
		return Plant{}, fmt.Errorf("%q is not a duration that can be slept, such as 6s", value)
	}
	return Plant{Name: name, Delay: delay}, nil
}

// A Planted is a plant that struck.
type Planted struct {
	Module  string  `json:"module"`
	Seconds float64 `json:"seconds"`
	// Armed is true for the armed delay, which strikes the first import under
	// a deadline whatever it is.
	Armed bool `json:"armed,omitempty"`
	// Under is true when a deadline was running.
	Under bool `json:"under"`
}

// Conditions are what a probe is made under.
type Conditions struct {
	Plants []Plant
	// Nested delays a planted package once a part of it is loaded and it is
	// not, so that a deadline leaves it half imported.
	Nested bool
	// ArmedDelay makes the first import under a deadline sleep longer than
	// the deadline is, or for Delay when that is not 0.
	ArmedDelay bool
	Delay      time.Duration
	Watch      []string // dotted names whose state each arming records
	Global     bool     // time-outs of the whole suite count as deadlines
	Limit      time.Duration
	// Stretch makes every deadline StretchBy longer than it is, so that
	// nothing is cut short and all of what is late is seen.
	Stretch bool
}

// StretchBy bounds how long a test that waits for its own deadline keeps a
// stretched run waiting.
const StretchBy = time.Minute
