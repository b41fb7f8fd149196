// Command accuracy runs `assay prove` on every commit of a corpus file and
// compares each hunk with the ground truth that brute force found.
//
//	go run ./bench/accuracy -corpus go.jsonl -repos DIR [-assay BIN] [-python PY] [-only REGEXP] [-out DIR]
//
// Each line of the corpus is one commit; DIR holds clones named for the last
// part of the repository's name. It prints, per language: false PROVEN, false
// NOT_PROVEN, false nothing-to-prove, hunks missing from a report,
// INCONCLUSIVE by reason, agreement, and every disagreement. It exits with 1
// when a false verdict or a missing hunk was found.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"time"

	"assay/prove"
)

// options are the flags.
type options struct {
	corpus, repos, assay, python, only, out, budget string
	extra                                           []string
}

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", "", "corpus file (.jsonl)")
	flag.StringVar(&o.repos, "repos", "", "directory of clones, named for the last part of the repository's name")
	flag.StringVar(&o.assay, "assay", "assay", "the assay binary")
	flag.StringVar(&o.python, "python", "", "interpreter handed on as --python")
	flag.StringVar(&o.only, "only", "", "regular expression over \"repo commit\"")
	flag.StringVar(&o.out, "out", "", "keep the reports in this directory")
	flag.StringVar(&o.budget, "budget", "30m", "budget of one commit")
	flag.Parse()
	o.extra = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	clean, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(70)
	}
	if !clean {
		os.Exit(1)
	}
}

// run proves every commit of the corpus and reports whether no verdict was
// false and no hunk missing.
func run(ctx context.Context, o options) (clean bool, err error) {
	commits, err := readCorpus(o.corpus)
	if err != nil {
		return false, err
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return false, fmt.Errorf("-only: %w", err)
	}
	if o.out != "" {
		if err := os.MkdirAll(o.out, 0o755); err != nil {
			return false, fmt.Errorf("keeping the reports: %w", err)
		}
	}
	tallies := map[string]*tally{}
	for _, c := range commits {
		if !only.MatchString(c.Repo + " " + c.Commit) {
			continue
		}
		t := tallies[c.Lang]
		if t == nil {
			t = newTally(c.Lang)
			tallies[c.Lang] = t
		}
		began := time.Now()
		report, err := proveCommit(ctx, o, c)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			fmt.Printf("%s %.10s: NO REPORT: %v\n", c.Repo, c.Commit, err)
			t.noReport++
			continue
		}
		fmt.Printf("%s %.10s %s: %s  (%.0f s)\n", c.Repo, c.Commit, c.Kind, counts(report), time.Since(began).Seconds())
		t.compare(c, report)
	}
	clean = true
	for _, lang := range []string{"go", "python"} {
		if t := tallies[lang]; t != nil {
			t.print()
			clean = clean && t.clean()
		}
	}
	return clean, nil
}

func counts(r *prove.Report) string {
	c := r.Counts
	return fmt.Sprintf("%d PROVEN · %d NOT_PROVEN · %d INCONCLUSIVE · %d nothing to prove · %d baseline red",
		c.Proven, c.NotProven, c.Inconclusive, c.NothingToProve, c.BaselineRed)
}

// proveCommit runs the binary as a user would and reads its report.
func proveCommit(ctx context.Context, o options, c commit) (*prove.Report, error) {
	dir := filepath.Join(o.repos, path.Base(c.Repo))
	file, err := os.CreateTemp("", "assay-accuracy-*.json")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	if err := file.Close(); err != nil {
		return nil, err
	}
	args := []string{"prove", c.Parent + ".." + c.Commit, "--format", "json", "--out", file.Name(), "--budget", o.budget}
	if c.Lang == "python" && o.python != "" {
		args = append(args, "--python", o.python)
	}
	cmd := exec.CommandContext(ctx, o.assay, append(args, o.extra...)...)
	cmd.Dir = dir
	printed, runErr := cmd.CombinedOutput()
	data, err := os.ReadFile(file.Name())
	if err != nil {
		return nil, err
	}
	var r prove.Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%w: %s", errors.Join(err, runErr), tail(printed))
	}
	if o.out != "" {
		name := fmt.Sprintf("%s-%.10s.json", path.Base(c.Repo), c.Commit)
		err = os.WriteFile(filepath.Join(o.out, name), data, 0o644)
	}
	return &r, err
}

func tail(b []byte) string { return string(b[max(0, len(b)-600):]) }
