package pytest_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

// on runs everything with a file as it is to be on disk, and says so.
func (p *project) on(sel harness.Selection, path, text string) harness.Outcome {
	p.t.Helper()
	write(p.t, p.dir, path, text)
	defer p.restore()
	e := change.Edit{Path: path, Op: change.Splice, End: len(p.files[path]), Text: []byte(text)}
	if _, there := p.files[path]; !there {
		e.Op = change.Create
		defer func() {
			if err := os.Remove(filepath.Join(p.dir, path)); err != nil {
				p.t.Error(err)
			}
		}()
	}
	o, err := p.Run(p.t.Context(), harness.Job{Dir: p.dir, Edits: []change.Edit{e}, Selection: sel, Scratch: p.t.TempDir()})
	if err != nil {
		p.t.Fatal(err)
	}
	return o
}

// Each change of a file is what a fresh process makes of it, and is run in a
// fork of the bare process unless that process has read the file before.
func TestAForkOfABareProcessSaysWhatAFreshProcessSays(t *testing.T) {
	t.Parallel()
	parent := filepath.Join(t.TempDir(), "parent")
	env := []string{"PARENT=" + parent}
	p := open(t, "bare", settings{targets: watched("lib.py"), env: env, all: true}).sound()
	defer p.close()
	alone := open(t, "bare", settings{targets: watched("lib.py"), env: env, all: true, fresh: true}).sound()
	defer alone.close()
	all := p.everything()
	same(t, "what is green", short(all.Tests), "test_parent", "test_value", "test_limit", "test_places")
	if o := p.run(all, "", "", ""); !o.Complete || len(o.Red()) > 0 { // the first run is a process of its own
		t.Fatal(facts(o))
	}
	for _, c := range []struct {
		what, path, old, neu string
		forked               bool
	}{
		{"nothing", "lib.py", "", "", true},
		{"a constant", "lib.py", "VALUE = 1", "VALUE = 2", true},
		{"the same size in the same second", "lib.py", "VALUE = 1", "VALUE = 3", true},
		{"it does not compile", "lib.py", "VALUE = 1", "VALUE = (", true},
		{"a name is gone", "lib.py", "def value", "def other", true},
		{"a conftest", "conftest.py", "return 10", "return 20", true},
		{"a conftest that fails", "conftest.py", "import pytest", "import pytest, nowhere", true},
		{"a test", "test_lib.py", "== 11", "== 12", true},
		{"a module that was not there", "late.py", "", "VALUE = 1\n", true},
		{"a module that hides one that pytest has loaded", "iniconfig.py", "", "IniConfig = None\n", false},
		{"a plugin that is loaded early", "plug.py", "LIMIT = 3", "LIMIT = 4", false},
		{"the configuration", "pytest.ini", "addopts = -p plug", "addopts = -p plug -k value", false},
	} {
		text := strings.Replace(p.files[c.path], c.old, c.neu, 1)
		if c.old == "" {
			text = p.files[c.path] + c.neu
		}
		if err := os.WriteFile(parent, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		got := p.on(all, c.path, text)
		of, err := os.ReadFile(parent)
		if err != nil {
			t.Fatal(err)
		}
		if forked := string(of) != strconv.Itoa(os.Getpid()); len(of) > 0 && forked != c.forked {
			t.Errorf("%s: forked %v, want %v", c.what, forked, c.forked)
		}
		if want := alone.on(all, c.path, text); facts(got) != facts(want) {
			t.Errorf("%s: fork:\n%s\nfresh:\n%s", c.what, facts(got), facts(want))
		}
	}
}
