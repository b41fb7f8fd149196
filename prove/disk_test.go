package prove

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"assay/harness"
)

func TestAFullDiskEndsTheProofAndIsNoVerdict(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "lib.x", Err: syscall.ENOSPC}
	rules := map[string]func(string) *harness.Red{"a": needs("one")}
	const link = "link: mapping output file failed: no space left on device"
	for name, tt := range map[string]struct {
		refuses error
		l       *fakeLanguage
	}{
		"tree":           {full, &fakeLanguage{rules: rules, cover: []harness.TestID{"a"}}},
		"baseline":       {nil, &fakeLanguage{baseline: harness.Baseline{Phase: harness.PhaseBuild, Trouble: link}}},
		"baseline, part": {nil, &fakeLanguage{baseline: harness.Baseline{Green: []harness.TestID{"a"}, Red: []harness.Result{}, Notes: []string{link}}}},
		"build":          {nil, &fakeLanguage{rules: rules, cover: []harness.TestID{"a"}, fails: &harness.Outcome{Phase: harness.PhaseBuild, Trouble: link}}},
	} {
		t.Run(name, func(t *testing.T) {
			c := libChange("one")
			trees := newTrees(1)
			trees.refuses = tt.refuses
			tt.l.head = map[string]string{"lib.x": string(c.Files[0].New)}
			r, err := Run(t.Context(), Config{}, c, []Language{{Name: "fake", Source: tt.l, Harness: tt.l}}, trees, Discard{})
			if !errors.Is(err, ErrDiskFull) || r != nil {
				t.Errorf("report %+v, error %v", r, err)
			}
		})
	}
}
