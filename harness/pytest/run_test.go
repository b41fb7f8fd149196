package pytest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/harness"
)

func TestTrialsTellHowFarTheyCame(t *testing.T) {
	t.Parallel()
	p := open(t, "trials", settings{targets: watched("src/pkg/core.py")}).sound()
	p.namesWhatDoesNotCollect()
	all := p.everything()
	for _, c := range []struct {
		what, path, old, neu string
		phase                harness.Phase
		missing              string
		trouble              string
		red, unreported      []string
		kind                 harness.RedKind
	}{
		{"nothing changed", "", "", "", harness.PhaseRun, "", "", nil, nil, ""},
		{"an imported name is gone", "src/pkg/core.py", "def helper", "def other", harness.PhaseCollect, "helper", "tests/test_value.py",
			nil, []string{"test_value", "test_helper", "test_name[a]", "test_name[b]", "test_after"}, ""},
		{"a conftest does not import", "src/pkg/__init__.py", "import value", "import gone as value", harness.PhaseCollect, "gone", "conftest",
			nil, []string{"test_value", "test_helper", "test_name[a]", "test_name[b]", "test_after"}, ""},
		{"a text does not parse", "src/pkg/core.py", "return 1", "return (", harness.PhaseCollect, "", "never closed",
			nil, []string{"test_value", "test_helper", "test_name[a]", "test_name[b]", "test_after"}, ""},
		{"a selected test is gone", "src/pkg/core.py", `["a", "b"]`, `["a", "c"]`, harness.PhaseRun, "", "not collected",
			nil, []string{"test_name[b]"}, ""},
		{"the process ends with 0", "src/pkg/core.py", "return 1", "os._exit(0)", harness.PhaseRun, "", "exit code 0",
			[]string{"test_after"}, []string{"test_helper", "test_value"}, harness.RedExit},
		{"a signal", "src/pkg/core.py", "return 1", "os.kill(os.getpid(), 9)", harness.PhaseRun, "", "killed",
			[]string{"test_after"}, []string{"test_helper", "test_value"}, harness.RedExit},
		{"the session is ended", "src/pkg/core.py", "return 1", "__import__('pytest').exit('enough')", harness.PhaseRun, "", "test_after",
			[]string{"test_after"}, []string{"test_helper", "test_value"}, harness.RedExit},
		{"the process ends at import", "src/pkg/core.py", "import os", "import os; os._exit(0)", harness.PhaseCollect, "", "exit code 0",
			nil, []string{"test_value", "test_helper", "test_name[a]", "test_name[b]", "test_after"}, ""},
		{"a thread stays behind", "src/pkg/core.py", "return 1", "__import__('threading').Thread(target=__import__('time').sleep, args=(999,)).start(); return 1",
			harness.PhaseRun, "", "", nil, nil, ""},
		{"an assertion", "src/pkg/core.py", "return 1", "return 2", harness.PhaseRun, "", "",
			[]string{"test_value", "test_helper", "test_after"}, nil, harness.RedAssertion},
	} {
		o := p.run(all, c.path, c.old, c.neu)
		if o.Phase != c.phase || o.Missing != c.missing || o.TimedOut || !strings.Contains(o.Trouble, c.trouble) || (c.trouble == "") != (o.Trouble == "") {
			t.Errorf("%s: phase %s, missing %q, timed out %v, trouble %q\n%s", c.what, o.Phase, o.Missing, o.TimedOut, o.Trouble, o.Output)
		}
		if o.Complete != (c.trouble == "") {
			t.Errorf("%s: complete %v", c.what, o.Complete)
		}
		var red, unreported []harness.TestID
		for _, r := range o.Tests {
			switch r.Status {
			case harness.Failed:
				red = append(red, r.ID)
				if r.Red.Kind != c.kind {
					t.Errorf("%s: %s is red by %s, want %s", c.what, r.ID, r.Red.Kind, c.kind)
				}
			case harness.Unreported:
				unreported = append(unreported, r.ID)
			}
		}
		same(t, c.what+": red", short(red), c.red...)
		same(t, c.what+": unreported", short(unreported), c.unreported...)
	}
}

func (p *project) namesWhatDoesNotCollect() {
	p.t.Helper()
	same(p.t, "red at head", short(idsOf(p.base.Red)), "tests/test_broken.py")
	if red := p.base.Red[0].Red; red.Kind != harness.RedImport || red.Symbol != "there_is_no_such_module" {
		p.t.Errorf("why it does not collect: %+v", red)
	}
	same(p.t, "green", short(p.base.Green), "test_value", "test_helper", "test_name[a]", "test_name[b]", "test_after")
}

