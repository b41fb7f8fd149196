package goprobe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"assay/harness"
	"assay/probe"
)

// scenarios says what is seen of each test: what it arms, and what is late.
var scenarios = map[string]string{
	"TestOnce":                      "context.WithTimeout: sync.Once",
	"TestOnceAgain":                 "context.WithTimeout: ",
	"TestOnceValue":                 "context.WithTimeout: sync.OnceValue",
	"TestOnceValues":                "context.WithTimeout: sync.OnceValues",
	"TestOnceFunc":                  "context.WithTimeout: sync.OnceFunc",
	"TestLazyMap":                   "context.WithTimeout: variable table",
	"TestLazyFlag":                  "context.WithTimeout: variable ready",
	"TestNamedFunction":             "context.WithTimeout: sync.Once",
	"TestEmbedded":                  "context.WithTimeout: sync.Once",
	"TestOtherDo":                   "context.WithTimeout: ",
	"TestLocal":                     "context.WithTimeout: ",
	"TestInAGoroutine":              "context.WithTimeout: sync.Once",
	"TestBeforeIsNotLate":           "context.WithTimeout: ",
	"TestAfterCancelIsNotLate":      "context.WithDeadline: ",
	"TestAfterTheDeadlineIsNotLate": "context.WithTimeoutCause: ",
	"TestTimer":                     "time.AfterFunc: sync.Once",
	"TestTimerThatFires":            "time.AfterFunc: ",
	"TestHelper":                    "context.WithTimeout: sync.Once",
	"TestSubtests":                  "context.WithTimeout: sync.Once",
	"TestNoDeadline":                ": ",
	"TestInParallel":                "context.WithTimeout: sync.Once",
	"TestPlanted":                   "context.WithTimeout: ",
}

// project writes testdata/NAME.txtar into a directory of its own.
func project(t *testing.T, name string) probe.Place {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := harness.Setenv(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	return probe.Place{Dir: dir, Scratch: t.TempDir(), Env: env}
}

func TestEveryKindOfFirstWorkAndOfDeadlineIsSeenForWhatItIs(t *testing.T) {
	place := project(t, "scenarios")
	d, err := New().Discover(t.Context(), place, nil)
	if err != nil || d.Trouble != "" {
		t.Fatal(err, d.Trouble, d.Output)
	}
	seen := map[string]probe.Found{}
	for _, f := range d.Tests {
		name, ours := strings.CutPrefix(string(f.Test), "example.com/shop/shop.")
		if !ours && f.Test != "example.com/shop/other.TestWithoutADeadline" {
			t.Errorf("%s was run", f.Test)
		}
		seen[name] = f
	}
	for name, want := range scenarios {
		f, ran := seen[name]
		if !ran || f.Status != harness.Passed {
			t.Errorf("%s: %s %s", name, f.Status, f.Facts.Message)
		}
		// The first test that needs something pays for it: each is asked alone.
		facts, err := New().Probe(t.Context(), place, f.Test, probe.Conditions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(facts); got != want {
			t.Errorf("%s: got %q, want %q (%+v)", name, got, want, facts)
		}
		for _, l := range facts.Late {
			if !strings.HasPrefix(l.At, "shop/shop_test.go:") && name != "TestInAGoroutine" {
				t.Errorf("%s: %s is said to be asked for at %s", name, l.Module, l.At)
			}
		}
	}
	if armed := seen["TestOnce"].Facts.Armed; len(armed) != 1 || armed[0].At != "shop/shop_test.go:14" || armed[0].Seconds != 3600 {
		t.Errorf("TestOnce arms %+v", armed)
	}
}

// told is what was armed and what was late, without places.
func told(f probe.Facts) string {
	var armed, late []string
	for _, a := range f.Armed {
		armed = append(armed, a.By)
	}
	for _, l := range f.Late {
		what, _, _ := strings.Cut(l.Module, " at ")
		late = append(late, what)
	}
	return strings.Join(armed, ", ") + ": " + strings.Join(late, ", ")
}

func TestAPlantSleepsAtTheFirstCallOfAFunctionOrMethod(t *testing.T) {
	place := project(t, "scenarios")
	for _, name := range []string{"shop.Planted", "example.com/shop/shop.Planted", "shop.client.Slow"} {
		c := probe.Conditions{Plants: []probe.Plant{{Name: name, Delay: time.Millisecond}}}
		f, err := New().Probe(t.Context(), place, "example.com/shop/shop.TestPlanted", c)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Planted) != 1 || f.Planted[0].Module != name || !f.Planted[0].Under || f.Planted[0].Seconds != 0.001 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestTheArmedDelayOutlivesTheDeadlineAndStretchingDoesNot(t *testing.T) {
	place := project(t, "delay")
	test := harness.TestID("example.com/delay.TestFetch")
	plain, err := New().Probe(t.Context(), place, test, probe.Conditions{})
	if err != nil || plain.Status != harness.Passed || len(plain.Late) != 1 {
		t.Errorf("plain: %v %+v", err, plain)
	}
	slow, err := New().Probe(t.Context(), place, test, probe.Conditions{ArmedDelay: true})
	if err != nil || slow.Status != harness.Failed || slow.Message != "delay_test.go:18: context deadline exceeded" || len(slow.Planted) != 1 || !slow.Planted[0].Armed {
		t.Errorf("delayed: %v %+v", err, slow)
	}
	long, err := New().Probe(t.Context(), place, test, probe.Conditions{ArmedDelay: true, Delay: time.Millisecond, Stretch: true})
	if err != nil || long.Status != harness.Passed || len(long.Planted) != 1 {
		t.Errorf("stretched: %v %+v", err, long)
	}
}

func TestASourceThatDoesNotCompileWhenWatchedIsLeftAlone(t *testing.T) {
	f, err := New().Probe(t.Context(), project(t, "untyped"), "example.com/untyped.TestConstant", probe.Conditions{})
	if err != nil || f.Status != harness.Passed || told(f) != "context.WithTimeout: " {
		t.Errorf("%v %+v", err, f)
	}
}

func TestAProjectThatDoesNotBuildIsTroubleAndNoError(t *testing.T) {
	place := project(t, "delay")
	if err := os.WriteFile(filepath.Join(place.Dir, "delay.go"), []byte("package delay\n\nvar x int = \"no\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := New().Discover(t.Context(), place, nil)
	if err != nil || !strings.Contains(d.Trouble, "do not build: ") || !strings.Contains(d.Trouble, "delay.go:3:13") {
		t.Errorf("%v %+v", err, d)
	}
}
