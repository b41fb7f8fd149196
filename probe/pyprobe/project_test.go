package pyprobe

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"assay/harness"
	"assay/harness/pytest"
	"assay/probe"
)

// project writes testdata/NAME.txtar into a directory of its own and opens it
// as a probe finds it.
func project(t *testing.T, name string) probe.Place {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return at(t, dir)
}

// at opens the project in dir with the Python of the tests.
func at(t testing.TB, dir string) probe.Place {
	t.Helper()
	python := os.Getenv("ASSAY_TEST_PYTHON")
	if python == "" {
		t.Fatal("ASSAY_TEST_PYTHON is not set; run make test, or set it to a Python that has pytest")
	}
	scratch := t.TempDir()
	s, err := pytest.New(pytest.Config{Python: python}).Open(t.Context(), dir, harness.Options{Origin: dir, Env: os.Environ(), Scratch: scratch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return probe.Place{Dir: dir, Scratch: scratch, Session: s, Env: os.Environ()}
}

// record runs everything once and returns what the plugin saw of each test, by
// the name of its function.
func record(t *testing.T, p probe.Place, c probe.Conditions) map[string]probe.Facts {
	t.Helper()
	r, err := run(t.Context(), p, orderOf(c), harness.Guest{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.log.finished {
		t.Fatalf("the plugin did not come to its end: %s\n%s", r.outcome.Trouble, r.outcome.Output)
	}
	seen := map[string]probe.Facts{}
	for _, test := range r.log.order {
		f := r.facts(test)
		seen[nameOf(test)] = f
	}
	return seen
}
