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
