package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/bench/beside"
	"assay/prove"
)

// environ lets no tool write bytecode: a stale one would hide a mutant.
func environ() []string { return []string{"PYTHONDONTWRITEBYTECODE=1"} }

// assayMutate runs assay mutate with one job.
func (b bench) assayMutate(ctx context.Context, dir string, args ...string) (beside.Cost, *prove.MutationReport, error) {
	args = append([]string{"--python", b.python, "--jobs", "1", "--seed", fmt.Sprint(b.seed)}, args...)
	return beside.Assay{Binary: b.assay, Work: b.work}.Mutate(ctx, dir, environ(), args...)
}

// assayFigure measures assay on the project's files.
func (b bench) assayFigure(ctx context.Context, p project, dir string) (figure, error) {
	c, r, err := b.assayMutate(ctx, dir, p.source, "--files", strings.Join(p.files, ","))
	if err != nil {
		return figure{}, err
	}
	return figure{mutants: beside.Ran(r), wall: c.Wall, cpu: c.CPU, told: fmt.Sprintf("%+v", r.Counts)}, nil
}

// mutmut measures mutmut on the same files in a copy, which it litters.
func (b bench) mutmut(ctx context.Context, p project, dir string) (figure, error) {
	at, err := b.copyOf(ctx, p, dir, "mutmut")
	if err != nil {
		return figure{}, err
	}
	for _, name := range []string{"pyproject.toml", "setup.cfg"} { // mutmut reads its settings there
		if err := os.Remove(filepath.Join(at, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return figure{}, err
		}
	}
	var sources []string
	for _, name := range p.packages {
		sources = append(sources, filepath.Join(p.source, name))
	}
	settings := fmt.Sprintf("[mutmut]\nsource_paths=\n    %s\nonly_mutate=\n    %s\npytest_add_cli_args_test_selection=\n    %s\n",
		strings.Join(sources, "\n    "), strings.Join(p.files, "\n    "), p.tests)
	if err := os.WriteFile(filepath.Join(at, "setup.cfg"), []byte(settings), 0o644); err != nil {
		return figure{}, err
	}
	c, err := beside.Measure(ctx, at, environ(), b.python, "-m", "mutmut", "run", "--max-children", "1")
	if err != nil {
		return figure{}, err
	}
	stats, err := beside.Must(ctx, at, b.python, "-m", "mutmut", "export-cicd-stats")
	if err != nil {
		return figure{}, fmt.Errorf("mutmut exited with %d: %w\n%s", c.Code, err, c.Output)
	}
	text, err := os.ReadFile(filepath.Join(at, "mutants", "mutmut-cicd-stats.json"))
	if err != nil {
		return figure{}, fmt.Errorf("%w\n%s", err, stats.Output)
	}
	var n struct{ Killed, Survived, Total, Timeout, Suspicious, Segfault int }
	if err := json.Unmarshal(text, &n); err != nil {
		return figure{}, err
	}
	ran := n.Killed + n.Survived + n.Timeout + n.Suspicious + n.Segfault
	if ran == 0 {
		return figure{}, fmt.Errorf("mutmut ran no mutant:\n%s", c.Output)
	}
	return figure{mutants: ran, wall: c.Wall, cpu: c.CPU, told: fmt.Sprintf("%+v", n)}, nil
}

// sample keeps a random sample of a cosmic-ray session and prints how many
// mutants there were.
const sample = `
import random, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
ids = sorted(i for i, in db.execute("select job_id from work_items"))
kept = set(random.Random(int(sys.argv[3])).sample(ids, min(int(sys.argv[2]), len(ids))))
for i in ids:
    if i not in kept:
        db.execute("delete from mutation_specs where job_id = ?", (i,))
        db.execute("delete from work_items where job_id = ?", (i,))
db.commit()
print(len(kept))
`

// cosmicRay measures cosmic-ray on a sample of its mutants of the same files.
func (b bench) cosmicRay(ctx context.Context, p project, dir string) (total figure, err error) {
	at, err := b.copyOf(ctx, p, dir, "cosmic-ray")
	if err != nil {
		return total, err
	}
	settings, session := filepath.Join(at, "cosmic.toml"), filepath.Join(at, "session.sqlite")
	text := fmt.Sprintf("[cosmic-ray]\nmodule-path = %s\ntimeout = 300.0\nexcluded-modules = []\ntest-command = %q\n\n[cosmic-ray.distributor]\nname = \"local\"\n",
		list(p.files), fmt.Sprintf("env PYTHONPATH=%s %s -m pytest -x -q -p no:cacheprovider %s", filepath.Join(at, p.source), b.python, p.tests))
	if err := os.WriteFile(settings, []byte(text), 0o644); err != nil {
		return total, err
	}
	if _, err := beside.Must(ctx, at, b.python, "-m", "cosmic_ray.cli", "init", settings, session); err != nil {
		return total, err
	}
	taken, err := beside.Must(ctx, at, b.python, "-c", sample, session, fmt.Sprint(b.cosmic), fmt.Sprint(b.seed))
	if err != nil {
		return total, err
	}
	c, err := beside.Measure(ctx, at, environ(), b.python, "-m", "cosmic_ray.cli", "exec", settings, session)
	if err != nil {
		return total, err
	}
	if c.Code != 0 {
		return total, fmt.Errorf("cosmic-ray exec exited with %d:\n%s", c.Code, c.Output)
	}
	done, err := beside.Must(ctx, at, b.python, "-c", counted, session)
	if err != nil {
		return total, err
	}
	var n int
	if _, err := fmt.Sscan(done.Output, &n); err != nil || n == 0 {
		return total, fmt.Errorf("cosmic-ray ran %q of %s mutants: %w", done.Output, strings.TrimSpace(taken.Output), err)
	}
	return figure{mutants: n, wall: c.Wall, cpu: c.CPU, told: strings.TrimSpace(strings.ReplaceAll(done.Output, "\n", " "))}, nil
}

// counted prints how many mutants of a cosmic-ray session were run, and how
// they ended.
const counted = `
import collections, sqlite3, sys
ends = [str(e) for e, in sqlite3.connect(sys.argv[1]).execute("select test_outcome from work_results where worker_outcome = 'NORMAL'")]
print(len(ends))
print(dict(collections.Counter(ends)))
`

// list is names as a TOML list.
func list(names []string) string {
	var quoted []string
	for _, n := range names {
		quoted = append(quoted, fmt.Sprintf("%q", n))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// copyOf is a copy of the project for one tool.
func (b bench) copyOf(ctx context.Context, p project, dir, tool string) (string, error) {
	at := filepath.Join(b.work, tool+"-"+p.name)
	if err := os.RemoveAll(at); err != nil {
		return "", err
	}
	_, err := beside.Must(ctx, b.work, "git", "clone", "--quiet", dir, at)
	return at, err
}
