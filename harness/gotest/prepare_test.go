package gotest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

// A rewrite is a variant as a test writes it: text that occurs once, and what
// takes its place.
type rewrite struct {
	name     string
	path     string
	old, new []string
	left     bool // it is to be left to the disk
}

func once(name, old, text string) rewrite {
	return rewrite{name: name, path: "v/v.go", old: []string{old}, new: []string{text}}
}

func left(name, old, text string) rewrite {
	r := once(name, old, text)
	r.left = true
	return r
}

func rewrites() []rewrite {
	return []rewrite{
		once("condition", "a < b && b != 3", "a < b || b == 3"),
		once("condition of another", "b != 3", "b >= 3"),
		once("condition called off", "a%2 == 1", "false"),
		once("named result", "less = true", "less = false"),
		once("statements gone", "\tif a%2 == 1 {\n\t\terr = errOdd\n\t}\n", ""),
		once("bare return", "\t\terr = errOdd\n\t}\n\treturn\n", "\t\terr = errOdd\n\t}\n\treturn less, nil\n"),
		once("label copied", "i := 0; i < n; i++ {\n\t\tfor", "i := 1; i < n; i++ {\n\t\tfor"),
		once("label from inside", "continue outer", "break outer"),
		once("body with a label", "sum := 0\nouter:", "sum := 1\nouter:"),
		once("defer gone", "err = fmt.Errorf(\"recovered: %v\", r)", "err = nil"),
		once("recover gone", "r := recover(); r != nil", "r := any(nil); r != nil"),
		once("division", "10 / n", "20 / n"),
		once("shadowed type", "item{n: n}", "item{n: n + 1}"),
		once("declared together", "n, extra := next*2, item", "n, extra := next*3, item"),
		once("first of two declared", "next := item.n + 1", "next := item.n - 1"),
		once("generic function", "if b > best", "if b < best"),
		once("generic declaration", "best := a\n", "best := b\n"),
		once("generic method", "return len(s.all)", "return cap(s.all) + 7"),
		once("closure", "n * 2", "n * 3"),
		once("increment in a closure", "n++\n\t\treturn", "n--\n\t\treturn"),
		once("case without tag", "n == 0, n == 100", "n == 0, n == 101"),
		once("case with tag", "case 2:", "case 5:"),
		once("before a fallthrough", "out += \"one\"", "out += \"uno\""),
		once("fallthrough gone", "\t\tfallthrough\n", ""),
		once("goto", "if i < n {", "if i <= n {"),
		once("at a label", "i++\n\tif i", "i += 2\n\tif i"),
		once("lines move", "_, file, line, ok :=", "\n\n_, file, line, ok :="),
		once("loop without end", "n--\n\t}\n\treturn total", "\n\t}\n\treturn total"),
		once("select", "n = n + 1\n\tdefault", "n = n + 2\n\tdefault"),
		once("at a comment", "n + 1 // one more", "n + 2 // two more"),
		once("comment only", "// one more", "// another"),
		once("panic", "n == 13", "n == 1"),
		once("planted panic", "func Helped(n int) int {\n", "func Helped(n int) int {\n\tpanic(\"planted\")\n"),
		once("planted return", "func Helped(n int) int {\n", "func Helped(n int) int {\n\treturn 0\n"),
		once("in init", "seen = 7", "seen = 8"),
		once("two declarations", "func helper(n int) int { return n + 1 }", "func helper(n int) int { return older(n) }\n\nfunc older(n int) int { return n + 5 }"),
		{name: "a helper gone", path: "v/v.go", old: []string{"func helper(n int) int { return n + 1 }\n", "return helper(n) * 2"}, new: []string{"", "return n * 2"}},
		{name: "an import more", path: "v/v.go", old: []string{"\t\"strings\"\n)", "return strings.ToUpper(s)"}, new: []string{"\t\"strings\"\n\t\"unicode\"\n)", "return string(unicode.ToUpper(rune(s[0])) + 1)"}},
		{name: "an example", path: "v/w.go", old: []string{"return \"printed\""}, new: []string{"return \"other\""}},
		once("condition that is no boolean", "if n > 5 {", "if n > 5 && n != 9 {"),
		left("an interface of another type", "err := check(n)", "err := (*strings.Reader)(nil)"),
		left("unused variable", "return n + extra.n", "return n"),
		left("unused import", "return errOdd\n", "return nothing\n"),
		left("missing return", "\treturn helper(n) * 2\n", ""),
		left("a type", "type item struct{ n int }", "type item struct{ n int64 }"),
		left("a signature", "func check(n int) error", "func check(n int64) error"),
		left("a variable at the top", "\"a\": 1,", "\"a\": 3,"),
		left("a helper gone that is used", "func helper(n int) int { return n + 1 }\n", ""),
		left("unbalanced", "less = true\n\t}", "less = true\n\t}\n}\n\nfunc Other() {{\n\t"),
		left("compiler only", "return n + extra.n", "var huge [1 << 40]byte\n\t_ = huge[n]\n\treturn n + extra.n"),
	}
}

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

func TestVariantsOfOneBinaryAreWhatTheyAreOnDisk(t *testing.T) {
	s := open(t, "variants.txtar", options{})
	if s.baseline.Trouble != "" || len(s.baseline.Red) > 0 {
		t.Fatalf("baseline: %s %+v", s.baseline.Trouble, s.baseline.Red)
	}
	ready, ok := s.session.(harness.Preparer)
	if !ok {
		t.Fatal("the session prepares nothing")
	}
	var variants [][]change.Edit
	for _, r := range rewrites() {
		variants = append(variants, s.rewritten(r))
	}
	if err := ready.Prepare(t.Context(), s.dir, variants); err != nil {
		t.Fatal(err)
	}
	for i, r := range rewrites() {
		sel := without(s.cover(r.path), "ex/v.TestReadsSource", "ex/v.TestRunsGo")
		o, done, err := ready.Try(t.Context(), harness.Job{Dir: s.dir, Edits: variants[i], Selection: sel, Scratch: t.TempDir()})
		switch {
		case err != nil:
			t.Fatal(err)
		case done == r.left:
			t.Errorf("%s: prepared %v, want %v", r.name, done, !r.left)
		case done && o.TimedOut:
			if hung := o.Red(); len(hung) != 1 || hung[0].Red.Kind != harness.RedHang || !strings.Contains(o.Trouble, "the step limit passed") || r.name != "loop without end" {
				t.Errorf("%s: ended by a limit: %s", r.name, facts(o))
			}
		case done:
			if want := facts(s.plainly(variants[i], sel)); facts(o) != want {
				t.Errorf("%s:\nprepared %s\non disk  %s", r.name, facts(o), want)
			}
		}
	}
}

func without(sel harness.Selection, ids ...harness.TestID) harness.Selection {
	sel.Tests = slices.DeleteFunc(slices.Clone(sel.Tests), func(id harness.TestID) bool { return slices.Contains(ids, id) })
	return sel
}
