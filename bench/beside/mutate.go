package beside

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/prove"
	"assay/report"
)

// An Assay is a binary of assay with a directory for its cache and reports.
type Assay struct{ Binary, Work string }

// Mutate runs assay mutate in dir and reads its report. It fails when assay
// exits with another code than those of a report, 0 and 1.
func (a Assay) Mutate(ctx context.Context, dir string, env []string, args ...string) (Cost, *prove.MutationReport, error) {
	out := filepath.Join(a.Work, "assay.json")
	argv := append([]string{a.Binary, "mutate", "--out", out}, args...)
	c, err := Measure(ctx, dir, append(env[:len(env):len(env)], "ASSAY_CACHE_DIR="+filepath.Join(a.Work, "cache")), argv...)
	if err != nil {
		return c, nil, err
	}
	if c.Code != 0 && c.Code != 1 {
		return c, nil, fmt.Errorf("%s exited with %d:\n%s", strings.Join(argv, " "), c.Code, c.Output)
	}
	f, err := os.Open(out)
	if err != nil {
		return c, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	r, err := report.ReadMutation(f)
	return c, r, err
}

// Ran counts the mutants of a report that cost a run.
func Ran(r *prove.MutationReport) int {
	return r.Counts.Killed + r.Counts.Survived + r.Counts.TimedOut + r.Counts.Undecided
}
