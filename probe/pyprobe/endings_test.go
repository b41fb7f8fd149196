package pyprobe

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/harness"
	"assay/probe"
)

// ask probes one test of a project.
func ask(t *testing.T, p probe.Place, test harness.TestID, c probe.Conditions) (probe.Facts, probe.Reason) {
	t.Helper()
	f, err := New().Probe(t.Context(), p, test, c)
	if err != nil {
		t.Fatal(err)
	}
	_, reason, _ := probe.Decide(f, c)
	return f, reason
}

func TestEveryEndOfATestIsToldApart(t *testing.T) {
	place := project(t, "endings")
	for test, want := range map[harness.TestID]probe.Reason{
		"test_it.py::test_holds":                    probe.NothingLate,
		"test_it.py::test_fails_by_itself":          probe.Red,
		"test_shows.py::test_shows_a_difference":    probe.Red,
		"test_it.py::test_dies":                     probe.Crashed,
		"test_it.py::test_skips":                    probe.Skipped,
		"test_it.py::test_arms_nothing":             probe.NoDeadline,
		"test_it.py::test_watcher_thread":           probe.Crashed,
		"test_it.py::test_no_such":                  probe.NotCollected,
		"test_cannot_be_collected.py::test_it":      probe.NotCollected,
		"test_it.py::test_loads_a_package":          probe.LateImport,
		"test_it.py::test_loads_before":             probe.NothingLate,
		"test_it.py::test_uses_the_package":         probe.NoDeadline,
		"test_it.py::test_breaks_a_package":         probe.NoDeadline,
		"test_it.py::test_loads_without_a_deadline": probe.NoDeadline,
	} {
		if f, reason := ask(t, place, test, probe.Conditions{}); reason != want {
			t.Errorf("%s: %s, want %s (%+v)", test, reason, want, f)
		}
	}
}

func TestAProcessThatTakesTooLongIsEnded(t *testing.T) {
	_, reason := ask(t, project(t, "endings"), "test_it.py::test_holds", probe.Conditions{Limit: time.Millisecond})
	if reason != probe.TimedOut {
		t.Errorf("it ended with %s", reason)
	}
}

func TestDelaysStrikeWhereTheyArePlanted(t *testing.T) {
	place := project(t, "endings")
	loads := harness.TestID("test_it.py::test_loads_a_package")
	plant := []probe.Plant{{Name: "package", Delay: 2 * time.Second}}

	f, _ := ask(t, place, loads, probe.Conditions{ArmedDelay: true})
	if f.Code != 1 || f.Message != "AssertionError: too late" || len(f.Planted) != 1 || !f.Planted[0].Armed || f.Planted[0].Seconds < 1 || len(f.HalfImported) > 0 {
		t.Errorf("the armed delay: %+v", f)
	}
	f, _ = ask(t, place, loads, probe.Conditions{Plants: plant})
	if f.Code != 1 || len(f.Planted) != 1 || f.Planted[0] != (probe.Planted{Module: "package", Seconds: 2, Under: true}) || len(f.HalfImported) > 0 || len(f.Aborted) != 1 {
		t.Errorf("a plant: %+v", f)
	}
	f, _ = ask(t, place, loads, probe.Conditions{Plants: plant, Nested: true})
	if f.Code != 1 || !slices.Equal(f.HalfImported, []string{"package.part"}) || len(f.Aborted) != 1 || !f.Aborted[0].Deadline {
		t.Errorf("a nested plant: %+v", f)
	}
	f, _ = ask(t, place, "test_it.py::test_loads_before", probe.Conditions{Plants: plant, ArmedDelay: true})
	if f.Code != 0 || len(f.Planted) != 1 || f.Planted[0].Under || len(f.Late) > 0 {
		t.Errorf("a plant before the deadline: %+v", f)
	}
	f, _ = ask(t, place, loads, probe.Conditions{ArmedDelay: true, Stretch: true, Delay: 1500 * time.Millisecond})
	if f.Code != 0 || len(f.Late) != 3 || len(f.Aborted) > 0 {
		t.Errorf("a stretched deadline: %+v", f)
	}
}

func TestAnInterruptNamesItsVictims(t *testing.T) {
	place := project(t, "endings")
	by := New().(probe.Interrupter)
	victim := harness.TestID("test_it.py::test_uses_the_package")
	for at, want := range map[string]string{
		"package":      "package.part inside package; half package.part; red",
		"nested":       "package.part inside package; half package.part; red",
		"any":          "package.part inside package; half package.part; red",
		"package.part": "package.part inside package; half package.part; red",
		"absent":       " inside ; half ; green",
		"":             " inside ; half ; green",
	} {
		i, err := by.Interrupt(t.Context(), place, "test_it.py::test_loads_a_package", []harness.TestID{victim}, at, probe.Conditions{Stretch: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(i.Others) != 1 || i.Others[0].ID != victim {
			t.Fatalf("%s: the others are %+v", at, i.Others)
		}
		end := "green"
		if r := i.Others[0].Red; r != nil {
			end = "red"
			if r.Message != "'module' object at package.part has no attribute 'part'" {
				t.Errorf("%s: the victim says %q", at, r.Message)
			}
		}
		if got := i.Fired + " inside " + strings.Join(i.Inside, " ") + "; half " + strings.Join(i.Facts.HalfImported, " ") + "; " + end; got != want {
			t.Errorf("%s: got %q, want %q", at, got, want)
		}
	}
}

func TestAPackageThatBreaksAtItsEndIsLeftHalfImportedAndNotSaidToBeCutShort(t *testing.T) {
	f, _ := ask(t, project(t, "endings"), "test_it.py::test_breaks_a_package", probe.Conditions{})
	if !slices.Equal(f.HalfImported, []string{"breaks_at_the_end.part"}) || len(f.Aborted) > 0 {
		t.Errorf("%+v", f)
	}
}

func TestWatchesSayWhatIsThereWhenADeadlineIsArmed(t *testing.T) {
	c := probe.Conditions{Watch: []string{"package", "package.part", "package.part.name", "package.gone", "signal.setitimer", "nowhere"}}
	f, _ := ask(t, project(t, "endings"), "test_it.py::test_loads_before", c)
	want := map[string]bool{"package": true, "package.part": true, "package.part.name": true, "package.gone": false, "signal.setitimer": true, "nowhere": false}
	if len(f.Armed) != 1 || len(f.Armed[0].Watch) != len(want) {
		t.Fatalf("armed %+v", f.Armed)
	}
	for name, loaded := range want {
		if f.Armed[0].Watch[name] != loaded {
			t.Errorf("%s is said to be loaded: %t", name, !loaded)
		}
	}
}
