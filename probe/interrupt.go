package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/harness"
)

// nothingToInterrupt is said of a test whose deadline can leave nothing half
// done.
const nothingToInterrupt = "nothing is imported while its deadline is armed, so there is nothing to interrupt"

// Interrupt lets the deadline of each of the tests fire inside an import that
// is late, then runs others in the same process, and names the victims: those
// that are red then and green in the same run without the interrupt. others
// empty means the rest of the test's group, or of the suite when it has none.
// at is "" or the module after which to fire.
func (cfg Config) Interrupt(ctx context.Context, p Interrupter, place Place, found Discovery, test harness.TestID, others []harness.TestID, at string) (Probe, error) {
	if len(others) == 0 {
		others = found.beside(test)
	}
	cfg.Stretch = true // only the deadline that is fired on purpose is to strike
	place.say(fmt.Sprintf("running %s and %d others, without an interrupt", test, len(others)))
	plain, err := p.Interrupt(ctx, place, test, others, "", cfg.Conditions)
	if err != nil {
		return Probe{}, err
	}
	if len(plain.Facts.counting(cfg.Global)) == 0 {
		one := sum(test, []Attempt{attemptOf(plain.Facts, cfg.Conditions)}, cfg.Conditions)
		one.Detail = strings.TrimPrefix(one.Detail+"; "+nothingToInterrupt, "; ")
		return one, nil
	}
	green := map[harness.TestID]bool{}
	for _, r := range plain.Others {
		green[r.ID] = r.Status == harness.Passed
	}
	hit, err := cfg.fire(ctx, p, place, test, others, at)
	if err != nil {
		return Probe{}, err
	}
	one := Probe{Test: test, Facts: hit.Facts, Attempts: []Attempt{attemptOf(plain.Facts, cfg.Conditions), attemptOf(hit.Facts, cfg.Conditions)}}
	one.Verdict, one.Reason, one.Detail = Decide(hit.Facts, cfg.Conditions)
	one.Preload = preload(plain.Facts, cfg.Conditions)
	if hit.Fired == "" {
		one.Detail += "; the deadline was not fired: its signal has no handler, or the imports run in another thread"
		return one, nil
	}
	one.Detail = fmt.Sprintf("the deadline fired after %s was loaded%s", hit.Fired, within(hit.Inside))
	for _, r := range hit.Others {
		if r.Status == harness.Failed && green[r.ID] {
			one.Victims = append(one.Victims, Victim{Test: r.ID, Message: firstLine(r.Red)})
		}
	}
	return one, nil
}

// fire tries the points of an import from the most to the least harmful.
func (cfg Config) fire(ctx context.Context, p Interrupter, place Place, test harness.TestID, others []harness.TestID, at string) (Interruption, error) {
	points := []string{"package", "nested", "any"}
	if at != "" {
		points = []string{at}
	}
	var last Interruption
	for _, point := range points {
		place.say(fmt.Sprintf("running %s with its deadline fired (%s), and %d others", test, point, len(others)))
		i, err := p.Interrupt(ctx, place, test, others, point, cfg.Conditions)
		if err != nil || i.Fired != "" {
			return i, err
		}
		last = i
	}
	return last, nil
}

func attemptOf(f Facts, c Conditions) Attempt {
	v, reason, _ := Decide(f, c)
	return Attempt{Facts: f, Verdict: v, Reason: reason}
}

func within(inside []string) string {
	if len(inside) == 0 {
		return ""
	}
	return ", inside the import of " + strings.Join(inside, " > ")
}

// beside are the tests that share a process with test: those of its group, or
// of the suite when it is in none.
func (d Discovery) beside(test harness.TestID) []harness.TestID {
	group := ""
	if i := slices.IndexFunc(d.Tests, func(f Found) bool { return f.Test == test }); i >= 0 {
		group = d.Tests[i].Group
	}
	var all []harness.TestID
	for _, f := range d.Tests {
		if f.Test != test && (group == "" || f.Group == group) {
			all = append(all, f.Test)
		}
	}
	return all
}

func firstLine(r *harness.Red) string {
	if r == nil {
		return ""
	}
	text, _, _ := strings.Cut(r.Message, "\n")
	return r.Type + ": " + text
}

// RunInterrupts discovers and lets the deadline of each test that arms one
// fire. When tests are named the first alone is interrupted and the others run
// after it.
func RunInterrupts(ctx context.Context, cfg Config, p Prober, by Interrupter, place Place, at string) (Result, error) {
	place.say("discovering which tests arm a deadline")
	found, err := p.Discover(ctx, place, cfg.Named)
	if err != nil {
		return Result{}, fmt.Errorf("looking for tests that arm a deadline: %w", err)
	}
	r := Result{Tests: len(found.Tests), Trouble: found.Trouble, Output: found.Output}
	r.count(found, cfg.Conditions)
	for _, f := range found.Tests {
		if !f.arms(cfg.Conditions) {
			continue
		}
		if len(cfg.Named) > 0 && !(Expectation{Test: cfg.Named[0]}).matches(f.Test) {
			continue
		}
		one, err := cfg.Interrupt(ctx, by, place, found, f.Test, cfg.victims(found, f.Test), at)
		if err != nil {
			return r, fmt.Errorf("interrupting %s: %w", f.Test, err)
		}
		one.Language = cfg.Language
		r.Probes = append(r.Probes, one)
	}
	return r, nil
}

// victims are the tests that the user names after the first.
func (cfg Config) victims(d Discovery, test harness.TestID) []harness.TestID {
	var all []harness.TestID
	for _, f := range d.Tests {
		for i, name := range cfg.Named {
			if i > 0 && f.Test != test && (Expectation{Test: name}).matches(f.Test) {
				all = append(all, f.Test)
				break
			}
		}
	}
	return all
}
