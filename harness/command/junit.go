package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/joshdk/go-junit"

	"assay/harness"
)

// A testcase is what the reports of one run say of one test.
type testcase struct {
	harness.Result
	copies int    // how many testcases of the run share the ID
	text   string // all that was said of it, for paths and strays
}

// readJUnit reads one JUnit XML document. Paths of the tree are taken out of
// the IDs, since they differ from slot to slot. It fails on what is not well
// formed and on a document some of whose testcases would be lost.
func readJUnit(r io.Reader, t tree) ([]testcase, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	flat, want, err := flatten(legalXML(data))
	if err != nil {
		return nil, err
	}
	suites, err := junit.Ingest(flat)
	if err != nil {
		return nil, err
	}
	reading := suiteReader{tree: t}
	for _, suite := range suites {
		reading.suite(suite, "")
	}
	if len(reading.cases) != want {
		return nil, fmt.Errorf("%d of its %d testcases stand where no testcase is expected", want-len(reading.cases), want)
	}
	return reading.cases, nil
}

type suiteReader struct {
	tree  tree
	cases []testcase
}

// suite walks a suite; path names the suites around it.
func (r *suiteReader) suite(s junit.Suite, path string) {
	if name := r.relative(s.Name); name != "" {
		path = strings.TrimPrefix(path+"/"+name, "/")
	}
	for _, t := range s.Tests {
		r.cases = append(r.cases, r.test(t, path))
	}
	for _, inner := range s.Suites {
		r.suite(inner, path)
	}
}

// test names a testcase suite/classname.name, without the parts it lacks.
func (r *suiteReader) test(t junit.Test, suite string) testcase {
	id := r.relative(t.Name)
	if class := r.relative(t.Classname); class != "" {
		id = class + "." + id
	}
	if suite != "" {
		id = suite + "/" + id
	}
	c := testcase{copies: 1, Result: harness.Result{ID: harness.TestID(id), Status: statusOf(t), Seconds: t.Duration.Seconds()}}
	if c.Status == harness.Failed {
		c.Red, c.text = r.red(t)
	}
	return c
}

func (r *suiteReader) relative(name string) string {
	return strings.TrimSpace(r.tree.mark(name, ""))
}

// statusOf also knows the runners that mark a test that did not run by an
// attribute alone (googletest, CTest).
func statusOf(t junit.Test) harness.Status {
	switch t.Status {
	case junit.StatusFailed, junit.StatusError:
		return harness.Failed
	case junit.StatusSkipped:
		return harness.Skipped
	case junit.StatusPassed:
	}
	for _, key := range []string{"status", "result"} {
		switch strings.ToLower(t.Properties[key]) {
		case "notrun", "disabled", "skipped", "suppressed":
			return harness.Skipped
		}
	}
	return harness.Passed
}

// red classifies a failure: by the exception its text names first, else by the
// element, a failure being an assertion and an error anything else.
func (r *suiteReader) red(t junit.Test) (*harness.Red, string) {
	var fault junit.Error // stays empty when nothing but the element was written
	errors.As(t.Error, &fault)
	text := plain(strings.Join([]string{fault.Type + ": " + fault.Message, fault.Body, t.SystemErr}, "\n"))
	red := &harness.Red{Kind: harness.RedAssertion, Phase: "call", Type: fault.Type}
	if t.Status == junit.StatusError {
		red.Kind = harness.RedError
	}
	said := plain(fault.Type + ": " + fault.Message + "\n" + fault.Body)
	if kind, class, symbol := exceptionIn(said); kind != "" {
		red.Kind, red.Type, red.Symbol = kind, class, symbol
	}
	if setupFault(fault.Type) {
		red.Phase = "setup"
	}
	red.Message = firstLines(strings.TrimSpace(cmp.Or(strings.TrimSpace(plain(fault.Message)), strings.TrimSpace(plain(fault.Body)), fault.Type)))
	red.Frames = frames(r.tree, said)
	return red, text
}

// setupFault knows the failures of a hook around the test (node:test).
func setupFault(class string) bool { return class == "hookFailed" }

// merge makes one testcase of those that share an ID: red when any is, else
// skipped or green only when all are. Numbering them would be unsound, since
// nothing says that two runs report them in the same order.
func merge(cases []testcase) []testcase {
	at := make(map[harness.TestID]int, len(cases))
	var merged []testcase
	for _, c := range cases {
		i, seen := at[c.ID]
		if !seen {
			at[c.ID] = len(merged)
			merged = append(merged, c)
			continue
		}
		m := &merged[i]
		m.copies++
		m.Seconds += c.Seconds
		m.text += "\n" + c.text
		if worst(c.Status) > worst(m.Status) {
			m.Status, m.Red = c.Status, c.Red
		}
	}
	return merged
}

func worst(s harness.Status) int {
	return slices.Index([]harness.Status{harness.Skipped, harness.Passed, harness.Failed}, s)
}
