package pytest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"assay/change"
	"assay/harness"
	"assay/harness/pytest"
)

// A project is a session on the files of one testdata/*.txtar.
type project struct {
	harness.Session
	t      *testing.T
	dir    string
	origin string
	base   harness.Baseline
	files  map[string]string
}

// settings are what a test changes of the usual options.
type settings struct {
	env     []string
	origin  string
	targets []harness.Target
	hang    time.Duration
	all     bool
	fresh   bool
	edits   map[string][2]string // made before the baseline
}

// unpack writes the files of a txtar archive into a new directory.
func unpack(t *testing.T, name string) (dir string, files map[string]string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir, files = filepath.Join(t.TempDir(), "project"), map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
		write(t, dir, f.Name, string(f.Data))
	}
	return dir, files
}

func write(t *testing.T, dir, path, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// open runs the baseline of a project.
func open(t *testing.T, name string, with settings) *project {
	t.Helper()
	dir, files := unpack(t, name)
	p := &project{t: t, dir: dir, files: files, origin: with.origin}
	for path, edit := range with.edits {
		p.edit(path, edit[0], edit[1])
		files[path] = strings.Replace(files[path], edit[0], edit[1], 1)
	}
	if p.origin == "" {
		p.origin = dir
	}
	opts := harness.Options{Origin: p.origin, Env: harness.Setenv(os.Environ(), with.env...), Scratch: t.TempDir(), Hang: with.hang, AllTests: with.all, Fresh: with.fresh}
	session, err := pytest.New(pytest.Config{Python: python(t)}).Open(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	p.Session = session
	p.base, err = session.Baseline(t.Context(), dir, with.targets)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sound stops the test when the baseline has trouble.
func (p *project) sound() *project {
	p.t.Helper()
	if p.base.Trouble != "" {
		p.t.Fatalf("baseline: %s\n%s", p.base.Trouble, p.base.Output)
	}
	return p
}

// edit puts a replacement on disk; old must occur once.
func (p *project) edit(path, old, neu string) {
	p.t.Helper()
	if strings.Count(p.files[path], old) != 1 {
		p.t.Fatalf("%q occurs %d times in %s", old, strings.Count(p.files[path], old), path)
	}
	write(p.t, p.dir, path, strings.Replace(p.files[path], old, neu, 1))
}

func (p *project) restore() {
	for path, text := range p.files {
		write(p.t, p.dir, path, text)
	}
}

// run runs a selection with an edit on disk and restores head.
func (p *project) run(sel harness.Selection, path, old, neu string) harness.Outcome {
	p.t.Helper()
	if path != "" {
		p.edit(path, old, neu)
		defer p.restore()
	}
	o, err := p.Run(p.t.Context(), harness.Job{Dir: p.dir, Selection: sel, Scratch: p.t.TempDir()})
	if err != nil {
		p.t.Fatal(err)
	}
	return o
}

func (p *project) everything() harness.Selection { return p.Widest("x") }

// lines returns the span of the lines from the one that holds first to the one
// that holds last.
func (p *project) lines(path, first, last string) change.Span {
	p.t.Helper()
	from, to := 0, 0
	for i, line := range strings.Split(p.files[path], "\n") {
		if from == 0 && strings.Contains(line, first) {
			from = i + 1
		}
		if from > 0 && to == 0 && strings.Contains(line, last) {
			to = i + 1
		}
	}
	if to == 0 {
		p.t.Fatalf("%s has no lines from %q to %q", path, first, last)
	}
	return change.Span{Start: from, Lines: to - from + 1}
}

// short are ids without the path of their file, sorted.
func short(ids []harness.TestID) []string {
	var out []string
	for _, id := range ids {
		_, name, found := strings.Cut(string(id), "::")
		if !found {
			name = string(id)
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func idsOf(results []harness.Result) []harness.TestID {
	var ids []harness.TestID
	for _, r := range results {
		ids = append(ids, r.ID)
	}
	return ids
}
