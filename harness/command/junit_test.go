package command

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/harness"
)

// statuses reads a document as the report of one run.
func statuses(t *testing.T, doc string, in tree) map[harness.TestID]harness.Status {
	t.Helper()
	cases, err := readJUnit(strings.NewReader(doc), in)
	if err != nil {
		t.Fatal(err)
	}
	got := map[harness.TestID]harness.Status{}
	for _, c := range merge(cases) {
		got[c.ID] = c.Status
	}
	return got
}

func TestJUnitIsReadAsRunnersWriteIt(t *testing.T) {
	const p, f, s = harness.Passed, harness.Failed, harness.Skipped
	for name, c := range map[string]struct {
		doc  string
		want map[harness.TestID]harness.Status
	}{
		"testcases outside of any suite (node:test)": {
			`<?xml version="1.0"?><testsuites><testcase name="a" classname="test"/><testsuite name="s"><testcase name="b" classname="test"/></testsuite></testsuites>`,
			map[harness.TestID]harness.Status{"test.a": p, "s/test.b": p}},
		"nested suites": {
			`<testsuite name="x"><testsuite name="y"><testcase name="a"/></testsuite><testcase name="a"/></testsuite>`,
			map[harness.TestID]harness.Status{"x/y/a": p, "x/a": p}},
		"failure, error, skipped, passed": {
			`<testsuite><testcase name="a"><failure/></testcase><testcase name="b"><error>x</error></testcase><testcase name="c"><skipped/></testcase><testcase name="d"><system-out>x</system-out></testcase></testsuite>`,
			map[harness.TestID]harness.Status{"a": f, "b": f, "c": s, "d": p}},
		"not run, by an attribute": {
			`<testsuite><testcase name="a" status="notrun"/><testcase name="b" status="run" result="suppressed"/><testcase name="c" status="run" result="completed"/></testsuite>`,
			map[harness.TestID]harness.Status{"a": s, "b": s, "c": p}},
		"one ID twice is red when either is": {
			`<testsuite><testcase name="a"/><testcase name="a"><failure/></testcase><testcase name="a"/></testsuite>`,
			map[harness.TestID]harness.Status{"a": f}},
		"one ID twice runs when either does": {
			`<testsuite><testcase name="a"><skipped/></testcase><testcase name="a"/></testsuite>`,
			map[harness.TestID]harness.Status{"a": p}},
		"colour codes, raw and as references": {
			"<testsuite><testcase name=\"a\"><failure message=\"\x1b[31mred&#27;[0m&#x1B;\">\x00</failure></testcase></testsuite>",
			map[harness.TestID]harness.Status{"a": f}},
		"Latin-1": {
			"<?xml version='1.0' encoding='ISO-8859-1'?><testsuite><testcase name=\"caf\xe9\"/></testsuite>",
			map[harness.TestID]harness.Status{"café": p}},
		"a byte order mark and invalid bytes": {
			"\ufeff<?xml version='1.0' encoding='UTF-8'?><testsuite><testcase name=\"a\xff\"/></testsuite>",
			map[harness.TestID]harness.Status{"a\ufffd": p}},
		"tags inside the text of a failure": {
			`<testsuites><testsuite name="s"><testcase name="a"><failure><![CDATA[</testsuites><testcase name="b"/>]]></failure></testcase></testsuite></testsuites>`,
			map[harness.TestID]harness.Status{"s/a": f}},
		"nothing": {`<testsuites/>`, map[harness.TestID]harness.Status{}},
	} {
		if got := statuses(t, c.doc, tree{}); !maps.Equal(got, c.want) {
			t.Errorf("%s:\n got %v\nwant %v", name, got, c.want)
		}
	}
}

func TestJUnitThatWouldLoseTestsIsRefused(t *testing.T) {
	for name, doc := range map[string]string{
		"cut short":                    `<testsuite><testcase name="a"/>`,
		"not XML":                      `<testsuite <testcase`,
		"a testcase inside a stranger": `<testsuite><group><testcase name="a"/></group></testsuite>`,
		"a testcase without a suite":   `<testcase name="a"/>`,
	} {
		if cases, err := readJUnit(strings.NewReader(doc), tree{}); err == nil {
			t.Errorf("%s: read as %v", name, cases)
		}
	}
}

func TestARedTellsKindMessageAndPlaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my repo")
	for _, file := range []string{"lib/a.js", "test/a.test.js", "node_modules/x/i.js"} {
		writeFile(t, filepath.Join(dir, file), "")
	}
	in := newTree(dir)
	doc := `<testsuites><testsuite name="` + dir + `/phpunit.xml"><testcase name="adds" classname="t">
<failure type="testCodeFailure" message="1 == 2">Error [ERR_TEST_FAILURE]: 1 == 2
  cause: AssertionError [ERR_ASSERTION]: 1 == 2
      at add (` + dir + `/lib/a.js:2:24)
      at file://` + strings.ReplaceAll(dir, " ", "%20") + `/test/a.test.js:5:3
      at run (` + dir + `/node_modules/x/i.js:1:1)
      at Test.run (node:internal/test:796:25)
      at /elsewhere/lib/a.js:9
</failure></testcase><testcase name="boots"><error type="java.lang.IllegalStateException" message="closed">  File "lib/a.js", line 7, in x</error></testcase>
<testcase name="hook"><failure type="hookFailed" message="boom"/></testcase></testsuite></testsuites>`
	cases, err := readJUnit(strings.NewReader(doc), in)
	if err != nil || len(cases) != 3 {
		t.Fatalf("%v, %v", cases, err)
	}
	adds, boots, hook := cases[0], cases[1], cases[2]
	if adds.ID != "phpunit.xml/t.adds" {
		t.Errorf("the ID holds the tree's path: %s", adds.ID)
	}
	want := []harness.Frame{{Path: "lib/a.js", Line: 2, Func: "add"}, {Path: "test/a.test.js", Line: 5}}
	if r := adds.Red; r.Kind != harness.RedAssertion || r.Type != "AssertionError" || r.Message != "1 == 2" || r.Phase != "call" || !slices.Equal(r.Frames, want) {
		t.Errorf("adds: %+v", *r)
	}
	if r := boots.Red; r.Kind != harness.RedError || r.Message != "closed" || !slices.Equal(r.Frames, []harness.Frame{{Path: "lib/a.js", Line: 7}}) {
		t.Errorf("boots: %+v", *r)
	}
	if r := hook.Red; r.Phase != "setup" || r.Message != "boom" {
		t.Errorf("hook: %+v", *r)
	}
}

func TestAFileOfTheOriginalTreeInAStackIsAStray(t *testing.T) {
	origin, copied := t.TempDir(), t.TempDir()
	shared := filepath.Join(origin, "shared")
	for _, file := range []string{filepath.Join(origin, "a.js"), filepath.Join(copied, "a.js"), filepath.Join(shared, "s.js")} {
		writeFile(t, file, "")
	}
	if err := os.Symlink(shared, filepath.Join(copied, "shared")); err != nil {
		t.Fatal(err)
	}
	text := "at x (" + origin + "/a.js:3:1)\nat y (" + origin + "/a.js:4:1)\nat " + origin + "/shared/s.js:1:1\nat " + origin + "/gone.js:1:1\nat " + copied + "/a.js:1"
	if got := strays(newTree(copied), origin, []string{text}); !slices.Equal(got, []string{filepath.Join(origin, "a.js")}) {
		t.Errorf("got %q", got)
	}
	if got := strays(newTree(origin), origin, []string{text}); got != nil {
		t.Errorf("a tree strays from itself: %q", got)
	}
}

// FuzzJUnit holds that no document panics or loses a testcase, and that IDs
// are unique and messages bounded.
func FuzzJUnit(f *testing.F) {
	f.Add(`<testsuites><testcase name="a"><failure message="m" type="X: Error">b</failure></testcase></testsuites>`)
	f.Add("<?xml version='1.0' encoding='latin1'?><testsuite name='s'><testcase name='\xe9'/><testcase name='\xe9'><skipped/></testcase></testsuite>")
	f.Add(`<testsuites><testsuites/></testsuites></testsuites>`)
	f.Add(`<testsuite><testcase/>&#27;<![CDATA[]]>`)
	f.Fuzz(func(t *testing.T, doc string) {
		cases, err := readJUnit(strings.NewReader(doc), tree{})
		if err != nil {
			return
		}
		seen, copies := map[harness.TestID]bool{}, 0
		for _, c := range merge(cases) {
			if seen[c.ID] {
				t.Errorf("two tests are called %q", c.ID)
			}
			seen[c.ID] = true
			copies += c.copies
			if (c.Status == harness.Failed) != (c.Red != nil) {
				t.Errorf("%q is %s with red %v", c.ID, c.Status, c.Red)
			}
			if c.Red != nil && len(c.Red.Message) > messageSize {
				t.Errorf("a message of %d bytes", len(c.Red.Message))
			}
		}
		if copies != len(cases) {
			t.Errorf("%d testcases became %d", len(cases), copies)
		}
	})
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
