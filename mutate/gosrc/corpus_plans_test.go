package gosrc

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"assay/change"
	"assay/mutate"
	"assay/mutate/mutatetest"
)

// At most one code hunk of the corpus in twenty has no plan. With -v each unit
// that cannot be un-done alone is printed with what its plan does, for reading.
func TestCorpusHunksHavePlans(t *testing.T) {
	sum := tally{rungs: map[string]int{}}
	mutatetest.EachKnown(t, "go.jsonl", ".go", func(k mutatetest.Known, repo string, c *change.Change) {
		if len(k.Hunks) > 0 { // the others have no usable baseline
			planCommit(t, k, repo, c, &sum)
		}
	})
	t.Logf("%d code hunks, %d without a plan; units by rung: %v", sum.code, sum.without, sum.rungs)
	if sum.without*20 > sum.code {
		t.Errorf("%d of %d code hunks have no plan, want at most one in twenty", sum.without, sum.code)
	}
}

// A tally counts what plans there are.
type tally struct {
	code, without int // hunks
	rungs         map[string]int
}

func planCommit(t *testing.T, k mutatetest.Known, repo string, c *change.Change, sum *tally) {
	t.Helper()
	dir := mutatetest.Checkout(t, repo, k.Commit)
	for _, f := range c.Files {
		f.Kind, _, _ = Source{}.Kind(f)
	}
	notes, err := Source{}.Study(context.Background(), c, c.Files)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLadder(os.Environ(), nil)
	plans, err := l.Plans(context.Background(), dir, c, notes)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range c.Hunks() {
		if h.File.Kind != change.Production && h.File.Kind != change.Support || !isSource(h.File.Path) {
			continue
		}
		open, missing := false, false
		for _, u := range h.Units {
			p := plans[u]
			checkApplies(t, h, p)
			if notes[u].Nothing != "" {
				continue
			}
			open = true
			missing = missing || p.Rung == mutate.RungNone && p.Nothing == ""
			if p.Rung != mutate.RungRevert {
				t.Logf("%s %s %s", k.Repo, k.Commit[:10], shown(c, u, p))
			}
			if p.Nothing != "" {
				sum.rungs["nothing: "+string(p.Nothing)]++
			} else {
				sum.rungs[string(p.Rung)]++
			}
		}
		if open {
			sum.code++
		}
		if missing {
			sum.without++
		}
	}
	_, dropped, err := l.Whole(context.Background(), dir, c, mutatetest.Untested(c))
	if err != nil || len(dropped) > 0 {
		t.Logf("%s %s whole: without %s %v", k.Repo, k.Commit[:10], strings.Join(dropped, ", "), err)
	}
}

// checkApplies: the edits of a plan apply to head, and a unit without one has
// a reason.
func checkApplies(t *testing.T, h *change.Hunk, p *mutate.Plan) {
	t.Helper()
	if p == nil || p.Rung == mutate.RungNone && p.Nothing == "" && p.Why == "" {
		t.Fatalf("%s: no plan and no reason: %+v", h.Name(), p)
	}
}

// shown is a plan with the difference that its edits make, for people.
func shown(c *change.Change, u *change.Unit, p *mutate.Plan) string {
	out := mutatetest.Planned(u, p)
	for _, v := range p.Users {
		out += "\n    used by " + v.Hunk.Name()
	}
	out += "\n    -- the hunk\n" + indent("-", u.OldText()) + indent("+", u.NewText())
	if len(p.Edits) > 0 {
		out += "    -- the edit\n"
	}
	for _, e := range p.Edits {
		for _, f := range c.Files {
			if f.Path == e.Path && e.Op == change.Splice {
				line := 1 + strings.Count(string(f.New[:e.Start]), "\n")
				out += "    @@ " + f.Path + ":" + strconv.Itoa(line) + "\n" + indent("<", f.New[e.Start:e.End]) + indent(">", e.Text)
			}
		}
	}
	return out
}

func indent(mark string, text []byte) string {
	out := ""
	for l := range strings.Lines(string(text)) {
		out += "    " + mark + strings.TrimRight(l, "\n") + "\n"
	}
	return out
}
