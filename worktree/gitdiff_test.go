package worktree_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/change"
	"assay/worktree"
)

// A pairOf is two revisions of one repository.
type pairOf struct{ dir, base, head string }

// TestHunksAreThoseOfGitDiff compares each change with what plain `git diff
// -U0 -M` prints, file by file, over a generated repository, over assay's own
// when the tests run in a clone of it, and over the commits of
// ASSAY_CORPUS/*.jsonl in the clones below ASSAY_CORPUS_REPOS.
func TestHunksAreThoseOfGitDiff(t *testing.T) {
	pairs := history(t, generated(t, 1, 40).dir, 40)
	pairs = append(pairs, history(t, generated(t, 2, 40).dir, 40)...)
	if len(pairs) < 80 {
		t.Fatalf("only %d generated changes", len(pairs))
	}
	if out, err := os.Stat("../.git"); err == nil && out.IsDir() {
		pairs = append(pairs, history(t, "..", 10)...)
	}
	pairs = append(pairs, corpus(t)...)
	hunks, seen := 0, map[string]int{}
	for _, p := range pairs {
		hunks += compare(t, p, seen)
	}
	t.Logf("%d changes, %d hunks: %v", len(pairs), hunks, seen)
	for _, must := range []string{"added text", "deleted text", "modified text", "renamed text", "modified binary", "added symlink", "modified symlink"} {
		if seen[must] == 0 {
			t.Errorf("no file was %s, so the comparison says nothing of it", must)
		}
	}
}

// history lists the last commits of a repository with their first parents, and
// the whole span of them as one change.
func history(t *testing.T, dir string, most int) []pairOf {
	t.Helper()
	r := &userRepo{t, dir}
	var pairs []pairOf
	commits := strings.Fields(r.git("rev-list", "--first-parent", fmt.Sprint("--max-count=", most+1), "HEAD"))
	for i := range len(commits) - 1 {
		pairs = append(pairs, pairOf{dir, commits[i+1], commits[i]})
	}
	return append(pairs, pairOf{dir, commits[len(commits)-1], commits[0]})
}

func corpus(t *testing.T) []pairOf {
	t.Helper()
	lists, err := filepath.Glob(filepath.Join(os.Getenv("ASSAY_CORPUS"), "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pairOf
	for _, list := range lists {
		f, err := os.Open(list)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var c struct{ Repo, Commit, Parent string }
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(os.Getenv("ASSAY_CORPUS_REPOS"), filepath.Base(c.Repo))
			if _, err := os.Stat(dir); err == nil {
				pairs = append(pairs, pairOf{dir, c.Parent, c.Commit})
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		_ = f.Close() // only read
	}
	return pairs
}

var header = regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// compare returns the number of line hunks.
func compare(t *testing.T, p pairOf, seen map[string]int) int {
	t.Helper()
	c := changeOf(t, p)
	r := &userRepo{t, p.dir}
	names := strings.Split(strings.TrimSuffix(r.git("diff", "-M", "--name-status", "-z", p.base, p.head), "\x00"), "\x00")
	total := 0
	for _, f := range c.Files {
		paths := []string{f.Path}
		wantNames := 2
		if f.Status == change.Renamed {
			paths, wantNames = []string{f.OldPath, f.Path}, 3
		}
		if len(names) < wantNames || names[1] != paths[0] || names[wantNames-1] != f.Path {
			t.Fatalf("%v: have %q %q, want %q", p, f.Status, paths, names)
		}
		names = names[wantNames:]
		args := append([]string{"--literal-pathspecs", "diff", "-U0", "-M", p.base, p.head, "--"}, paths...)
		var want []string
		if f.Form != change.Symlink && f.Form != change.Submodule && f.Form != change.LFS {
			want = headers(r.git(args...))
		}
		var got []string
		for _, h := range f.Hunks {
			if !h.Whole {
				got = append(got, h.Old.String()+" "+h.New.String())
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%v %q:\ngot  %q\nwant %q", p, f.Path, got, want)
		}
		total += len(got)
		seen[f.Status.String()+" "+f.Form.String()]++
		checkFile(t, r, p, f)
	}
	if len(names) > 0 && names[0] != "" {
		t.Errorf("%v: not in the change: %q", p, names)
	}
	return total
}

func headers(patch string) []string {
	var all []string
	for _, m := range header.FindAllStringSubmatch(patch, -1) {
		side := func(start, lines string) string {
			if lines == "" {
				return start
			}
			return start + "," + lines
		}
		all = append(all, side(m[1], m[2])+" "+side(m[3], m[4]))
	}
	return all
}

func changeOf(t *testing.T, p pairOf) *change.Change {
	t.Helper()
	repo, err := worktree.Open(t.Context(), p.dir)
	if err != nil {
		t.Fatal(err)
	}
	base, head, err := repo.Resolve(t.Context(), p.base+".."+p.head)
	if err != nil {
		t.Fatal(err)
	}
	c, err := repo.Change(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkFile holds what every file of a change must be: its bytes, at least one
// hunk, IDs that are its own, one unit a hunk, and undoing everything gives
// base.
func checkFile(t *testing.T, r *userRepo, p pairOf, f *change.File) {
	t.Helper()
	ids := map[string]bool{}
	var undo []change.Edit
	for _, h := range f.Hunks {
		if ids[h.ID] || h.File != f || len(h.Units) != 1 || h.Units[0].Old != h.Old || h.Units[0].New != h.New {
			t.Errorf("%v %s: bad hunk %+v", p, f.Path, h)
		}
		ids[h.ID] = true
		if !h.Whole {
			undo = append(undo, h.Undo())
		}
	}
	if len(f.Hunks) == 0 {
		t.Errorf("%v %s has no hunk", p, f.Path)
	}
	if f.Form != change.Text {
		return
	}
	for _, side := range []struct {
		commit, path string
		mode         uint32
		content      []byte
	}{{p.base, f.OldPath, f.OldMode, f.Old}, {p.head, f.Path, f.NewMode, f.New}} {
		if side.mode == 0 {
			if side.content != nil {
				t.Errorf("%v %s: content of an absent side", p, f.Path)
			}
			continue
		}
		if want := r.git("show", side.commit+":"+side.path); want != string(bytes.TrimSuffix(side.content, []byte("\n"))) {
			t.Errorf("%v %s: other content than git show", p, f.Path)
		}
	}
	if f.Status == change.Added || f.Status == change.Deleted {
		return
	}
	got, err := change.Apply(f.New, undo)
	if err != nil || !bytes.Equal(got, f.Old) {
		t.Errorf("%v %s: all hunks undone do not give base (%v)", p, f.Path, err)
	}
}
