package gotest_test

import (
	"crypto/sha256"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"assay/harness"
)

// Each story edits code of the tree and must see the test of the tree fail.
func TestPathsWrittenForTheOriginHoldInATreeElsewhere(t *testing.T) {
	for _, c := range []struct {
		archive, path, old, red string
		green                   int
	}{
		{"work-above.txtar", "a/a.go", "+ 1", "ex/a.TestTwo", 2},
		{"work-ignored.txtar", "a/a.go", "return 2", "ex/m2.TestTwo", 1},
		{"work-inside.txtar", "a/a.go", "+ 1", "ex/a.TestTwo", 1},
		{"replace-absolute.txtar", "a/a.go", "return 2", "ex/b.TestTwo", 1},
		{"vendored.txtar", "a/a.go", "1 +", "ex/a.TestTwo", 1},
		{"vendored.txtar", "vendor/out/o.go", "return 1", "ex/a.TestTwo", 1},
	} {
		t.Run(c.archive+" "+c.path, func(t *testing.T) {
			s := open(t, c.archive, options{origin: "repo"})
			if s.baseline.Trouble != "" || len(s.baseline.Green) != c.green || len(s.baseline.Red) > 0 {
				t.Fatalf("baseline %+v", s.baseline)
			}
			tree, origin := digest(t, s.dir), digest(t, s.origin)
			o := s.run(c.path, c.old, map[string]string{"+ 1": "+ 5", "return 2": "return 5", "1 +": "5 +", "return 1": "return 5"}[c.old])
			if got := redIDs(o); got != c.red || o.Phase != harness.PhaseRun {
				t.Errorf("red %q, want %q; phase %s %s", got, c.red, o.Phase, o.Trouble)
			}
			if !maps.Equal(tree, digest(t, s.dir)) || !maps.Equal(origin, digest(t, s.origin)) {
				t.Error("the tree or the origin was written to")
			}
		})
	}
}

// digest hashes every file below dir.
func digest(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	sums := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		sums[path] = sha256.Sum256(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}
