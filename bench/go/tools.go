package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/prove"
	"assay/report"
)

// comparable are assay's operators that do what those of gremlins do, which
// are on by default: conditionals-boundary, conditionals-negation,
// increment-decrement, arithmetic-base and invert-negatives.
const comparable = "conditionals-boundary,conditionals-negation,increment,arithmetic,unary"

// assayMutate runs assay mutate and reads its report.
func (b bench) assayMutate(ctx context.Context, dir string, args ...string) (cost, *prove.MutationReport, error) {
	out := filepath.Join(b.work, "assay.json")
	argv := append([]string{b.assay, "mutate", "--out", out, "--jobs", "2"}, args...)
	c, err := measure(ctx, dir, []string{"ASSAY_CACHE_DIR=" + filepath.Join(b.work, "cache")}, argv...)
	if err != nil {
		return c, nil, err
	}
	if c.code != 0 && c.code != 1 {
		return c, nil, fmt.Errorf("%s exited with %d:\n%s", strings.Join(argv, " "), c.code, c.output)
	}
	f, err := os.Open(out)
	if err != nil {
		return c, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	r, err := report.ReadMutation(f)
	return c, r, err
}

// ran counts the mutants of a report that cost a run.
func ran(r *prove.MutationReport) int {
	return r.Counts.Killed + r.Counts.Survived + r.Counts.TimedOut + r.Counts.Undecided
}

// A found is what gremlins reports.
type found struct {
	Files []struct {
		Name      string `json:"file_name"`
		Mutations []struct {
			Status string `json:"status"`
		} `json:"mutations"`
	} `json:"files"`
}

// ran counts the mutants that cost a run, by status.
func (f found) ran() (n int, by map[string]int) {
	by = map[string]int{}
	for _, file := range f.Files {
		for _, m := range file.Mutations {
			by[m.Status]++
			if m.Status != "NOT COVERED" && m.Status != "SKIPPED" {
				n++
			}
		}
	}
	return n, by
}

// unleash runs gremlins on the package in dir.
func (b bench) unleash(ctx context.Context, dir string, args ...string) (cost, found, error) {
	out := filepath.Join(b.work, "gremlins.json")
	if err := os.RemoveAll(out); err != nil {
		return cost{}, found{}, err
	}
	argv := append([]string{b.gremlins, "unleash", ".", "--workers", "2", "--timeout-coefficient", fmt.Sprint(b.coefficient), "--output", out}, args...)
	c, err := measure(ctx, dir, nil, argv...)
	if err != nil || slices.Contains(args, "--dry-run") {
		return c, found{}, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return c, found{}, fmt.Errorf("%s exited with %d and left no report: %w\n%s", strings.Join(argv, " "), c.code, err, c.output)
	}
	var f found
	return c, f, json.Unmarshal(text, &f)
}

// others matches the files of the package in dir that gremlins is not to
// mutate: all but those named.
func others(dir string, named []string) (string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	var out []string
	for _, n := range names {
		if base := filepath.Base(n); !strings.HasSuffix(base, "_test.go") && !slices.Contains(named, base) {
			out = append(out, regexp.QuoteMeta(base))
		}
	}
	if len(out) == len(names) {
		return "", errors.New("none of the files that gremlins is to mutate is there")
	}
	return "^(" + strings.Join(out, "|") + ")$", nil
}
