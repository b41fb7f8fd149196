package command

import (
	"strings"
	"testing"

	"assay/harness"
)

func TestOutputThatIsNoTestSpeakingIsNoTestResult(t *testing.T) {
	for _, c := range []struct {
		output  string
		code    int
		phase   harness.Phase
		missing string
	}{
		{"sh: 1: mytool: not found", 127, harness.PhaseBuild, "mytool"},
		{"bash: line 1: mytool: command not found", 127, harness.PhaseBuild, "mytool"},
		{"", 127, harness.PhaseBuild, ""},
		{"", 126, harness.PhaseBuild, ""},
		{"sh: 0: cannot open test.sh: No such file", 2, "", ""}, // not the whole phrase
		{"cat: x.json: No such file or directory", 1, harness.PhaseBuild, ""},
		{"./lib.sh: 1: Syntax error: \"(\" unexpected", 2, harness.PhaseBuild, ""},
		{"SyntaxError: Unexpected token '}'", 1, harness.PhaseBuild, ""},
		{"  File \"a.py\", line 3\nIndentationError: unexpected indent", 1, harness.PhaseBuild, ""},
		{"PHP Parse error:  syntax error, unexpected token", 255, harness.PhaseBuild, ""},
		{"Error: Cannot find module './lib/x'", 1, harness.PhaseBuild, "./lib/x"},
		{"ReferenceError: trim is not defined", 1, harness.PhaseBuild, "trim"},
		{"TypeError: lex.next is not a function", 1, harness.PhaseBuild, "next"},
		{"not ok 1 - adds\n  error: 'trim is not defined'\n  name: 'ReferenceError'", 1, harness.PhaseBuild, "trim"},
		{"  error: 'lex.next is not a function'", 1, harness.PhaseBuild, "next"},
		{"NameError: name 'trim' is not defined", 1, harness.PhaseBuild, "trim"},
		{"src/a.ts(3,1): error TS2304: Cannot find name 'x'.", 2, harness.PhaseBuild, ""},
		{"error[E0425]: cannot find value `x` in this scope", 101, harness.PhaseBuild, ""},
		{"error: could not compile `demo`", 101, harness.PhaseBuild, ""},
		{"a.c:3:5: error: expected ';' before 'return'", 1, harness.PhaseBuild, ""},
		{"a.c:(.text+0x1): undefined reference to `trim'", 1, harness.PhaseBuild, ""},
		{"[ERROR] COMPILATION ERROR :", 1, harness.PhaseBuild, ""},
		{"Program.cs(1,2): error CS0103: The name 'x' does not exist", 1, harness.PhaseBuild, ""},
		{"FAIL\tdemo [build failed]", 1, harness.PhaseBuild, ""},
		{"make: *** No rule to make target 'a.o', needed by 'all'.  Stop.", 2, harness.PhaseBuild, ""},
		{"npm error Missing script: \"test\"", 1, harness.PhaseBuild, ""},
		{"ERROR collecting tests/test_a.py", 2, harness.PhaseBuild, ""},
		{"  \x1b[1m●\x1b[22m Test suite failed to run", 1, harness.PhaseBuild, ""},
		{"\x1b[31mSyntaxError\x1b[0m: bad", 1, harness.PhaseBuild, ""},
		{"write /tmp/x: No space left on device", 1, harness.PhaseRun, ""},
		{"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", 1, harness.PhaseRun, ""},

		{"FAIL: add: got 4, want 3", 1, "", ""},
		{"AssertionError [ERR_ASSERTION]: 1 == 2", 1, "", ""},
		{"npm error Test failed.  See above for more details.", 1, "", ""},
		{"> Task :test FAILED\nBUILD FAILED in 3s", 1, "", ""}, // Gradle's word for red tests as well
		{"make: *** [Makefile:2: test] Error 1", 2, "", ""},
		{"known trouble: SyntaxError", 1, "", ""},
	} {
		known := map[string]bool{"known trouble: SyntaxError": true}
		f := broken(c.code, c.output, known)
		if f.phase != c.phase || f.missing != c.missing || (f.phase != "") != (f.trouble != "") {
			t.Errorf("exit %d, %q:\n got %+v\nwant phase %q, missing %q", c.code, c.output, f, c.phase, c.missing)
		}
		if strings.Contains(f.trouble, "\x1b") {
			t.Errorf("colour codes in %q", f.trouble)
		}
	}
}

