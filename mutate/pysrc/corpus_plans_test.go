package pysrc

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/change"
	"assay/mutate"
	"assay/mutate/mutatetest"
)

// Every plan of the corpus applies, and at most one code hunk in twenty has
// none. With -v each unit that cannot be un-done alone is printed with its
// plan, for reading.
func TestCorpusHunksHavePlans(t *testing.T) {
	rungs, code, without := map[mutate.Rung]int{}, 0, 0
	mutatetest.EachKnown(t, "python.jsonl", ".py", func(k mutatetest.Known, repo string, c *change.Change) {
		dir := mutatetest.Checkout(t, repo, k.Commit)
		s := closing(t, New(testPython(t),
			func(p string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, p)) },
			func() ([]string, error) { return mutatetest.List(repo, k.Commit) }))
		for _, f := range c.Files {
			f.Kind, _, _ = s.Kind(f)
		}
		notes, err := s.Study(context.Background(), c, c.Files)
		if err != nil {
			t.Fatal(err)
		}
		plans, err := s.Plans(context.Background(), dir, c, notes)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range c.Hunks() {
			if h.File.Kind != change.Production && h.File.Kind != change.Support {
				continue
			}
			open, missing := false, false
			for _, u := range h.Units {
				p := plans[u]
				checkPlan(t, c, u, p)
				if notes[u].Nothing != "" {
					continue
				}
				open = true
				missing = missing || p.Rung == mutate.RungNone && p.Nothing == ""
				if p.Rung != mutate.RungRevert || notes[u].Broken != "" {
					t.Logf("%s %s %s", k.Repo, k.Commit[:10], described(u, notes[u], p))
				}
				if p.Nothing != "" {
					rungs["nothing: "+mutate.Rung(p.Nothing)]++
				} else {
					rungs[p.Rung]++
				}
			}
			if open {
				code++
			}
			if missing {
				without++
			}
		}
		_, dropped, err := s.Whole(context.Background(), dir, c, mutatetest.Untested(c))
		if err != nil {
			t.Fatal(err)
		}
		if len(dropped) > 0 {
			t.Logf("%s %s whole: without %s", k.Repo, k.Commit[:10], strings.Join(dropped, ", "))
		}
	})
	t.Logf("%d code hunks, %d without a plan; units by rung: %v", code, without, rungs)
	if without*20 > code {
		t.Errorf("%d of %d code hunks have no plan, want at most one in twenty", without, code)
	}
}

// checkPlan: a plan has a place for everything it says, and its edits apply.
func checkPlan(t *testing.T, c *change.Change, u *change.Unit, p *mutate.Plan) {
	t.Helper()
	if p == nil {
		t.Fatalf("%s: no plan", u.Hunk.Name())
	}
	if p.Rung == mutate.RungNone && p.Nothing == "" && p.Why == "" {
		t.Errorf("%s: no plan and no reason", u.Hunk.Name())
	}
	if _, err := applied(c, p.Edits); err != nil {
		t.Errorf("%s: %v", u.Hunk.Name(), err)
	}
}

// applied is the content of every file that the edits touch; nil when removed.
func applied(c *change.Change, edits []change.Edit) (map[string][]byte, error) {
	out := map[string][]byte{}
	byPath := map[string][]change.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	for path, es := range byPath {
		if i := slices.IndexFunc(es, func(e change.Edit) bool { return e.Op != change.Splice }); i >= 0 {
			out[path] = es[i].Text
			continue
		}
		var head []byte
		for _, f := range c.Files {
			if f.Path == path {
				head = f.New
			}
		}
		var err error
		if out[path], err = change.Apply(head, es); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// described is a unit with what its plan does, for people.
func described(u *change.Unit, n *mutate.Note, p *mutate.Plan) string {
	out := mutatetest.Planned(u, p) + "\n    broken: " + n.Broken
	for _, text := range [][]byte{u.OldText(), u.NewText()} {
		out += "\n----\n" + string(text)
	}
	return out
}
