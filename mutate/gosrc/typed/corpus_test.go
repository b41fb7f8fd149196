package typed_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// A corpusCommit is one line of a corpus file: a real commit, and what the go
// command said of each of its hunks un-done alone.
type corpusCommit struct {
	Repo, Commit, Parent string
	Command              string `json:"test_command"`
	Baseline             struct {
		Builds bool `json:"builds"`
	}
	Hunks []struct {
		File     string
		Status   string
		OldStart int `json:"old_start"`
		OldLines int `json:"old_lines"`
		NewStart int `json:"new_start"`
		NewLines int `json:"new_lines"`
		Verdict  string
		Err      string
	}
}

// TestCorpusAgrees compares Check with what building each hunk of real commits
// un-done said. It runs when ASSAY_CORPUS names a corpus file and
// ASSAY_CORPUS_REPOS the directory with clones of its repositories.
func TestCorpusAgrees(t *testing.T) {
	corpus, repos := os.Getenv("ASSAY_CORPUS"), os.Getenv("ASSAY_CORPUS_REPOS")
	if corpus == "" && repos == "" {
		return // no corpus was asked for; nothing is claimed
	}
	in, err := os.Open(corpus)
	if err != nil {
		t.Fatalf("ASSAY_CORPUS must name a corpus file: %v", err)
	}
	defer func() { _ = in.Close() }()
	var all tally
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var c corpusCommit
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		repo := filepath.Join(repos, filepath.Base(c.Repo))
		if _, err := os.Stat(repo); err != nil {
			t.Fatalf("ASSAY_CORPUS_REPOS must hold a clone of %s: %v", c.Repo, err)
		}
		compareCommit(t, repo, c, &all)
	}
	if err := lines.Err(); err != nil || all.hunks == 0 {
		t.Fatalf("%d hunks read from %s: %v", all.hunks, corpus, err)
	}
	t.Logf("%d of %d hunks agree; %d packages checked (%d whole) and %d bodies beside, %d known; %.1f ms a check",
		all.agree, all.hunks, all.stats.Packages, all.stats.Whole, all.stats.Bodies, all.stats.Cached,
		float64(all.spent.Microseconds())/1000/float64(all.hunks))
}

type tally struct {
	hunks, agree int
	stats        typed.Stats
	spent        time.Duration
}

func compareCommit(t *testing.T, repo string, c corpusCommit, all *tally) {
	dir := filepath.Join(t.TempDir(), filepath.Base(repo))
	git(t, repo, "clone", "-q", "-s", "-n", repo, dir)
	git(t, dir, "checkout", "-q", c.Commit)
	w, err := typed.Load(context.Background(), typed.Config{Dir: dir, Env: os.Environ()})
	if err != nil {
		t.Fatalf("%s %s: %v", c.Repo, c.Commit, err)
	}
	for _, b := range w.Broken() {
		t.Logf("%s %.10s: %s does not check at head (test %v): %s", c.Repo, c.Commit, b.Package, b.Test, b.Problems[0].Message)
	}
	var edits []change.Edit
	for i, h := range c.Hunks {
		edit := undo(t, dir, c.Parent, h.File, h.Status, change.Span{Start: h.OldStart, Lines: h.OldLines}, change.Span{Start: h.NewStart, Lines: h.NewLines})
		start := time.Now()
		res, err := w.Check(context.Background(), []change.Edit{edit})
		all.spent += time.Since(start)
		if err != nil {
			t.Fatal(err)
		}
		edits = append(edits, edit)
		compareThorough(t, w, c, []change.Edit{edit})
		all.hunks++
		all.stats.Packages += res.Stats.Packages
		all.stats.Bodies += res.Stats.Bodies
		all.stats.Whole += res.Stats.Whole
		all.stats.Cached += res.Stats.Cached
		if got, want := verdict(res), buildVerdict(h.Verdict); got == want {
			all.agree++
		} else {
			t.Errorf("%s %.10s hunk %d %s:%d: Check says %s, the build %s (%s)\n%s", c.Repo, c.Commit, i, h.File, h.NewStart, got, h.Verdict, h.Err, describe(res))
		}
	}
	compareSubsets(t, w, c, edits)
	base, err := w.Base(context.Background(), edits)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range base.Broken() {
		if !b.Test {
			t.Logf("%s %.10s: %s does not check with production un-done: %s", c.Repo, c.Commit, b.Package, b.Problems[0].Message)
		}
	}
}

// compareSubsets checks sets of hunks both ways, as a search for partners
// would: every suffix, every second, every third.
func compareSubsets(t *testing.T, w *typed.World, c corpusCommit, edits []change.Edit) {
	for i := range edits {
		compareThorough(t, w, c, edits[i:])
		for step := 2; step < 4; step++ {
			var some []change.Edit
			for j := i; j < len(edits); j += step {
				some = append(some, edits[j])
			}
			compareThorough(t, w, c, some)
		}
	}
}

// compareThorough holds Check to what it says when it takes no shortcut.
func compareThorough(t *testing.T, w *typed.World, c corpusCommit, edits []change.Edit) {
	short, err := w.Check(context.Background(), edits)
	whole, err2 := w.Thorough().Check(context.Background(), edits)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if !reflect.DeepEqual(short.Problems, whole.Problems) {
		t.Errorf("%s %.10s: in part\n%sas a whole\n%s", c.Repo, c.Commit, describe(short), describe(whole))
	}
}

func verdict(res typed.Result) string {
	switch {
	case len(res.Problems) == 0:
		return "BUILDS"
	case res.Builds():
		return "NO_TEST_BUILD"
	}
	return "NO_BUILD"
}

func buildVerdict(v string) string {
	if strings.HasPrefix(v, "NO_") {
		return v
	}
	return "BUILDS"
}

func describe(res typed.Result) string {
	var out strings.Builder
	for _, p := range res.Problems {
		fmt.Fprintf(&out, "\t%s:%d:%d: [%s] %s\n", p.Path, p.Line, p.Col, p.Code, p.Message)
	}
	return out.String()
}

func undo(t *testing.T, dir, parent, name, status string, old, neu change.Span) change.Edit {
	t.Helper()
	f := &change.File{Path: name, OldPath: name}
	switch status {
	case "added":
		f.Status = change.Added
	case "deleted":
		f.Status = change.Deleted
	}
	if f.Status != change.Added {
		f.Old = git(t, dir, "show", parent+":"+name)
	}
	if f.Status != change.Deleted {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f.New = text
	}
	return (&change.Hunk{File: f, Old: old, New: neu}).Undo()
}

func git(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s in %s: %v", strings.Join(args, " "), dir, err)
	}
	return out
}
