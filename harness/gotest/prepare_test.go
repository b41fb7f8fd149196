package gotest_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

// edits are the edits of a rewrite in coordinates of head.
func (s *story) rewritten(r rewrite) []change.Edit {
	s.t.Helper()
	var all []change.Edit
	for i, old := range r.old {
		at := strings.Index(s.files[r.path], old)
		if at < 0 || strings.Count(s.files[r.path], old) != 1 {
			s.t.Fatalf("%s: %q must occur once in %s", r.name, old, r.path)
		}
		all = append(all, change.Edit{Path: r.path, Start: at, End: at + len(old), Text: []byte(r.new[i])})
	}
	return all
}

// plainly runs edits on disk over a selection.
func (s *story) plainly(edits []change.Edit, sel harness.Selection) harness.Outcome {
	s.t.Helper()
	path := edits[0].Path
	text, err := change.Apply([]byte(s.files[path]), edits)
	if err != nil {
		s.t.Fatal(err)
	}
	write(s.t, s.dir, path, text)
	defer s.restore(path)
	return s.runWith(edits, sel)
}

// facts is what of an outcome a verdict may rest on.
func facts(o harness.Outcome) string {
	var red []string
	for _, r := range o.Red() {
		red = append(red, fmt.Sprintf("%s:%s:%s:%s", r.ID, r.Red.Kind, r.Red.Symbol, innermost(r.Red)))
	}
	slices.Sort(red)
	return fmt.Sprintf("phase %s, complete %v, timed out %v, ran %d, red %q, trouble %q", o.Phase, o.Complete, o.TimedOut, o.Ran(), red, o.Trouble)
}

// prepare prepares variants.
func (s *story) prepare(variants ...[]change.Edit) harness.Preparer {
	s.t.Helper()
	if s.baseline.Trouble != "" || len(s.baseline.Red) > 0 {
		s.t.Fatalf("baseline: %s %+v", s.baseline.Trouble, s.baseline.Red)
	}
	ready, ok := s.session.(harness.Preparer)
	if !ok {
		s.t.Fatal("the session prepares nothing")
	}
	if err := ready.Prepare(s.t.Context(), s.dir, variants); err != nil {
		s.t.Fatal(err)
	}
	return ready
}

// try tries edits in a tree.
func (s *story) try(dir string, edits []change.Edit, sel harness.Selection) (harness.Outcome, bool) {
	s.t.Helper()
	ready, ok := s.session.(harness.Preparer)
	if !ok {
		s.t.Fatal("the session prepares nothing")
	}
	o, done, err := ready.Try(s.t.Context(), harness.Job{Dir: dir, Edits: edits, Selection: sel, Scratch: s.t.TempDir()})
	if err != nil {
		s.t.Fatal(err)
	}
	return o, done
}

func TestVariantsOfOneBinary(t *testing.T) {
	s := open(t, "variants.txtar", options{})
	var variants [][]change.Edit
	for _, r := range rewrites() {
		variants = append(variants, s.rewritten(r))
	}
	s.prepare(variants...)
	t.Run("are what they are on disk", s.on(variantsAreWhatTheyAreOnDisk))
	t.Run("are known by the tests that come by them", s.on(variantsAreKnownByTheirTests))
	t.Run("are left to the disk for tests that look there", s.on(testsThatLookAtTheDisk))
	t.Run("leave head what it is", s.on(headIsAVariant))
	t.Run("end at the first red when that is enough", s.on(theFirstRedEnds))
}

func variantsAreWhatTheyAreOnDisk(t *testing.T, s *story) {
	for i, r := range rewrites() {
		sel := without(s.cover(r.path), "ex/v.TestReadsSource", "ex/v.TestRunsGo")
		edits := s.rewritten(r)
		o, done := s.try(s.dir, edits, sel)
		if done == r.left {
			t.Errorf("%s: prepared %v, want %v", r.name, done, !r.left)
			continue
		}
		if red := shortRed(o); red != r.red {
			t.Errorf("%s: red %q, want %q; %s", r.name, red, r.red, facts(o))
		}
		switch {
		case !done || i%onDiskEvery != 0 && !*everyOnDisk:
		case o.TimedOut:
			if !strings.Contains(o.Trouble, "the step limit passed") || r.name != "loop without end" {
				t.Errorf("%s: ended by a limit: %s", r.name, facts(o))
			}
		default:
			if r.moves {
				sel = without(sel, "ex/v.TestWhere")
				o.Tests = slices.DeleteFunc(o.Tests, func(r harness.Result) bool { return r.ID == "ex/v.TestWhere" })
			}
			if want := facts(s.plainly(edits, sel)); facts(o) != want {
				t.Errorf("%s:\nprepared %s\non disk  %s", r.name, facts(o), want)
			}
		}
	}
}

// named returns the rewrite of a name.
func named(t *testing.T, name string) rewrite {
	t.Helper()
	for _, r := range rewrites() {
		if r.name == name {
			return r
		}
	}
	t.Fatalf("no rewrite is called %s", name)
	return rewrite{}
}

