package pytest_test

import (
	"slices"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

func watched(paths ...string) []harness.Target {
	var targets []harness.Target
	for _, path := range paths {
		targets = append(targets, harness.Target{Path: path})
	}
	return targets
}

func TestCoverIsTheTestsThatReachTheLines(t *testing.T) {
	t.Parallel()
	p := open(t, "hits", settings{targets: watched("lib.py", "helper.py", "child.py", "unused.py", "loaded.py",
		"data/one.json", "data/two.json", "data/three.json", "sub/conftest.py", "gone.py", "sub/test_sub.py")}).sound()
	for _, note := range p.base.Notes {
		if strings.Contains(note, "every test is taken") {
			t.Errorf("the probes change how tests end: %s", note)
		}
	}
	const child = "test_child" // starts a process: nobody sees what it reaches
	all := short(p.base.Green)
	inFile := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return id == "test_sub" })
	for _, c := range []struct {
		what, path, first, last string
		basis                   harness.Basis
		tests                   []string
	}{
		{"a line of a function", "lib.py", "total += 1", "total += 1", harness.Hit, []string{"test_plain", child}},
		{"a comment in a function", "lib.py", "# a comment", "# a comment", harness.Package, []string{"test_plain", child}},
		{"a branch not taken", "lib.py", "return -n", "return -n", harness.Package, []string{"test_cached", child}},
		{"a function that no test calls", "lib.py", `return "never"`, `return "never"`, harness.Package, []string{child}},
		{"a whole new function", "lib.py", "def never", `return "never"`, harness.Package, []string{child}},
		{"a module fixture", "lib.py", `"module"`, `"module"`, harness.Hit, []string{"test_module_first", "test_module_second", child}},
		{"a class fixture", "lib.py", `"class"`, `"class"`, harness.Hit, []string{"TestClass::test_one", "TestClass::test_two", child}},
		{"an autouse session fixture", "lib.py", `"session"`, `"session"`, harness.Hit, inFile},
		{"a function fixture", "lib.py", `"function"`, `"function"`, harness.Hit, []string{"test_function", child}},
		{"a thread", "lib.py", "out.append", "out.append", harness.Hit, []string{"test_threaded", child}},
		{"a generator", "lib.py", "yield -1", "yield -1", harness.Hit, []string{"test_generated", child}},
		{"a coroutine", "lib.py", "async def awaited", "return 1", harness.Hit, []string{"test_awaited", child}},
		{"a base class", "lib.py", `return "base"`, `return "base"`, harness.Hit, []string{"test_derived", child}},
		{"two functions", "lib.py", "def module_value", `"class"`, harness.Hit,
			[]string{"test_module_first", "test_module_second", "TestClass::test_one", "TestClass::test_two", child}},
		{"a constant", "lib.py", "REGISTRY = {}", "REGISTRY = {}", harness.ImportTime, all},
		{"a class attribute", "lib.py", `kind = "derived"`, `kind = "derived"`, harness.ImportTime, all},
		{"a decorator", "lib.py", "@register", "@register", harness.ImportTime, all},
		{"a header", "lib.py", "def plain", "def plain", harness.ImportTime, all},
		{"a function that runs at import", "lib.py", "REGISTRY[f", "REGISTRY[f", harness.ImportTime, all},
		{"a lambda", "lib.py", "square =", "square =", harness.ImportTime, all},
		{"the import inside a test", "helper.py", "return 1", "return 1", harness.ImportTime, all},
		{"a module of a child process", "child.py", "print", "print", harness.Package, []string{child}},
		{"a module that nothing imports", "unused.py", "VALUE", "VALUE", harness.Package, []string{child}},
		{"a module that is executed", "loaded.py", "VALUE", "VALUE", harness.OpenedFile, []string{"test_loads", child}},
		{"a file a test opens", "data/one.json", "a", "a", harness.OpenedFile, []string{"test_opens", child}},
		{"a file opened at import", "data/two.json", "b", "b", harness.OpenedFile, all},
		{"a file that nothing opens", "data/three.json", "c", "c", harness.All, all},
		{"a conftest", "sub/conftest.py", "return", "return", harness.Package, []string{"test_sub"}},
		{"a test file", "sub/test_sub.py", "assert", "assert", harness.All, all},
	} {
		sel := p.Cover(c.path, p.lines(c.path, c.first, c.last))
		if sel.Basis != c.basis {
			t.Errorf("%s: basis %s, want %s", c.what, sel.Basis, c.basis)
		}
		same(t, c.what, short(sel.Tests), c.tests...)
	}
	if sel := p.Cover("gone.py", change.Span{}); sel.Basis != harness.All || len(sel.Tests) != len(all) {
		t.Errorf("a deleted file: %s, %d tests", sel.Basis, len(sel.Tests))
	}
	p.deletions(all)
	p.reached()
}

