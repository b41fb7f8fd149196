package pytest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/harness"
)

func parse(t *testing.T, lines ...string) *runLog {
	t.Helper()
	l, err := readLog(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestALogSaysHowEachTestEnded(t *testing.T) {
	l := parse(t,
		`{"k":"begin","python":"3.11.7","pytest":"8.3.5"}`,
		`{"k":"item","n":0,"id":"a.py::t","file":"a.py"}`,
		`{"k":"item","n":1,"id":"a.py::twice","file":"a.py"}`,
		`{"k":"item","n":2,"id":"a.py::twice","file":"a.py"}`,
		`{"k":"item","n":3,"id":"a.py::skips","file":"a.py"}`,
		`{"k":"item","n":4,"id":"a.py::ends","file":"a.py"}`,
		`{"k":"collected","missing":0}`,
		`{"k":"start","n":0}`,
		`{"k":"report","n":0,"when":"setup","outcome":"passed"}`,
		`{"k":"report","n":0,"when":"call","outcome":"passed"}`,
		`{"k":"report","n":0,"when":"teardown","outcome":"failed","red":{"kind":"error","phase":"teardown","message":"late"}}`,
		`{"k":"end","n":0,"seconds":0.5,"hits":[3]}`,
		`{"k":"start","n":1}`,
		`{"k":"report","n":1,"when":"call","outcome":"passed"}`,
		`{"k":"end","n":1,"seconds":1}`,
		`{"k":"start","n":3}`,
		`{"k":"report","n":3,"when":"setup","outcome":"skipped"}`,
		`{"k":"end","n":3}`,
		`{"k":"report","n":-1,"id":"made/up","when":"call","outcome":"failed"}`,
		`{"k":"start","n":4}`,
		`{"k":"report","n":4,"when":"call","outc`)
	if l.complete() || l.running == nil || l.running.ID != "a.py::ends" {
		t.Errorf("complete %v, running %+v", l.complete(), l.running)
	}
	var got []string
	for _, id := range []harness.TestID{"a.py::t", "a.py::twice", "a.py::skips", "a.py::ends", "no/such"} {
		r := l.resultOf(id, harness.Exited{Code: 3})
		got = append(got, string(r.Status))
	}
	// "twice" is two items and only one of them came to its end.
	want := []string{"failed", "unreported", "skipped", "failed", "unreported"}
	if !slices.Equal(got, want) {
		t.Errorf("statuses %q, want %q", got, want)
	}
	if red := l.resultOf("a.py::ends", harness.Exited{Code: 3}).Red; red.Kind != harness.RedExit || !strings.Contains(red.Message, "code 3") {
		t.Errorf("a process that ended: %+v", red)
	}
	if r := l.resultOf("a.py::t", harness.Exited{}); r.Red.Message != "late" || r.Seconds != 0.5 {
		t.Errorf("%+v", r)
	}
}

func TestTheCallIsTheMostTellingRed(t *testing.T) {
	one := &test{}
	one.report(line{When: "setup", Outcome: "failed", Red: &harness.Red{Phase: "setup"}})
	one.report(line{When: "call", Outcome: "failed", Red: &harness.Red{Phase: "call"}})
	one.report(line{When: "teardown", Outcome: "failed", Red: &harness.Red{Phase: "teardown"}})
	if one.Red.Phase != "call" {
		t.Errorf("red of %s", one.Red.Phase)
	}
}

func TestALineThatIsNoRecordIsAnError(t *testing.T) {
	_, err := readLog(strings.NewReader("{\"k\":\"begin\"}\nnot json\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v, want one that names line 2", err)
	}
}

func TestARunThatCollectedNothingSaysWhy(t *testing.T) {
	for _, c := range []struct {
		end  harness.Exited
		log  string
		want string
	}{
		{harness.Exited{TimedOut: true, Duration: 12 * time.Second}, "", "did not end within 12 s"},
		{harness.Exited{Signal: "killed"}, "", "ended by killed"},
		{harness.Exited{OverMemory: true, Peak: 5 << 20}, "", "grew to 5 MiB"},
		{harness.Exited{Code: 3}, `{"k":"internal","text":"plugin failed"}` + "\n", "plugin failed"},
		{harness.Exited{Code: 4, Tail: "x\nERROR: usage: pytest\npytest: error: bad option\nmore"}, "", "bad option"},
		{harness.Exited{Code: 1, Tail: "Traceback\nBoom: why\n"}, "", "Boom: why"},
	} {
		o := outcome(running{log: parse(t, c.log), end: c.end}, []harness.TestID{"a"})
		if o.Phase != harness.PhaseCollect || o.Complete || !strings.Contains(o.Trouble, c.want) {
			t.Errorf("want %q: phase %s, trouble %q", c.want, o.Phase, o.Trouble)
		}
		if o.Tests[0].Status != harness.Unreported {
			t.Errorf("%+v", o.Tests)
		}
	}
}

func FuzzReadLog(f *testing.F) {
	f.Add(`{"k":"item","n":0,"id":"a"}` + "\n" + `{"k":"start","n":0}` + "\n" + `{"k":"end","n":0,"hits":[1]}` + "\n")
	f.Add(`{"k":"probed","file":"a.py","points":[[1,2,0]],"functions":[[1,9]]}` + "\n" + `{"k":"finish"}` + "\n")
	f.Add(`{"k":"report","n":99999999999}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := readLog(strings.NewReader(text))
		if err != nil {
			return
		}
		o := outcome(running{log: l}, []harness.TestID{"a"})
		if o.Complete && (!l.Finished || l.running != nil) {
			t.Errorf("a run that never finished is complete: %q", text)
		}
		if len(o.Tests) != 1 {
			t.Errorf("%d results for one selected test", len(o.Tests))
		}
	})
}

func TestWhatDoesNotCollectIsSaidOnce(t *testing.T) {
	l := parse(t,
		`{"k":"broken","id":"a.py","text":"No module named 'x'"}`,
		`{"k":"broken","id":"a.py","text":"No module named 'x'"}`,
		`{"k":"broken","id":"a.py","text":"another"}`,
		"")
	if len(l.Broken) != 2 {
		t.Errorf("got %+v", l.Broken)
	}
}