func variantsAreKnownByTheirTests(t *testing.T, s *story) {
	hitter, ok := s.session.(harness.Hitter)
	if !ok {
		t.Fatal("the session knows no hits")
	}
	for name, want := range map[string]string{
		"condition":         "ex/v.TestCond",
		"closure":           "ex/v.TestClosure",                         // a parallel subtest of a parallel test
		"an example":        "ex/v.ExamplePrinted ex/v.TestReadsSource", // which opens the file
		"planted return":    "ex/v.FuzzHelped ex/v.TestHelped ex/user.TestTwice",
		"label from inside": "ex/v.TestLabels",
		"generic method":    "ex/v.TestStack",
	} {
		tests, known := hitter.Hits(s.rewritten(named(t, name)))
		if !known || ids(tests) != want {
			t.Errorf("%s: known %v, %q; want %q", name, known, ids(tests), want)
		}
	}
	// What runs before any test is come by by all.
	tests, known := hitter.Hits(s.rewritten(named(t, "in init")))
	if all := s.cover("v/v.go").Tests; !known || len(tests) != len(all) {
		t.Errorf("in init: known %v, %q; want %q", known, ids(tests), ids(all))
	}
	if _, known := hitter.Hits(s.rewritten(named(t, "a type"))); known {
		t.Error("hits of a variant that is in no binary are known")
	}
}

func testsThatLookAtTheDisk(t *testing.T, s *story) {
	inW, inV := s.rewritten(named(t, "an example")), s.rewritten(named(t, "condition"))
	for _, c := range []struct {
		test  harness.TestID
		edits []change.Edit
		done  bool
	}{
		{"ex/v.TestReadsSource", inW, false}, // it reads the very file
		{"ex/v.TestReadsSource", inV, true},
		{"ex/v.TestRunsGo", inV, false},
		{"ex/v.TestMax", inW, true},
	} {
		if _, done := s.try(s.dir, c.edits, harness.Selection{Tests: []harness.TestID{c.test}}); done != c.done {
			t.Errorf("%s with an edit of %s: prepared %v, want %v", c.test, c.edits[0].Path, done, c.done)
		}
	}
}

func headIsAVariant(t *testing.T, s *story) {
	sel := without(s.cover("v/v.go"), "ex/v.TestRunsGo")
	o, done := s.try(s.dir, nil, sel)
	if !done || !o.Complete || len(o.Red()) > 0 || facts(o) != facts(s.runWith(nil, sel)) {
		t.Errorf("prepared %v: %s", done, facts(o))
	}
}

func theFirstRedEnds(t *testing.T, s *story) {
	edits := s.rewritten(named(t, "planted return"))
	sel := without(s.cover("v/v.go"), "ex/v.TestRunsGo")
	ready, ok := s.session.(harness.Preparer)
	if !ok {
		t.Fatal("the session prepares nothing")
	}
	o, done, err := ready.Try(t.Context(), harness.Job{Dir: s.dir, Edits: edits, Selection: sel, Scratch: t.TempDir(), FirstRed: true})
	if err != nil || !done || shortRed(o) != "TestHelped" {
		t.Errorf("prepared %v, %v: %s", done, err, facts(o))
	}
}

func TestABinaryThatIsNotOnItsOwnIsLeftToTheDisk(t *testing.T) {
	s := open(t, "bound.txtar", options{})
	edit := func(path string) []change.Edit {
		return s.rewritten(rewrite{name: path, path: path, old: []string{"return 1"}, new: []string{"return 2"}})
	}
	s.prepare(edit("stray/s.go"), edit("bound/b.go"), edit("free/f.go"))
	other := filepath.Join(t.TempDir(), "tree")
	if err := os.CopyFS(other, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, dir string
		done      bool
	}{
		{"stray/s.go", s.dir, false}, // a child without the environment would be head
		{"bound/b.go", s.dir, true},  // where it was built
		{"bound/b.go", other, false}, // it would read the other tree
		{"free/f.go", other, true},
	} {
		o, done := s.try(c.dir, edit(c.path), s.cover(c.path))
		if done != c.done || done && len(o.Red()) != 1 {
			t.Errorf("%s in %s: prepared %v, want %v: %s", c.path, filepath.Base(filepath.Dir(c.dir)), done, c.done, facts(o))
		}
	}
}

// onDiskEvery is how many variants go by for one that is tried on disk as
// well, which costs a build of two test binaries.
const onDiskEvery = 12

var everyOnDisk = flag.Bool("on-disk", false, "try every variant of the table on disk as well (minutes)")

// shortRed is the red top-level tests of package ex/v, and "user" for the
// other.
func shortRed(o harness.Outcome) string {
	var red []string
	for _, r := range o.Red() {
		name := strings.TrimPrefix(strings.TrimPrefix(string(r.ID), "ex/v."), "ex/")
		if !strings.Contains(name, "/") {
			red = append(red, name)
		}
	}
	return strings.Join(red, " ")
}

func without(sel harness.Selection, ids ...harness.TestID) harness.Selection {
	sel.Tests = slices.DeleteFunc(slices.Clone(sel.Tests), func(id harness.TestID) bool { return slices.Contains(ids, id) })
	return sel
}
