package gotest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest"
)

func TestAPackageThatDoesNotBuildLeavesTheOthers(t *testing.T) {
	s := open(t, "build.txtar", options{flags: []string{"-tags=special", "-short", "-count=5"}})
	if s.baseline.Trouble != "" {
		t.Fatal(s.baseline.Trouble)
	}
	want := "ex/leak.TestFine ex/lib.TestHelper ex/odd.TestOdd ex/tagged.TestSpecial ex/user.TestDouble ex/v2/tagged.TestSameBinaryName"
	if got := ids(s.baseline.Green); got != want {
		t.Errorf("green:\n got %s\nwant %s", got, want)
	}
	red := map[harness.TestID]string{}
	for _, r := range s.baseline.Red {
		red[r.ID] = r.Red.Message
	}
	if len(red) != 2 || !strings.Contains(red["ex/broken"], "tests need G") || !strings.Contains(red["ex/never"], "before any test began") {
		t.Errorf("red %q", red)
	}
	if sel := s.cover("broken/broken.go"); len(sel.Tests) > 0 || ids(sel.Excluded) != "ex/broken" {
		t.Errorf("the cover of a package whose tests do not build is %+v", sel)
	}
	notes := strings.Join(s.baseline.Notes, "\n")
	for _, want := range []string{"ex/broken cannot be used at head", "the test binary of ex/odd fails at head though no test does"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
}

func TestBuilds(t *testing.T) {
	s := open(t, "build.txtar", options{})
	t.Run("what does not build is told", s.on(whatDoesNotBuildIsTold))
	t.Run("a binary that fails after its tests passed is incomplete", s.on(failingAfterwardsIsIncomplete))
	t.Run("a cancelled build ends", s.on(aCancelledBuildEnds))
}

func whatDoesNotBuildIsTold(t *testing.T, s *story) {
	for _, c := range []struct{ path, old, text, trouble, missing string }{
		{"lib/lib.go", "func Helper() int { return 1 }", "", "tests need Helper: ", "Helper"},
		{"lib/lib.go", "Name string", "", "tests need Name: ", "Name"},
		{"lib/lib.go", "func Value() int { return 5 }", "", "undefined: lib.Value", "lib.Value"},
		{"lib/lib.go", "return 5", "return", "not enough return values", ""},
		{"lib/lib.go", "package lib", "package", "expected 'IDENT'", ""},
	} {
		o := s.run(c.path, c.old, c.text)
		if o.Phase != harness.PhaseBuild || o.Complete || len(o.Tests) > 0 || o.Missing != c.missing || !strings.Contains(o.Trouble, c.trouble) {
			t.Errorf("%q gone: phase %s, missing %q, trouble %q; want %q, %q", c.old, o.Phase, o.Missing, o.Trouble, c.missing, c.trouble)
		}
	}
}

func failingAfterwardsIsIncomplete(t *testing.T, s *story) {
	o := s.run("leak/leak.go", "false", "true")
	if o.Complete || len(o.Red()) > 0 || !strings.Contains(o.Trouble, "exited with code 1 after every test had passed") {
		t.Errorf("%+v", o)
	}
	o = s.runWith(nil, s.session.Widest("leak/leak.go"))
	if !o.Complete || len(o.Red()) > 0 {
		t.Errorf("head, with a binary that always fails: %+v", o)
	}
}

func TestARepeatIsNotBuiltAgain(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	s := open(t, "layout.txtar", options{origin: "repo", env: []string{loggedGo(t, calls), "CALLS=" + calls}})
	edits := s.edit("c/c.go", "return 4", "return 5")
	sel := s.cover("b/b.go")
	s.runWith(edits, sel)
	before := count(t, calls, "test -c")
	s.runWith(edits, sel)
	s.runWith(nil, sel)
	if after := count(t, calls, "test -c"); after != before {
		t.Errorf("%d builds before, %d after repeating an edit and head", before, after)
	}
	edits[0].Text = []byte("return 6")
	s.runWith(edits, sel)
	if after := count(t, calls, "test -c"); after != before+2 {
		t.Errorf("%d builds before, %d after another edit of two modules", before, after)
	}
}

// loggedGo returns a PATH on which go writes its arguments to $CALLS.
func loggedGo(t *testing.T, calls string) string {
	t.Helper()
	path := os.Getenv("PATH")
	real, err := harness.LookPath(os.Environ(), "go")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(calls)
	script := "#!/bin/sh\necho \"$*\" >> \"$CALLS\"\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + dir + string(os.PathListSeparator) + path
}

func count(t *testing.T, file, prefix string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

func TestWhatCannotBeOpenedSaysWhatToDo(t *testing.T) {
	empty, module := t.TempDir(), t.TempDir()
	write(t, module, "go.mod", []byte("module ex\n\ngo 1.24\n"))
	for _, c := range []struct {
		dir, env, tried, next string
	}{
		{empty, "", "look for a go.mod in " + empty, "go mod init"},
		{module, "PATH=" + empty, "look for the go command on PATH", "install Go"},
		{module, "GOTOOLCHAIN=nonsense", "run go env in " + module, "`go version`"},
	} {
		_, err := gotest.New().Open(t.Context(), c.dir, harness.Options{
			Env: harness.Setenv(os.Environ(), c.env), Scratch: t.TempDir()})
		var setup *harness.SetupError
		if !errors.As(err, &setup) || setup.Tried != c.tried || !strings.Contains(setup.Next, c.next) {
			t.Errorf("%s: got %v", c.tried, err)
		}
	}
}

func TestAModuleWithoutTestsIsTrouble(t *testing.T) {
	for name, c := range map[string]struct {
		files   map[string]string
		trouble string
		phase   harness.Phase
	}{
		"no tests":    {map[string]string{"a.go": "package a\n"}, "no package of the tree has tests", harness.PhaseRun},
		"no build":    {map[string]string{"a.go": "package a\n\nvar x = y\n", "a_test.go": "package a\n"}, "no test package of the tree can be built or run: ./a.go:3:9: undefined: y", harness.PhaseBuild},
		"future go":   {map[string]string{"go.mod": "module ex\n\ngo 1.999\n"}, "no module of the tree can be listed", harness.PhaseBuild},
		"bad go.mod":  {map[string]string{"go.mod": "modul ex\n"}, "no module of the tree can be listed", harness.PhaseBuild},
		"none green":  {map[string]string{"a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Fatal(1) }\n"}, "no test of the tree is green", harness.PhaseRun},
		"init panics": {map[string]string{"a_test.go": "package a\n\nimport \"testing\"\n\nfunc init() { panic(1) }\n\nfunc TestA(t *testing.T) {}\n"}, "no test package of the tree can be built or run", harness.PhaseBuild},
	} {
		dir := t.TempDir()
		write(t, dir, "go.mod", []byte("module ex\n\ngo 1.24\n"))
		for path, text := range c.files {
			write(t, dir, path, []byte(text))
		}
		session, err := gotest.New().Open(t.Context(), dir, harness.Options{Env: harness.Setenv(os.Environ(), "GOTOOLCHAIN=local"), Scratch: t.TempDir()})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := session.Baseline(t.Context(), dir, nil)
		if err != nil || b.Phase != c.phase || !strings.Contains(b.Trouble, c.trouble) {
			t.Errorf("%s: phase %s, trouble %q, %v", name, b.Phase, b.Trouble, err)
		}
	}
}

func aCancelledBuildEnds(t *testing.T, s *story) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	edits := s.edit("lib/lib.go", "return 5", "return 6")
	defer s.restore("lib/lib.go")
	_, err := s.session.Run(ctx, harness.Job{Dir: s.dir, Edits: edits, Selection: s.cover("lib/lib.go"), Scratch: t.TempDir()})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := s.session.Baseline(ctx, s.dir, []harness.Target{{Path: "lib/lib.go", Lines: []change.Span{{Start: 1, Lines: 1}}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("baseline: got %v", err)
	}
}
