//go:build unix

package command_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/harness/command"
	"assay/harness/harnesstest"
)

const nodeLib = `let booted = false;
function add(a, b) {
  return a + b;
}
function halve(a) {
  return a / 2;
}
function boot() {
  booted = true;
}
module.exports = { add, halve, boot };
`

const nodeTest = `const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const { add, halve, boot } = require('./lib.js');
boot();
test('adds', () => assert.strictEqual(add(1, 2), 3));
test('red', () => assert.fail('always'));
test('skips', { skip: true }, () => {});
test('flaky', () => {
  const f = process.env.HARNESSTEST_STATE + '/flaky';
  if (fs.existsSync(f)) { fs.unlinkSync(f); assert.fail('this time'); }
  fs.writeFileSync(f, '');
});
test.describe('halving', () => {
  test('halves', () => assert.strictEqual(halve(4), 2));
});
`

const nodeCommand = "node --test --test-reporter=junit --test-reporter-destination=report.xml lib.test.js"

func nodeFixture() harnesstest.Fixture {
	return harnesstest.Fixture{
		Harness: command.New(command.Config{Command: nodeCommand, JUnit: []string{"report.xml"}}),
		Files:   map[string]string{"lib.js": nodeLib, "lib.test.js": nodeTest},
		Target:  harness.Target{Path: "lib.js", Lines: []change.Span{{Start: 2, Lines: 3}}},
		Green:   []harness.TestID{"test.adds", "halving/test.halves"},
		Red:     "test.red", Flaky: "test.flaky", Skipped: "test.skips",
		Assertion: harnesstest.Break{Path: "lib.js", Old: "a + b", New: "a - b", Test: "test.adds", Kind: harness.RedAssertion},
		Panic:     harnesstest.Break{Path: "lib.js", Old: "return a / 2", New: "return null.x", Test: "halving/test.halves", Kind: harness.RedError},
		NoBuild:   harnesstest.Break{Path: "lib.js", Old: "function add(", New: "function add((", Phase: harness.PhaseCollect},
		Hang: harnesstest.Break{Path: "lib.js", Old: "booted = true;", Test: "test.adds",
			New: "require('fs').writeFileSync(process.env.HARNESSTEST_STARTED, process.pid + '\\n'); for (;;) {}"},
		Exit:        harnesstest.Break{Path: "lib.js", Old: "booted = true;", New: "process.exit(0);", Test: "test.adds"},
		Unnoticed:   harnesstest.Break{Path: "lib.js", Old: "booted = true;", New: "booted = 1;"},
		HangUnnamed: true,
	}
}

// hasNode reports whether node is installed. What node writes is also
// held, without node, by the documents of junit_test.go.
func hasNode(t *testing.T) bool {
	t.Helper()
	_, err := harness.LookPath(os.Environ(), "node")
	return err == nil
}

func TestNodeConforms(t *testing.T) {
	if hasNode(t) {
		harnesstest.Run(t, nodeFixture())
	}
}

// A name that the un-doing took away must not read as an assertion: node
// reports every kind of exception as a failure.
func TestAMissingNameInNodeIsTold(t *testing.T) {
	if !hasNode(t) {
		return
	}
	p := open(t, command.Config{Command: nodeCommand, JUnit: []string{"report.xml"}}, "lib.js", nodeLib, "lib.test.js",
		"const test = require('node:test');\nconst lib = require('./lib.js');\ntest('adds', () => lib.add(1, 2));\n")
	if b := p.baseline(); !slices.Equal(b.Green, []harness.TestID{"test.adds"}) {
		t.Fatalf("%+v", b)
	}
	for text, want := range map[string]harness.Red{
		"exports.sub = 1;\n":                              {Kind: harness.RedAttribute, Symbol: "add"},
		"exports.add = (a, b) => plus(a, b);\n":           {Kind: harness.RedName, Symbol: "plus"},
		"exports.add = () => { require('./gone.js') };\n": {Kind: harness.RedImport, Symbol: "./gone.js"},
	} {
		p.write("lib.js", text)
		o := p.run()
		if len(o.Red()) != 1 || o.Tests[0].Red.Kind != want.Kind || o.Tests[0].Red.Symbol != want.Symbol {
			t.Errorf("%s: %+v", text, o)
		}
	}
	if _, err := os.Stat(filepath.Join(p.dir, "report.xml")); err != nil {
		t.Errorf("the command did not write where it was told: %v", err)
	}
}
