package beside

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/prove"
)

func TestWhatASubjectFallsShortOfIsMadeUpForByThoseBehind(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ total, first int }{{10, 99}, {10, 1}, {2, 99}} {
		var asked []int
		subject := func(has int) Subject {
			return Subject{Dir: dir, Plain: func(context.Context) (End, error) { return Green, nil },
				Mutants: func(_ context.Context, n int) (*prove.MutationReport, error) {
					asked = append(asked, n)
					return &prove.MutationReport{Mutants: slices.Repeat([]prove.MutantReport{{File: "f", Status: prove.Lived}}, min(n, has))}, nil
				}}
		}
		said := ""
		a := Agreement{Kind: "things", Agrees: func(f prove.Fate, e End) bool { return f == prove.Lived && e == Green },
			Say: func(format string, args ...any) { said = fmt.Sprintf(format, args...) }}
		if err := a.Compare(t.Context(), []Subject{subject(tt.first), subject(99), subject(99)}, tt.total); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("agreement %d of %[1]d mutants over 3 things", tt.total); said != want || len(asked) != 3 {
			t.Errorf("%+v: %q, want %q; asked for %v", tt, said, want, asked)
		}
	}
}