// deletions checks spans without lines.
func (p *project) deletions(all []string) {
	p.t.Helper()
	in := p.lines("lib.py", "total += 1", "total += 1")
	sel := p.Cover("lib.py", change.Span{Start: in.Start})
	same(p.t, "a deletion in a function", short(sel.Tests), "test_plain", "test_child")
	header := p.lines("lib.py", "def never", "def never")
	sel = p.Cover("lib.py", change.Span{Start: header.Start})
	same(p.t, "a deletion at the top of a function", short(sel.Tests), "test_child")
	top := p.lines("lib.py", "REGISTRY = {}", "REGISTRY = {}")
	sel = p.Cover("lib.py", change.Span{Start: top.Start + 1})
	same(p.t, "a deletion between functions", short(sel.Tests), all...)
}

func (p *project) reached() {
	p.t.Helper()
	r := p.Session.(harness.Reach)
	for _, c := range []struct {
		path, first string
		hit, known  bool
	}{
		{"lib.py", "total += 1", true, true},
		{"lib.py", "REGISTRY = {}", true, true},
		{"lib.py", `return "never"`, false, false}, // the child process may
		{"sub/conftest.py", "return", false, false},
	} {
		hit, known, err := r.Reached(p.t.Context(), p.dir, c.path, p.lines(c.path, c.first, c.first))
		if err != nil || hit != c.hit || known != c.known {
			p.t.Errorf("reached %s %q: %v %v %v", c.path, c.first, hit, known, err)
		}
	}
}

func TestInheritedTestsAreNamedByTheClassTheyAreWrittenIn(t *testing.T) {
	t.Parallel()
	n := open(t, "heirs", settings{}).sound().Session.(harness.Namer)
	same(t, "an inherited method", short(n.Named("bases/__init__.py", "Shared.test_shared")), "One::test_shared", "TestTwo::test_shared")
	same(t, "a class inherited from", short(n.Named("bases/__init__.py", "Shared")), "One::test_shared", "TestTwo::test_shared")
	same(t, "a class that inherits", short(n.Named("bases/test_heirs.py", "TestTwo")), "TestTwo::test_own", "TestTwo::test_shared")
}

func TestTheTestsOfADeclarationAreNamed(t *testing.T) {
	t.Parallel()
	p := open(t, "shapes", settings{}).sound()
	n := p.Session.(harness.Namer)
	same(t, "a function", short(n.Named("names/deep/test_ids.py", "test_twice")), "test_twice[c-a-b]", "test_twice[c-a]", "test_twice[b-c-a-b]", "test_twice[b-c-a]")
	same(t, "a class", short(n.Named("unit/test_classes.py", "GreenCase")), "GreenCase::test_ready", "GreenCase::test_expected", "GreenCase::test_skipped")
	same(t, "a method", short(n.Named("unit/test_classes.py", "GreenCase.test_ready")), "GreenCase::test_ready")
	same(t, "no test", short(n.Named("unit/test_classes.py", "helper")))
	o := p.run(harness.Selection{Tests: []harness.TestID{"lib.py::lib.double"}}, "lib.py", "n * 2", "n * 3")
	if red := o.Tests[0].Red; red == nil || red.Kind != harness.RedAssertion || len(red.Frames) == 0 || red.Frames[0].Path != "lib.py" || red.Frames[0].Line != 3 {
		t.Errorf("a doctest with another answer is %+v", o.Tests[0])
	}
}
