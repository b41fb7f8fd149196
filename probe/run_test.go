package probe_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/harness"
	"assay/probe"
)

// scripted is a Prober whose answers are written down.
type scripted struct {
	found []probe.Found
	facts map[harness.TestID][]probe.Facts // one after the other, the last for ever
	asked []string
}

func (*scripted) Names(string) bool { return true }

func (*scripted) Suspects(string) (bool, error) { return true, nil }

func (s *scripted) Discover(context.Context, probe.Place, []string) (probe.Discovery, error) {
	return probe.Discovery{Tests: s.found}, nil
}

func (s *scripted) Probe(_ context.Context, _ probe.Place, test harness.TestID, c probe.Conditions) (probe.Facts, error) {
	word := string(test)
	if c.ArmedDelay {
		word += " delayed"
	}
	if c.Stretch {
		word += " stretched"
	}
	s.asked = append(s.asked, word)
	f := s.facts[test][0]
	if len(s.facts[test]) > 1 {
		s.facts[test] = s.facts[test][1:]
	}
	return f, nil
}

func found(test string, f probe.Facts) probe.Found {
	return probe.Found{Test: harness.TestID(test), Facts: f}
}

func TestALaterPassDoesNotEraseAnEarlierFailure(t *testing.T) {
	lateOnce := with(func(f *probe.Facts) { f.Late = []probe.First{{Module: "sdk", At: "helper.py:2"}} })
	p := &scripted{found: []probe.Found{found("a", passed())}, facts: map[harness.TestID][]probe.Facts{"a": {passed(), lateOnce, passed()}}}
	r, err := probe.Run(t.Context(), probe.Config{Attempts: 4}, p, probe.Place{})
	if err != nil {
		t.Fatal(err)
	}
	one := r.Probes[0]
	if one.Verdict != probe.Late || len(one.Late) != 1 || len(one.Attempts) != 4 || !slices.Equal(one.Preload, []string{"sdk"}) {
		t.Errorf("the probe is %+v", one)
	}
	var said []probe.Verdict
	for _, a := range one.Attempts {
		said = append(said, a.Verdict)
	}
	if want := []probe.Verdict{probe.Held, probe.Late, probe.Held, probe.Held}; !slices.Equal(said, want) {
		t.Errorf("the attempts are %v, want %v", said, want)
	}
}

func TestWhatTheArmedDelayCutShortIsRunAgainWithoutIt(t *testing.T) {
	delayed := with(func(f *probe.Facts) {
		f.Status, f.Message = harness.Failed, "AssertionError: too late"
		f.Late, f.Planted = []probe.First{{Module: "a"}}, []probe.Planted{{Module: "a", Armed: true}}
	})
	whole := with(func(f *probe.Facts) {
		f.Late = []probe.First{{Module: "a"}, {Module: "a.b", Depth: 1}, {Module: "c"}, {Module: "a"}}
	})
	p := &scripted{found: []probe.Found{found("t", passed())}, facts: map[harness.TestID][]probe.Facts{"t": {delayed, whole}}}
	r, err := probe.Run(t.Context(), probe.Config{Conditions: probe.Conditions{ArmedDelay: true}}, p, probe.Place{})
	if err != nil {
		t.Fatal(err)
	}
	one := r.Probes[0]
	if want := []string{"t delayed", "t stretched"}; !slices.Equal(p.asked, want) {
		t.Errorf("asked for %v, want %v", p.asked, want)
	}
	if len(one.Late) != 4 || !slices.Equal(one.Preload, []string{"a", "c"}) || !strings.Contains(one.Detail, "slowed down, the test fails: AssertionError: too late") {
		t.Errorf("the probe is %+v", one)
	}
	if text := probe.Preloads(r.Probes)[0].Text(); !strings.Contains(text, "    import a  # noqa: F401\n    import c  # noqa: F401\n") || !strings.Contains(text, "deadline arms the deadline") {
		t.Errorf("the preload reads\n%s", text)
	}
}

