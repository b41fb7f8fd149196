//go:build unix

package command_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/change"
	"assay/harness"
	"assay/harness/command"
	"assay/harness/harnesstest"
)

// A project is a tree of scripts and a session on it.
type project struct {
	t       *testing.T
	dir     string
	session harness.Session
}

// files are name and text by turns.
func open(t *testing.T, c command.Config, files ...string) *project {
	t.Helper()
	p := &project{t: t, dir: t.TempDir()}
	for i := 0; i < len(files); i += 2 {
		p.write(files[i], files[i+1])
	}
	s, err := command.New(c).Open(t.Context(), p.dir, harness.Options{Env: os.Environ(), Scratch: t.TempDir(), Hang: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	p.session = s
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) baseline() harness.Baseline {
	p.t.Helper()
	b, err := p.session.Baseline(p.t.Context(), p.dir, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

func (p *project) run() harness.Outcome {
	p.t.Helper()
	o, err := p.session.Run(p.t.Context(), harness.Job{Dir: p.dir, Selection: p.session.Cover("any", change.Span{}), Scratch: p.t.TempDir()})
	if err != nil {
		p.t.Fatal(err)
	}
	return o
}

func TestACommandThatCannotBeRunIsASetupError(t *testing.T) {
	for name, c := range map[string]struct {
		config command.Config
		says   string
	}{
		"empty":                {command.Config{Command: "  "}, "is empty"},
		"both forms":           {command.Config{Command: "true", Argv: []string{"true"}}, "both"},
		"no such command":      {command.Config{Command: "no-such-tool --all"}, "no-such-tool"},
		"after a variable":     {command.Config{Command: "A=1 B=x no-such-tool"}, "no-such-tool"},
		"no such script":       {command.Config{Command: "./gone.sh && true"}, "./gone.sh"},
		"no such program":      {command.Config{Argv: []string{"no-such-tool"}}, "no-such-tool"},
		"no such program file": {command.Config{Argv: []string{"./gone.sh"}}, "./gone.sh"},
		"shell syntax":         {command.Config{Command: "if true; do"}, "parse"},
		"glob syntax":          {command.Config{Command: "true", JUnit: []string{"[a"}}, "malformed"},
		"glob outside":         {command.Config{Command: "true", JUnit: []string{"a/../../*.xml"}}, "leads out"},
		"absolute glob":        {command.Config{Command: "true", JUnit: []string{"/tmp/*.xml"}}, "leads out"},
		"negative limit":       {command.Config{Command: "true", Timeout: -1}, "negative"},
	} {
		_, err := command.New(c.config).Open(t.Context(), t.TempDir(), harness.Options{Env: os.Environ()})
		var setup *harness.SetupError
		if !errors.As(err, &setup) || !strings.Contains(err.Error(), c.says) || setup.Next == "" {
			t.Errorf("%s: got %v, want a SetupError about %q", name, err, c.says)
		}
	}
}

func TestOrdinaryShellCommandsOpen(t *testing.T) {
	for _, c := range []string{"true", "A=1 true", "cd . && true", "(true)", `"./my test.sh"`, "if true; then true; fi", "./run.sh -x", "! false"} {
		if b := open(t, command.Config{Command: c}, "run.sh", "#!/bin/sh\n", "my test.sh", "#!/bin/sh\n").baseline(); len(b.Green) != 1 || b.Green[0] != harness.TestID(c) {
			t.Errorf("%s: %+v", c, b)
		}
	}
}

func TestHeadThatIsRedFlakyOrBrokenIsNoBaseline(t *testing.T) {
	red := open(t, command.Config{Command: "./t.sh"}, "t.sh", "#!/bin/sh\necho FAIL: add; exit 1").baseline()
	if len(red.Green)+len(red.Flaky) != 0 || len(red.Red) != 1 || red.Red[0].Red.Kind != harness.RedCommand || red.Red[0].Red.Message != "FAIL: add" || red.Trouble != "" {
		t.Errorf("red: %+v", red)
	}
	p := open(t, command.Config{Command: "./t.sh"}, "t.sh", "#!/bin/sh\nif [ -e ran ]; then exit 1; fi; : > ran")
	if flaky := p.baseline(); !slices.Equal(flaky.Flaky, []harness.TestID{"./t.sh"}) || len(flaky.Green) != 0 {
		t.Errorf("flaky: %+v", flaky)
	}
	if sel := p.session.Widest("x"); len(sel.Tests) != 0 || sel.Baselined || !slices.Equal(sel.Excluded, []harness.TestID{"./t.sh"}) {
		t.Errorf("selection of a flaky command: %+v", sel)
	}
	if o := p.run(); len(o.Tests) != 0 || len(o.Argv) == 0 {
		t.Errorf("a run of nothing: %+v", o)
	}
	broken := open(t, command.Config{Command: "./t.sh"}, "t.sh", "#!/bin/sh\nno-such-tool").baseline()
	if broken.Phase != harness.PhaseBuild || !strings.Contains(broken.Trouble, "no-such-tool") || broken.Output == "" {
		t.Errorf("broken: %+v", broken)
	}
	slow := open(t, command.Config{Command: "./t.sh", Timeout: time.Second}, "t.sh", "#!/bin/sh\nsleep 1000").baseline()
	if !strings.Contains(slow.Trouble, "did not end within 1s") || len(slow.Green) != 0 {
		t.Errorf("slow: %+v", slow)
	}
}

func TestARunThatDiesOrVanishesIsNoRed(t *testing.T) {
	p := open(t, command.Config{Argv: []string{"./t.sh"}}, "t.sh", "#!/bin/sh\nexit 0")
	p.baseline()
	for script, want := range map[string]harness.Outcome{
		"#!/bin/sh\nkill -9 $$":                      {Phase: harness.PhaseRun, Signal: "killed"},
		"#!/bin/sh\n(sh -c 'kill -6 $$')":            {Phase: harness.PhaseRun, Signal: "aborted"},
		"#!/bin/sh\nexit 126":                        {Phase: harness.PhaseBuild},
		"#!/no/such/interpreter\n":                   {Phase: harness.PhaseBuild},
		"#!/bin/sh\necho 'x: not found' >&2; exit 1": {Phase: harness.PhaseBuild, Missing: "x"},
	} {
		p.write("t.sh", script)
		o := p.run()
		if o.Phase != want.Phase || o.Signal != want.Signal || o.Missing != want.Missing || o.Complete || o.Trouble == "" || o.Tests[0].Status != harness.Unreported {
			t.Errorf("%q: %+v", script, o)
		}
	}
}

func TestWhatHeadPrintsAccusesNoEdit(t *testing.T) {
	p := open(t, command.Config{Command: "./t.sh"}, "t.sh", "#!/bin/sh\necho 'config: No such file or directory'")
	p.baseline()
	p.write("t.sh", "#!/bin/sh\necho 'config: No such file or directory'\necho FAIL: add\nexit 1")
	if o := p.run(); o.Phase != harness.PhaseRun || !o.Complete || len(o.Red()) != 1 {
		t.Errorf("%+v", o)
	}
}

// report is a script that writes a report of the given testcases to out/r.xml.
func report(testcases string) string {
	return "#!/bin/sh\nmkdir -p out\necho '<testsuite name=\"s\">" + testcases + "</testsuite>' > out/r.xml\n"
}

const ab = `<testcase name="a"/><testcase name="b"/>`

func TestOnlyReportsOfThisRunCount(t *testing.T) {
	p := open(t, command.Config{Command: "./t.sh", JUnit: []string{"**/*.xml"}},
		"t.sh", report(ab), "out/stale.xml", `<testsuite><testcase name="stale"/></testsuite>`, "pom.xml", "<project/>")
	b := p.baseline()
	if !slices.Equal(b.Green, []harness.TestID{"s/a", "s/b"}) {
		t.Errorf("green: %q", b.Green)
	}
	if len(b.Notes) != 1 || !strings.Contains(b.Notes[0], "out/stale.xml") || strings.Contains(b.Notes[0], "pom.xml") {
		t.Errorf("notes: %q", b.Notes)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "pom.xml")); err != nil {
		t.Errorf("a file that is no report is gone: %v", err)
	}
	p.write("t.sh", "#!/bin/sh\nexit 0") // leaves the last report where it is
	if o := p.run(); o.Complete || o.Ran() != 0 || o.Trouble == "" {
		t.Errorf("a report of an earlier run counts: %+v", o)
	}
	p.write("t.sh", report(ab)+"touch -t 200001010000 out/r.xml")
	if o := p.run(); o.Complete || o.Ran() != 0 {
		t.Errorf("a report older than the run counts: %+v", o)
	}
}

func TestReportsOutsideTheTreeAreNeitherReadNorRemoved(t *testing.T) {
	outside := t.TempDir()
	p := open(t, command.Config{Command: "./t.sh", JUnit: []string{"out/*.xml", "**/r.xml"}}, "t.sh", "#!/bin/sh\ncp out/r.xml out/s.xml")
	theirs := filepath.Join(outside, "r.xml")
	if err := errors.Join(os.WriteFile(theirs, []byte("<testsuite><testcase name='a'/></testsuite>"), 0o644), os.Symlink(outside, filepath.Join(p.dir, "out"))); err != nil {
		t.Fatal(err)
	}
	if b := p.baseline(); !slices.Equal(b.Green, []harness.TestID{"./t.sh"}) || len(b.Notes) != 1 || !strings.Contains(b.Notes[0], "no JUnit report") {
		t.Errorf("%+v", b)
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Errorf("a file outside of the tree is gone: %v", err)
	}
}

func TestAReportedRunIsReadTestByTest(t *testing.T) {
	p := open(t, command.Config{Command: "./t.sh", JUnit: []string{"out/*.xml"}}, "t.sh", report(ab+`<testcase name="b"/>`))
	p.baseline()
	for name, c := range map[string]struct {
		script   string
		phase    harness.Phase
		complete bool
		red, ran int
		says     string
	}{
		"red though the command exits 0":      {report(`<testcase name="a"><failure/></testcase><testcase name="b"/><testcase name="b"/>`), harness.PhaseRun, true, 1, 2, ""},
		"fails though no test does":           {report(ab+`<testcase name="b"/>`) + "exit 3", harness.PhaseRun, false, 0, 2, "exited 3"},
		"a test is gone":                      {report(`<testcase name="a"/>`), harness.PhaseRun, false, 0, 1, "1 of the 2"},
		"one of the tests called b is gone":   {report(ab), harness.PhaseRun, false, 0, 1, "1 of the 2"},
		"a file fails in place of its tests":  {report(`<testcase name="a.js"><failure message="ReferenceError: trim is not defined"/></testcase>`), harness.PhaseCollect, false, 0, 0, "trim"},
		"the report is cut short":             {"#!/bin/sh\necho '<testsuite><testcase name=\"a\">' > out/r.xml", harness.PhaseRun, false, 0, 0, "cannot be read"},
		"the build fails":                     {"#!/bin/sh\necho 'a.ts: error TS1005: x'; exit 2", harness.PhaseBuild, false, 0, 0, "TS1005"},
		"no report and nothing that says why": {"#!/bin/sh\nexit 2", harness.PhaseRun, false, 0, 0, "2 of the 2"},
		"new red tests are not selected ones": {report(ab+`<testcase name="b"/><testcase name="c"><failure/></testcase>`) + "exit 1", harness.PhaseRun, true, 0, 2, ""},
		"dies after it wrote its report":      {report(ab+`<testcase name="b"/>`) + "kill -9 $$", harness.PhaseRun, false, 0, 2, "killed"},
	} {
		p.write("t.sh", c.script)
		o := p.run()
		if o.Phase != c.phase || o.Complete != c.complete || len(o.Red()) != c.red || o.Ran() != c.ran || !strings.Contains(o.Trouble, c.says) {
			t.Errorf("%s: %+v", name, o)
		}
		if len(o.Tests) != 2 {
			t.Errorf("%s: results of tests that were not selected: %+v", name, o.Tests)
		}
	}
}

func TestACommandGetsItsOwnTempAndKnowsItIsNotWatched(t *testing.T) {
	p := open(t, command.Config{Command: "./t.sh"}, "t.sh", `#!/bin/sh
: > "$TMPDIR/mine"; echo "CI=$CI PWD=$PWD"; echo "$TMPDIR" >> seen`)
	p.baseline()
	o := p.run()
	if want := "CI=true PWD=" + p.dir + "\n"; o.Output != want || !slices.Equal(o.Env, []string{"CI=true"}) {
		t.Errorf("output %q, env %q", o.Output, o.Env)
	}
	seen, err := os.ReadFile(filepath.Join(p.dir, "seen"))
	if err != nil {
		t.Fatal(err)
	}
	temps := strings.Fields(string(seen))
	if slices.Sort(temps); len(slices.Compact(temps)) != 3 {
		t.Errorf("three runs share a TMPDIR: %q", seen)
	}
	for _, temp := range strings.Fields(string(seen))[:2] {
		if _, err := os.Stat(temp); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the baseline left its TMPDIR behind: %v", err)
		}
	}
}

func TestTheLimitOfACommandIsTheConfiguredElseDerivedFromItsBaseline(t *testing.T) {
	if b := open(t, command.Config{Command: "true"}).baseline(); b.Limit != 10*time.Second {
		t.Errorf("limit of a quick command: %v, want the least, 10s", b.Limit)
	}
	s, err := command.New(command.Config{Command: "true"}).Open(t.Context(), t.TempDir(), harness.Options{Env: os.Environ(), Scratch: t.TempDir(), Hang: 1})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Baseline(t.Context(), t.TempDir(), nil)
	if want := time.Duration(10 * b.Seconds * float64(time.Second)); err != nil || (b.Limit-want).Abs() > time.Microsecond {
		t.Errorf("limit %v, want ten times the longer run, %v (%v)", b.Limit, want, err)
	}
	if b := open(t, command.Config{Command: "true", Timeout: time.Minute}).baseline(); b.Limit != time.Minute {
		t.Errorf("configured limit: %v", b.Limit)
	}
}

func TestATestThatIsRedAtHeadHasNoResultThoughSelected(t *testing.T) {
	p := open(t, command.Config{Command: "./t.sh", JUnit: []string{"out/*.xml"}}, "t.sh", report(`<testcase name="a"/><testcase name="b"><failure/></testcase>`)+"exit 1")
	p.baseline()
	job := harness.Job{Dir: p.dir, Scratch: t.TempDir(), Selection: harness.Selection{Basis: harness.All, Tests: []harness.TestID{"s/a", "s/b"}}}
	o, err := p.session.Run(t.Context(), job)
	if err != nil || !o.Complete || len(o.Tests) != 1 || o.Tests[0].ID != "s/a" {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestAClosedSessionRunsNothing(t *testing.T) {
	p := open(t, command.Config{Command: "./t.sh"}, "t.sh", "#!/bin/sh\n: > ran")
	p.baseline()
	if err := errors.Join(p.session.Close(), p.session.Close(), os.Remove(filepath.Join(p.dir, "ran"))); err != nil {
		t.Fatal(err)
	}
	if _, err := p.session.Run(t.Context(), harness.Job{Dir: p.dir, Selection: p.session.Widest(""), Scratch: t.TempDir()}); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(filepath.Join(p.dir, "ran")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it ran: %v", err)
	}
}

func TestCloseEndsARun(t *testing.T) {
	p := open(t, command.Config{Command: "./t.sh"}, "t.sh", "#!/bin/sh\nexit 0")
	p.baseline()
	// The run opens the pipe for writing, which blocks until it is read here.
	pipe := filepath.Join(p.dir, "started")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p.write("t.sh", "#!/bin/sh\necho $$ > started\nwhile :; do sleep 1000; done")
	done := make(chan error, 1)
	go func() {
		_, err := p.session.Run(t.Context(), harness.Job{Dir: p.dir, Selection: p.session.Widest(""), Scratch: t.TempDir(), Limit: time.Hour})
		done <- err
	}()
	line, err := os.ReadFile(pipe)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(line)))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.session.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want an error about the closed session", err)
	}
	harnesstest.RequireGone(t, pid)
}