func TestAFailureIsOfTheKindOfTheExceptionItNamesFirst(t *testing.T) {
	for _, c := range []struct {
		text   string
		kind   harness.RedKind
		symbol string
	}{
		{"Error [ERR_TEST_FAILURE]: x\n cause: AssertionError [ERR_ASSERTION]: expected ReferenceError: y is not defined", harness.RedAssertion, ""},
		{"org.opentest4j.AssertionFailedError: expected: <1> but was: <2>", harness.RedAssertion, ""},
		{"org.junit.ComparisonFailure: expected:<[a]> but was:<[b]>", harness.RedAssertion, ""},
		{"RSpec::Expectations::ExpectationNotMetError: expected 1", harness.RedAssertion, ""},
		{"  cause: ReferenceError [Error]: foo is not defined", harness.RedName, "foo"},
		{"AggregateError: all failed\n  cause: NameError: name 'foo' is not defined", harness.RedName, "foo"},
		{"ReferenceError: Cannot access 'foo' before initialization", harness.RedName, "foo"},
		{"TypeError [Error]: (intermediate value).next is not a function", harness.RedAttribute, "next"},
		{"TypeError: Foo is not a constructor", harness.RedAttribute, "Foo"},
		{"TypeError: Cannot read properties of undefined (reading 'x')", harness.RedError, ""},
		{"SyntaxError: The requested module './a.js' does not provide an export named 'trim'", harness.RedImport, "trim"},
		{"SyntaxError: Unexpected token } in JSON at position 3", harness.RedError, ""},
		{"SyntaxError: Unexpected identifier", harness.RedSyntax, ""},
		{"UnboundLocalError: cannot access local variable 'x' where", harness.RedName, "x"},
		{"AttributeError: module 'a' has no attribute 'trim'", harness.RedAttribute, "trim"},
		{"ImportError: cannot import name 'trim' from 'a'", harness.RedImport, "trim"},
		{"ModuleNotFoundError: No module named 'a.b'", harness.RedImport, "a.b"},
		{"TypeError: Lexer.trim() got an unexpected keyword argument 'x'", harness.RedArguments, "trim"},
		{"TypeError: unsupported operand type(s)", harness.RedError, ""},
		{"NoMethodError: undefined method `trim' for nil:NilClass", harness.RedAttribute, "trim"},
		{"NameError: uninitialized constant A::B", harness.RedName, "A::B"},
		{"Error: Call to undefined method App\\Lexer::trim()", harness.RedName, "trim"},
		{"Error: Class \"App\\Lexer\" not found", harness.RedName, "App\\Lexer"},
		{"java.lang.NoSuchMethodError: 'int demo.A.trim(int)'", harness.RedAttribute, "trim"},
		{"java.lang.NoClassDefFoundError: demo/A", harness.RedImport, "demo/A"},
		{"java.lang.IllegalStateException: closed", harness.RedError, ""},
		{"lib.lua:3: attempt to call a nil value (global 'trim')", harness.RedName, "trim"},
		{"Error: boom", "", ""},
		{"expected 1, got 2", "", ""},
	} {
		kind, _, symbol := exceptionIn(c.text)
		if kind != c.kind || symbol != c.symbol {
			t.Errorf("%q: got %q %q, want %q %q", c.text, kind, symbol, c.kind, c.symbol)
		}
	}
}

func TestTheMessageOfAFailedCommandStartsWhereTheFailureIsNamed(t *testing.T) {
	long := strings.Repeat("at frame\n", 1000)
	for _, c := range []struct{ text, starts string }{
		{"ok 1\nerror: expected at head\nnot ok 2 - adds\n" + long, "not ok 2 - adds\n"},
		{"building\n  FAIL: add\n", "FAIL: add"},
		{long + "summed up here", "at frame\n"},
		{"", ""},
	} {
		got := telling(c.text, map[string]bool{"error: expected at head": true})
		if !strings.HasPrefix(got, c.starts) || (got == "") != (c.text == "") || len(got) > messageSize {
			t.Errorf("%.40q: got %.60q of %d bytes", c.text, got, len(got))
		}
	}
	if got := telling(long+"summed up here", nil); !strings.HasSuffix(got, "summed up here") {
		t.Errorf("the end of an output that names no failure is lost: %q", got)
	}
}