func TestTestsThatArmADeadlineAndAreNotProbedAreNamed(t *testing.T) {
	suite := probe.Facts{Suite: []probe.Arming{{At: "pytest_timeout.py:1"}}}
	p := &scripted{found: []probe.Found{found("a", passed()), found("none", probe.Facts{}), found("b", passed()), found("suite", suite), found("c", passed())},
		facts: map[harness.TestID][]probe.Facts{"a": {passed()}}}
	r, err := probe.Run(t.Context(), probe.Config{PerSite: 1}, p, probe.Place{})
	if err != nil {
		t.Fatal(err)
	}
	want := []probe.Unprobed{
		{Test: "b", At: "conftest.py:3", Fixture: "deadline", Why: "another test of the same deadline was"},
		{Test: "c", At: "conftest.py:3", Fixture: "deadline", Why: "another test of the same deadline was"},
	}
	if len(r.Probes) != 1 || !reflect.DeepEqual(r.Unprobed, want) || r.Suite != 1 || r.SuiteAt != "pytest_timeout.py:1" || r.Tests != 5 {
		t.Errorf("the result is %+v", r)
	}
}

func TestAnExpectationIsHeldToItsPlantsWatchesAndName(t *testing.T) {
	bare := with(func(f *probe.Facts) { f.Armed[0].Watch = map[string]bool{"sdk": false, "other": false} })
	p := &scripted{found: []probe.Found{found("f.py::a[1]", passed())}, facts: map[harness.TestID][]probe.Facts{"f.py::a[1]": {bare}}}
	cfg := probe.Config{Expect: []probe.Expectation{
		{Test: "f.py::a", Watch: []string{"sdk"}, Plants: []probe.Plant{{Name: "redis", Delay: time.Second}}},
		{Test: "f.py::gone"},
		{Test: "f.py", Verdict: probe.Late},
	}}
	r, err := probe.Run(t.Context(), cfg, p, probe.Place{})
	if err != nil {
		t.Fatal(err)
	}
	var unmet []string
	for _, one := range r.Probes {
		unmet = append(unmet, string(one.Test)+": "+strings.Join(one.Unmet, "; "))
		if !one.Objects() {
			t.Errorf("%s is not objected to", one.Test)
		}
	}
	want := []string{
		"f.py::a[1]: sdk is not loaded when conftest.py:3 arms its deadline; the plant in redis never struck: nothing asked for it",
		"f.py::a[1]: expected late, is held",
		"f.py::gone: expected held, is inconclusive",
	}
	if !slices.Equal(unmet, want) {
		t.Errorf("unmet is\n%s\nwant\n%s", strings.Join(unmet, "\n"), strings.Join(want, "\n"))
	}
}

// interrupted is a Prober that is interrupted after its first probe.
type interrupted struct {
	*scripted
	cancel context.CancelFunc
}

func (i interrupted) Probe(ctx context.Context, p probe.Place, test harness.TestID, c probe.Conditions) (probe.Facts, error) {
	if test == "b" {
		i.cancel()
		return probe.Facts{}, ctx.Err()
	}
	return i.scripted.Probe(ctx, p, test, c)
}

func TestAnInterruptLeavesWhatWasFoundAndNamesTheRest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := interrupted{&scripted{found: []probe.Found{found("a", passed()), found("b", passed()), found("c", passed())},
		facts: map[harness.TestID][]probe.Facts{"a": {passed()}}}, cancel}
	r, err := probe.Run(ctx, probe.Config{}, p, probe.Place{})
	if !errors.Is(err, context.Canceled) || len(r.Probes) != 1 || len(r.Unprobed) != 2 || r.Unprobed[0].Why != "interrupted" {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestPlantsAreReadAndOddOnesRefused(t *testing.T) {
	if p, err := probe.ParsePlant("a.b=1.5s"); err != nil || p != (probe.Plant{Name: "a.b", Delay: 1500 * time.Millisecond}) {
		t.Errorf("a.b=1.5s is %+v, %v", p, err)
	}
	for _, text := range []string{"", "a", "=6s", "a=", "a=6", "a=-1s", "a=0s"} {
		if p, err := probe.ParsePlant(text); err == nil {
			t.Errorf("%q is read as %+v", text, p)
		}
	}
}
