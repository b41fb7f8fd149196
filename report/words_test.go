package report

import (
	"os"
	"slices"
	"strings"
	"testing"

	"assay/prove"
)

func TestEveryReasonIsExplainedInTheDocumentsAndSaysWhatToDo(t *testing.T) {
	doc, err := os.ReadFile("../docs/verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	// There is nothing that a reader of these could do.
	helpless := []prove.Reason{prove.Unsupported, prove.Interrupted, prove.Internal}
	for _, v := range []prove.Verdict{prove.Proven, prove.NotProven, prove.Inconclusive, prove.NothingToProve} {
		for _, reason := range prove.ReasonsOf(v) {
			if !strings.Contains(string(doc), "`"+string(reason)+"`") {
				t.Errorf("docs/verdicts.md does not explain %s", reason)
			}
			objection := v == prove.NotProven || v == prove.Inconclusive
			if objection && next(reason) == "" && !slices.Contains(helpless, reason) {
				t.Errorf("nothing says what to do about %s", reason)
			}
		}
	}
}

func TestWhySaysWhatIsTelling(t *testing.T) {
	for _, tt := range []struct {
		reason          prove.Reason
		detail, message string
		want            string
	}{
		{prove.Assertion, "", "a_test.go:12: got 3, want 4\nmore", "assertion: a_test.go:12: got 3, want 4"},
		{prove.Assertion, "", "a_test.go:73:\nerror:\n  got non-nil error\ngot:\n  e\"no\"\nstack:\n  x", `assertion: a_test.go:73: error: got non-nil error got: e"no"`},
		{prove.Assertion, "", "a_test.go:9:\n\tError Trace:\t/tmp/t0/a_test.go:9\n\t\t/tmp/t0/b_test.go:3\n\tError:      \tNot equal:\n\t\texpected: 1\n\t\tactual  : 2", "assertion: a_test.go:9: Not equal: expected: 1 actual : 2"},
		{prove.Assertion, "", "a_test.go:9:", "assertion: a_test.go:9:"},
		{prove.DoesNotBuild, "# ex\n./a.go:3:2: \"fmt\" imported and not used\n./a.go:9:1: undefined: f\n./a.go:10:1: undefined: f", "", "does-not-build: ./a.go:9:1: undefined: f (and 2 more lines)"},
		{prove.DoesNotBuild, "./a.go:9:1: undefined: f", "", "does-not-build: ./a.go:9:1: undefined: f"},
		{prove.CollectionFailed, "tests/t.py cannot be collected: no such file\ntests/t.py:1: in <module>\n", "", "collection-failed: tests/t.py cannot be collected: no such file (and 1 more line)"},
	} {
		if got := why(tt.reason, tt.detail, tt.message); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
