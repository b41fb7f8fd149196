package pytest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

// splice is the edit that replaces old, which occurs once, in a file of head.
func (p *project) splice(path, old, neu string) change.Edit {
	p.t.Helper()
	if strings.Count(p.files[path], old) != 1 {
		p.t.Fatalf("%q occurs %d times in %s", old, strings.Count(p.files[path], old), path)
	}
	at := strings.Index(p.files[path], old)
	return change.Edit{Path: path, Start: at, End: at + len(old), Text: []byte(neu)}
}

// try prepares an edit and tries it on a selection.
func (p *project) try(sel harness.Selection, edits ...change.Edit) (harness.Outcome, bool) {
	p.t.Helper()
	warm := p.Session.(harness.Preparer)
	if err := warm.Prepare(p.t.Context(), p.dir, [][]change.Edit{edits}); err != nil {
		p.t.Fatal(err)
	}
	o, done, err := warm.Try(p.t.Context(), harness.Job{Dir: p.dir, Edits: edits, Selection: sel, Scratch: p.t.TempDir()})
	if err != nil {
		p.t.Fatal(err)
	}
	return o, done
}

// close ends what the session still runs.
func (p *project) close() {
	p.t.Helper()
	if err := p.Close(); err != nil {
		p.t.Errorf("close: %v", err)
	}
}

// facts is what two runs of one edit have to agree in.
func facts(o harness.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "phase %s complete %v trouble %q missing %q timed out %v signal %q exit %d argv %q env %q strays %q\n",
		o.Phase, o.Complete, o.Trouble, o.Missing, o.TimedOut, o.Signal, o.Exit, o.Argv, o.Env, o.Strays)
	for _, r := range o.Tests {
		fmt.Fprintf(&b, "%s %s", r.ID, r.Status)
		if r.Red != nil {
			fmt.Fprintf(&b, " %+v", *r.Red)
		}
		b.WriteByte('\n')
	}
	return varying.ReplaceAllString(b.String(), "…")
}

// varying is what no two runs have in common: addresses, durations and places.
var varying = regexp.MustCompile(`0x[0-9a-f]+|after [0-9.]+ s\b|[^"\s]*/project\b|[^"\s]*/pytest-plugin-\d+`)

func TestAForkSaysWhatAFreshProcessSays(t *testing.T) {
	t.Parallel()
	p := open(t, "trials", settings{targets: watched("src/pkg/core.py")}).sound()
	defer p.close()
	all := p.everything()
	e := p.splice("src/pkg/core.py", "return 1", "return 2")
	o, done := p.try(all, e)
	if !done {
		t.Fatalf("not done: %v", p.Session.(harness.Noter).Notes())
	}
	if want := p.run(all, "src/pkg/core.py", "return 1", "return 2"); facts(o) != facts(want) {
		t.Errorf("fork:\n%s\nfresh:\n%s", facts(o), facts(want))
	}
}