func TestStaleByteCodeIsNotRun(t *testing.T) {
	t.Parallel()
	p := open(t, "trials", settings{}).sound()
	var at time.Time
	for _, path := range []string{"src/pkg/core.py", "tests/test_names.py"} {
		info, err := os.Stat(filepath.Join(p.dir, path))
		if err != nil {
			t.Fatal(err)
		}
		at = info.ModTime()
		start := harness.Process{Argv: []string{python(t), "-B", "-m", "py_compile", path}, Dir: p.dir, Env: os.Environ()}
		if end, err := harness.Start(t.Context(), start); err != nil || end.Code != 0 {
			t.Fatalf("compile %s: %v, %+v", path, err, end)
		}
	}
	p.edit("src/pkg/core.py", "return 1", "return 2") // same size
	if err := os.Chtimes(filepath.Join(p.dir, "src/pkg/core.py"), at, at); err != nil {
		t.Fatal(err)
	}
	o, err := p.Run(t.Context(), harness.Job{Dir: p.dir, Selection: p.everything(), Scratch: t.TempDir()})
	if err != nil || len(o.Red()) != 3 {
		t.Errorf("%v, red %v: %s\n%s", err, o.Red(), o.Trouble, o.Output)
	}
}

// A finder like those of editable installs, put first by the site.
const editable = `import importlib.util, os, sys
class Editable:
    def find_spec(self, name, path=None, target=None):
        if name == "pkg":
            where = os.path.join(os.environ["EDITABLE"], "pkg")
            return importlib.util.spec_from_file_location(name, os.path.join(where, "__init__.py"), submodule_search_locations=[where])
sys.meta_path.insert(0, Editable())
`

func TestEditableInstallsOfTheUsersTreeAreRedirected(t *testing.T) {
	t.Parallel()
	origin, files := unpack(t, "trials")
	write(t, origin, "src/pkg/core.py", strings.Replace(files["src/pkg/core.py"], "return 1", "return 7", 1))
	site := t.TempDir()
	write(t, site, "sitecustomize.py", editable)
	env := []string{"EDITABLE=" + filepath.Join(origin, "src"), "PYTHONPATH=" + site + string(os.PathListSeparator) + filepath.Join(origin, "src")}
	p := open(t, "trials", settings{origin: origin, env: env}).sound()
	same(t, "green", short(p.base.Green), "test_value", "test_helper", "test_name[a]", "test_name[b]", "test_after")
	o := p.run(p.everything(), "src/pkg/core.py", "return 1", "return 2")
	if len(o.Red()) != 3 || len(o.Strays) > 0 {
		t.Errorf("red %v, strays %v", o.Red(), o.Strays)
	}
	o = p.run(p.everything(), "src/pkg/core.py", "import os", "import os, sys, importlib.machinery as m; m.SourceFileLoader('x', '"+
		filepath.Join(origin, "src/pkg/core.py")+"').load_module()")
	if len(o.Strays) != 1 || !strings.HasPrefix(o.Strays[0], origin) {
		t.Errorf("strays %v: %s\n%s", o.Strays, o.Trouble, o.Output)
	}
}

func TestATestThatEndsTheProcessAtHeadIsExcluded(t *testing.T) {
	t.Parallel()
	p := open(t, "crash", settings{targets: watched("lib.py")}).sound()
	same(t, "green", short(p.base.Green), "test_before", "test_behind", "test_last")
	same(t, "red", short(idsOf(p.base.Red)), "test_exit", "test_abort")
	for _, r := range p.base.Red {
		if r.Red.Kind != harness.RedExit {
			t.Errorf("%s: %+v", r.ID, r.Red)
		}
	}
	sel := p.Cover("lib.py", p.lines("lib.py", "return", "return"))
	same(t, "cover", short(sel.Tests), "test_last")
}

func TestTroubleAtHeadIsSaidInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		phase      harness.Phase // PhaseRun: everything collected, there is just nothing
	}{
		{"none", "no tests", harness.PhaseRun},
		{"usage", "unrecognized arguments: --no-such-option", harness.PhaseCollect},
		{"conftest", "no module named 'gone'", harness.PhaseCollect},
		{"allbroken", "cannot be collected", harness.PhaseCollect},
	} {
		p := open(t, c.name, settings{})
		if !strings.Contains(strings.ToLower(p.base.Trouble), c.want) || p.base.Phase != c.phase || len(p.base.Green) > 0 {
			t.Errorf("%s: phase %s, trouble %q\n%s", c.name, p.base.Phase, p.base.Trouble, p.base.Output)
		}
	}
}
