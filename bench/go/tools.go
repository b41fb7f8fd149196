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

	"assay/bench/beside"
	"assay/prove"
)

// comparable are assay's operators that do what those of gremlins do, which
// are on by default: conditionals-boundary, conditionals-negation,
// increment-decrement, arithmetic-base and invert-negatives.
const comparable = "conditionals-boundary,conditionals-negation,increment,arithmetic,unary"

// assayMutate runs assay mutate with as many jobs as gremlins has.
func (b bench) assayMutate(ctx context.Context, dir string, args ...string) (beside.Cost, *prove.MutationReport, error) {
	return beside.Assay{Binary: b.assay, Work: b.work}.Mutate(ctx, dir, nil, append([]string{"--jobs", "2"}, args...)...)
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
func (b bench) unleash(ctx context.Context, dir string, args ...string) (beside.Cost, found, error) {
	out := filepath.Join(b.work, "gremlins.json")
	if err := os.RemoveAll(out); err != nil {
		return beside.Cost{}, found{}, err
	}
	argv := append([]string{b.gremlins, "unleash", ".", "--workers", "2", "--timeout-coefficient", fmt.Sprint(b.coefficient), "--output", out}, args...)
	c, err := beside.Measure(ctx, dir, nil, argv...)
	if err != nil || slices.Contains(args, "--dry-run") {
		return c, found{}, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return c, found{}, fmt.Errorf("%s exited with %d and left no report: %w\n%s", strings.Join(argv, " "), c.Code, err, c.Output)
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
