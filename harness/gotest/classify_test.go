package gotest

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"assay/harness"
)

// recorded reads one text of testdata/recorded.txtar into a transcript.
func recorded(t *testing.T, name string) *transcript {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", "recorded.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if f.Name == name {
			return read(strings.ReplaceAll(string(f.Data), "^V", "\x16"))
		}
	}
	t.Fatalf("nothing recorded as %s", name)
	return nil
}

func read(output string) *transcript {
	tr := newTranscript()
	lines := &scanner{t: tr}
	_, _ = lines.Write([]byte(output)) // never fails
	lines.flush()
	return tr
}

// noSource is a tree at /tree of which no line can be read.
func noSource() places {
	return places{roots: []string{"/tree"}, pkgDir: "p", modules: map[string]string{"ex": "."},
		source: func(string, int) (string, bool) { return "", false }}
}

func TestFatalErrorsAndRacesAreClassified(t *testing.T) {
	for _, c := range []struct {
		name, kind, message string
		frame               harness.Frame
		code                int
	}{
		{"TestOverflow", "fatal error", "fatal error: stack overflow", harness.Frame{Path: "p/p.go", Line: 3, Func: "ex/p.Recurse"}, 2},
		{"TestMapWrites", "fatal error", "fatal error: concurrent map writes", harness.Frame{Path: "p/p.go", Line: 9, Func: "ex/p.Fill"}, 2},
		{"TestDeadlock", "fatal error", "all goroutines are asleep", harness.Frame{Path: "p/p.go", Line: 13, Func: "ex/p.Block"}, 2},
		{"TestRace", "data race", "WARNING: DATA RACE", harness.Frame{Path: "p/p_test.go", Line: 18}, 1},
	} {
		r := classify(recorded(t, c.name), harness.Exited{Code: c.code}, noSource())
		red := r.of[c.name]
		if red == nil || len(red.Frames) == 0 {
			t.Errorf("%s: %+v", c.name, red)
			continue
		}
		if red.Kind != harness.RedPanic || red.Type != c.kind || !strings.Contains(red.Message, c.message) || red.Frames[0] != c.frame {
			t.Errorf("%s: %+v", c.name, *red)
		}
	}
}

func TestTheCreatorOfAGoroutineTellsTheTest(t *testing.T) {
	tr := read("\x16=== RUN   TestA\n\x16--- PASS: TestA (0.00s)\n\x16=== RUN   TestB\n" +
		"panic: boom\n\ngoroutine 8 [running]:\nex/p.F()\n\t/tree/p/p.go:7 +0x1\ncreated by ex/p.TestA in goroutine 7\n\t/tree/p/p_test.go:3 +0x2\n")
	r := classify(tr, harness.Exited{Code: 2}, noSource())
	if r.of["TestA"] == nil || r.of["TestB"] != nil || r.unsure {
		t.Errorf("blamed %v, unsure %v; want TestA for sure", r.of, r.unsure)
	}
}

func TestAPanicThatNothingExplainsIsNotBlamedOnOneOfManyTests(t *testing.T) {
	tr := read("\x16=== RUN   TestA\n\x16=== RUN   TestB\npanic: boom\n\ngoroutine 8 [running]:\nex/p.F()\n\t/tree/p/p.go:7 +0x1\n")
	r := classify(tr, harness.Exited{Code: 2}, noSource())
	if len(r.of) != 0 || !r.unsure || !strings.Contains(r.trouble, "while TestA, TestB ran") {
		t.Errorf("%+v", r)
	}
}

func TestTextThatLooksLikeAPanicIsNoneWithoutItsExitCode(t *testing.T) {
	output := "\x16=== RUN   TestA\npanic: quoted\n\ngoroutine 8 [running]:\nex/p.F()\n\t/tree/p/p.go:7 +0x1\n"
	r := classify(read(output), harness.Exited{Code: 1}, noSource())
	if red := r.of["TestA"]; red == nil || red.Kind != harness.RedExit {
		t.Errorf("%+v", red)
	}
}

func TestATrimmedPathIsFoundByItsModule(t *testing.T) {
	p := noSource()
	p.modules = map[string]string{"ex": ".", "ex/nested": "sub/nested", "": "x"}
	for file, want := range map[string]string{
		"ex/p/p.go": "p/p.go", "ex/nested/n.go": "sub/nested/n.go", "other/o.go": "", "/tree/a.go": "a.go",
		"/treeless/a.go": "", "/usr/lib/go/src/runtime/panic.go": "", "example/a.go": "",
	} {
		if got, ok := p.relative(file); got != want || ok != (want != "") {
			t.Errorf("%s: got %q", file, got)
		}
	}
}

func TestTheMessageLeavesOutWhatIsOnlyLogged(t *testing.T) {
	p := noSource()
	p.source = func(path string, line int) (string, bool) {
		if path != "p/p_test.go" {
			return "", false
		}
		return map[int]string{3: "\tt.Logf(\"set up\")", 5: "\tt.Errorf(\"got %d\")"}[line], true
	}
	output := "printed\n    p_test.go:3: set up\n        and more\nprinted too    p_test.go:5: got 1\n        want 2\nprinted last\n"
	red := assertion(output, p)
	if want := "p_test.go:5: got 1\nwant 2"; red.Message != want {
		t.Errorf("got %q, want %q", red.Message, want)
	}
	if len(red.Frames) != 1 || red.Frames[0] != (harness.Frame{Path: "p/p_test.go", Line: 5}) {
		t.Errorf("frames %+v", red.Frames)
	}
}

func TestALongMessageIsCutAtACharacter(t *testing.T) {
	got := clip(strings.Repeat("ä", maxMessage))
	if len(got) > maxMessage || !strings.HasSuffix(got, "ä...") {
		t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-8:])
	}
}
