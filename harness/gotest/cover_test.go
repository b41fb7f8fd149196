package gotest_test

import (
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

const (
	testsOfA = "ex/a.TestA ex/a.TestEmbed"
	testsOfB = "ex/b.TestB ex/b.TestConfig ex/b.TestGolden ex/b.TestPwd"
	testsOfN = "ex/nested.TestN"
)

func TestLayout(t *testing.T) {
	s := open(t, "layout.txtar", options{origin: "repo", target: "a/a_windows.go"})
	t.Run("a file is covered by the tests that hold it", s.on(coverIsWhatHoldsTheFile))
	t.Run("an edit is seen by other packages and modules", s.on(anEditIsSeenElsewhere))
	t.Run("reached tells uncovered lines", s.on(reachedTellsUncoveredLines))
	t.Run("a panic leaves the rest unreported", s.on(aPanicLeavesTheRestUnreported))
	t.Run("a panic before any test is the red of every test", s.on(aPanicBeforeAnyTest))
}

func coverIsWhatHoldsTheFile(t *testing.T, s *story) {
	if s.baseline.Trouble != "" || len(s.baseline.Red) > 0 {
		t.Fatalf("baseline %+v", s.baseline)
	}
	for path, want := range map[string]string{
		"a/a.go":                "package " + testsOfA + " " + testsOfB + " " + testsOfN,
		"a/a_test.go":           "package " + testsOfA,
		"a/hello.txt":           "opened-file " + testsOfA + " " + testsOfB + " " + testsOfN,
		"a/a_windows.go":        "package",
		"a/new.go":              "package " + testsOfA + " " + testsOfB + " " + testsOfN,
		"a/new_test.go":         "package " + testsOfA,
		"b/b.go":                "package " + testsOfB + " " + testsOfN,
		"b/b_test.go":           "package " + testsOfB,
		"config/b.json":         "opened-file " + testsOfB,
		"b/testdata/golden.txt": "opened-file " + testsOfB,
		"b/testdata/unread.txt": "package " + testsOfB + " " + testsOfN,
		"c/c.go":                "package",
		"nested/n.go":           "package " + testsOfN,
		"gone/gone.go":          "package",
		"README.md":             "all " + testsOfA + " " + testsOfB + " " + testsOfN,
		"go.mod":                "all " + testsOfA + " " + testsOfB + " " + testsOfN,
	} {
		sel := s.cover(path)
		if got := strings.TrimSpace(string(sel.Basis) + " " + ids(sel.Tests)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", path, got, want)
		}
		if !sel.Baselined || len(sel.Excluded) > 0 {
			t.Errorf("%s: baselined %v, excluded %q", path, sel.Baselined, sel.Excluded)
		}
		if widest := s.session.Widest(path); widest.Basis != harness.All || len(widest.Tests) != 7 {
			t.Errorf("%s: widest %+v", path, widest)
		}
	}
	if notes := strings.Join(s.baseline.Notes, "\n"); !strings.Contains(notes, "a/a_windows.go is left out of the build on") {
		t.Errorf("notes %q do not name the file for another system", notes)
	}
}

func anEditIsSeenElsewhere(t *testing.T, s *story) {
	o := s.run("a/a.go", "return 1\n", "return 7\n")
	if got, want := redIDs(o), "ex/a.TestA ex/b.TestB ex/nested.TestN"; got != want || !o.Complete {
		t.Errorf("red %q, want %q; complete %v", got, want, o.Complete)
	}
	o = s.run("a/hello.txt", "hello", "bye")
	if got, want := redIDs(o), "ex/a.TestEmbed"; got != want {
		t.Errorf("an embedded file: red %q, want %q", got, want)
	}
	o = s.run("config/b.json", "{}", "[]")
	if got, want := redIDs(o), "ex/b.TestConfig"; got != want {
		t.Errorf("an opened file: red %q, want %q", got, want)
	}
}

func reachedTellsUncoveredLines(t *testing.T, s *story) {
	reach, ok := s.session.(harness.Reach)
	if !ok {
		t.Fatal("the session cannot tell what is reached")
	}
	for _, c := range []struct {
		path       string
		lines      change.Span
		hit, known bool
	}{
		{"a/a.go", change.Span{Start: 18, Lines: 1}, true, true},
		{"a/a.go", change.Span{Start: 16, Lines: 1}, false, true}, // the branch not taken
		{"a/a.go", change.Span{Start: 23, Lines: 2}, false, true},
		{"a/a.go", change.Span{Start: 23, Lines: 0}, false, true},
		{"a/a.go", change.Span{Start: 4, Lines: 1}, false, false}, // no statement
		{"a/a_windows.go", change.Span{Start: 3, Lines: 1}, false, false},
		{"a/hello.txt", change.Span{Start: 1, Lines: 1}, false, false},
	} {
		hit, known, err := reach.Reached(t.Context(), s.dir, c.path, c.lines)
		if err != nil || hit != c.hit || known != c.known {
			t.Errorf("%s:%v: hit %v, known %v, %v; want %v, %v", c.path, c.lines, hit, known, err, c.hit, c.known)
		}
	}
}
