package gotest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest"
)

// A story is a session on the project of an archive.
type story struct {
	t        *testing.T
	session  harness.Session
	dir      string // of the tree
	origin   string
	files    map[string]string
	baseline harness.Baseline
}

// options are what a story may say beside its archive.
type options struct {
	origin string // directory of the archive that is the user's tree; "" when tree and origin are one
	env    []string
	flags  []string
	maxRun time.Duration
	target string
}

// open writes the archive and opens a session on it. With an origin the
// archive is written twice, far apart, and the session gets the second copy of
// that directory only: what lies outside it is then where the user has it. Files
// under ignored/ are in the origin and not in the tree. $HOME in a file is where
// the first copy stands.
func open(t *testing.T, archive string, o options) *story {
	t.Helper()
	s := &story{t: t, files: map[string]string{}}
	a, err := txtar.ParseFile(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	s.dir = filepath.Join(t.TempDir(), "tree")
	home := filepath.Join(t.TempDir(), "home")
	for _, f := range a.Files {
		f.Data = bytes.ReplaceAll(f.Data, []byte("$HOME"), []byte(home))
		if o.origin == "" {
			s.files[f.Name] = string(f.Data)
			write(t, s.dir, f.Name, f.Data)
			continue
		}
		name, ignored := strings.CutPrefix(f.Name, "ignored/")
		write(t, home, name, f.Data)
		if ignored {
			continue
		}
		if name, ours := strings.CutPrefix(f.Name, o.origin+"/"); ours {
			s.files[name] = string(f.Data)
			write(t, s.dir, name, f.Data)
		}
	}
	s.origin = s.dir
	if o.origin != "" {
		s.origin = filepath.Join(home, o.origin)
	}
	s.open(o)
	return s
}

// on makes a subtest of what is to hold on the story. The session of the story
// outlives it.
func (s *story) on(holds func(*testing.T, *story)) func(*testing.T) {
	return func(t *testing.T) {
		part := *s
		part.t = t
		holds(t, &part)
	}
}

func (s *story) open(o options) {
	s.t.Helper()
	env := harness.Setenv(os.Environ(), append([]string{"ORIGIN=" + s.origin}, o.env...)...)
	session, err := gotest.New().Open(s.t.Context(), s.dir, harness.Options{
		Origin: s.origin, Env: env, Scratch: s.t.TempDir(), Hang: 3 * time.Second, MaxRun: o.maxRun, Flags: o.flags})
	if err != nil {
		s.t.Fatal(err)
	}
	s.session = session
	s.t.Cleanup(func() {
		if err := session.Close(); err != nil {
			s.t.Error(err)
		}
	})
	s.baseline, err = session.Baseline(s.t.Context(), s.dir, []harness.Target{{Path: o.target, Lines: []change.Span{{Start: 1, Lines: 1}}}})
	if err != nil {
		s.t.Fatal(err)
	}
}

func write(t *testing.T, dir, name string, text []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// edit replaces text that occurs once in a file of the tree until the test
// ends.
func (s *story) edit(path, old, text string) []change.Edit {
	s.t.Helper()
	head := s.files[path]
	at := strings.Index(head, old)
	if at < 0 || strings.Count(head, old) != 1 {
		s.t.Fatalf("%q must occur once in %s", old, path)
	}
	e := change.Edit{Path: path, Start: at, End: at + len(old), Text: []byte(text)}
	write(s.t, s.dir, path, []byte(head[:at]+text+head[at+len(old):]))
	return []change.Edit{e}
}

// restore brings head back.
func (s *story) restore(path string) { write(s.t, s.dir, path, []byte(s.files[path])) }

// run runs the cover of path with old replaced by text.
func (s *story) run(path, old, text string) harness.Outcome {
	s.t.Helper()
	edits := s.edit(path, old, text)
	defer s.restore(path)
	return s.runWith(edits, s.cover(path))
}

func (s *story) runWith(edits []change.Edit, sel harness.Selection) harness.Outcome {
	s.t.Helper()
	o, err := s.session.Run(s.t.Context(), harness.Job{Dir: s.dir, Edits: edits, Selection: sel, Scratch: s.t.TempDir()})
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

func (s *story) cover(path string) harness.Selection {
	return s.session.Cover(path, change.Span{Start: 1, Lines: 1})
}

func ids(tests []harness.TestID) string {
	names := make([]string, len(tests))
	for i, id := range tests {
		names[i] = string(id)
	}
	return strings.Join(names, " ")
}

func redIDs(o harness.Outcome) string {
	var red []harness.TestID
	for _, r := range o.Red() {
		red = append(red, r.ID)
	}
	return ids(red)
}

// innermost returns the innermost place of a red as path:line, "" for none.
func innermost(r *harness.Red) string {
	if len(r.Frames) == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", r.Frames[0].Path, r.Frames[0].Line)
}
