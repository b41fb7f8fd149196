package pytest_test

import (
	"slices"
	"testing"

	"assay/harness"
)

// The kinds of change of which a fork gets some right and would get others
// wrong. What is put into the functions has to come out as in a fresh process;
// everything else has to be left to one.
func TestEveryKindOfChangeIsTrueInAForkOrLeftToAFreshProcess(t *testing.T) {
	t.Parallel()
	p := open(t, "kinds", settings{targets: watched("kinds.py")}).sound()
	defer p.close()
	all := p.everything()
	for _, c := range []struct {
		what, old, neu string
		forked         bool
		red            string // the test that notices in a fork; "" when none does, or when there is no fork
	}{
		{"a plain function", "    return 1\n", "    return -1\n", true, "test_plain"},
		{"a function below its wrapper", "    return 2\n", "    return -2\n", true, "test_wrapped"},
		{"the wrapper of a decorator", "*args) + 10", "*args) + 11", false, ""},
		{"a function behind a cold cache", "    return 3\n", "    return -3\n", true, "test_cold"},
		{"a function behind a warm cache", "    return 4\n", "    return -4\n", false, ""},
		{"a method", "        return 6\n", "        return -6\n", true, "test_method"},
		{"a property", "        return 7\n", "        return -7\n", true, "test_property"},
		{"a static method", "        return 8\n", "        return -8\n", true, "test_static"},
		{"a class method", "        return 9\n", "        return -9\n", true, "test_class"},
		{"a slot of the type", "other == 10", "other == 11", true, "test_slot"},
		{"a method with a __class__ cell", "__class__.size + 11", "__class__.size - 11", true, "test_cell"},
		{"a method that calls super", "super().over() + 1\n", "super().over() - 1\n", true, "test_super"},
		{"a method of a dataclass", "self.field * 2 + 14", "self.field * 2 - 14", true, "test_dataclass"},
		{"the body of a generator", "yield 15", "yield -15", true, "test_generator"},
		{"a coroutine", "return 16", "return -16", true, "test_coroutine"},
		{"a context manager", "yield 17", "yield -17", true, "test_managed"},
		{"a closure that lives since the import", "base + 19", "base - 19", false, ""},
		{"a closure that is made later", "base + 21", "base - 21", true, "test_later_closure"},
		{"a lambda of the module", "n * 22", "n * 23", true, "test_lambda"},
		{"an implementation behind singledispatch", "return 24", "return -24", true, "test_dispatch"},
		{"an import inside a function", "    return 25\n", "    import os\n\n    return len(os.sep)\n", true, "test_imports"},
		{"a constant of the module", "CONSTANT = 26", "CONSTANT = 27", false, ""},
		{"an attribute of a class", "    size = 5\n", "    size = 6\n", false, ""},
		{"the default of a field", "field: int = 13", "field: int = 14", false, ""},
		{"a default argument", "n=27", "n=28", false, ""},
		{"an annotation", "n: int) -> int", "n: str) -> int", false, ""},
		{"a decorator added", "def undecorated", "@decorate\ndef undecorated", false, ""},
		{"a decorator removed", "@decorate\ndef decorated", "def decorated", false, ""},
		{"a function added", "def plain():\n", "def added():\n    pass\n\n\ndef plain():\n", false, ""},
		{"a function removed", "def imports():\n    return 25\n", "", false, ""},
		{"a function that computes a constant", "    return 30\n", "    return -30\n", false, ""},
		{"other arguments", "def signature(a):\n    return a + 31", "def signature(a, b=1):\n    return a + 31 + b", false, ""},
		{"a generator in place of a function", "    return [32]\n", "    yield 32\n", false, ""},
		{"an enclosing function gains a free variable", "        return 34\n", "        return 34 + free\n", false, ""},
		{"a documentation", "Thirty-five.", "Thirty-six.", false, ""},
		{"lines that move", "    return 1\n", "    # moved\n\n    return 1\n", true, ""},
		{"a text that does not compile", "    return 1\n", "    return (\n", false, ""},
		{"a text that warns", "    return 1\n", "    return 1 is 1\n", false, ""},
	} {
		o, done := p.try(all, p.splice("kinds.py", c.old, c.neu))
		if done != c.forked {
			t.Errorf("%s: forked %v, want %v", c.what, done, c.forked)
		}
		if !done {
			continue
		}
		if red := short(idsOf(o.Red())); (len(red) > 0 || c.red != "") && !slices.Contains(red, c.red) {
			t.Errorf("%s: red %q, want %q", c.what, red, c.red)
		}
		if want := p.run(all, "kinds.py", c.old, c.neu); facts(o) != facts(want) {
			t.Errorf("%s: fork:\n%s\nfresh:\n%s", c.what, facts(o), facts(want))
		}
	}
	if notes := p.Session.(harness.Noter).Notes(); len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
}
