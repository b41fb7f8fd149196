package goprobe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"assay/harness"
	"assay/probe"
	"assay/probe/goprobe/agent"
)

// A ran is one process that came to its end.
type ran struct {
	end     harness.Exited
	output  string
	results map[string]result // by test
	seen    map[string]*probe.Facts
	trouble string
}

// A result is how one top-level test ended.
type result struct {
	status  harness.Status
	message string
}

// mostRetries bounds how often a build is tried again without the files that it
// complains of.
const mostRetries = 4

// build compiles the tests of a package with the overlay; the binary stands at
// the same place each time, so that nothing is linked twice. A file that does
// not compile when rewritten is left as it is.
func (w *work) build(ctx context.Context, p pkg) (binary string, err error) {
	name := strings.NewReplacer("/", "_").Replace(p.ImportPath) + ".test"
	binary = filepath.Join(w.root, name)
	skip := map[string]bool{}
	for range mostRetries {
		if w.overlay == "" || len(skip) > 0 {
			if err := w.makeOverlay(skip); err != nil {
				return "", err
			}
		}
		args := append([]string{"test", "-c", "-vet=off", "-overlay", w.overlay, "-o", binary}, w.place.Flags...)
		_, end, err := w.goTool(ctx, append(args, p.ImportPath)...)
		if err != nil {
			return "", err
		}
		if end.Code == 0 {
			return binary, nil
		}
		said, blamed := w.blamed(end.Tail)
		if len(blamed) == 0 {
			return "", &troubleError{"the tests of " + p.ImportPath + " do not build: " + firstError(said), said}
		}
		for _, f := range blamed {
			skip[f] = true
		}
	}
	return "", &troubleError{text: "the tests of " + p.ImportPath + " do not build with watched calls"}
}

var errorPlace = regexp.MustCompile(`(?m)^(\S+?\.go):\d+:\d+: `)

// blamed are the rewritten files that a compiler complains of, and what it says
// with the sources in their place.
func (w *work) blamed(output string) (said string, files []string) {
	for _, m := range errorPlace.FindAllStringSubmatch(output, -1) {
		copied := m[1]
		if !filepath.IsAbs(copied) {
			copied = filepath.Join(w.dir, copied)
		}
		for source, to := range w.replaced {
			if to == copied || source == copied {
				output = strings.ReplaceAll(output, m[1], relative(w.place.Dir, source))
				files = append(files, source)
			}
		}
	}
	return output, files
}

func firstError(output string) string {
	for line := range strings.Lines(output) {
		if errorPlace.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(output)
}

// run builds a package's tests and runs those that match.
func (w *work) run(ctx context.Context, p pkg, pattern string, c probe.Conditions) (ran, error) {
	binary, err := w.build(ctx, p)
	var trouble *troubleError
	if errors.As(err, &trouble) {
		return ran{trouble: trouble.text, output: trouble.output}, nil
	}
	if err != nil {
		return ran{}, err
	}
	if _, err := os.Stat(binary); errors.Is(err, fs.ErrNotExist) {
		return ran{trouble: p.ImportPath + " has no tests"}, nil
	}
	own, err := os.MkdirTemp(w.place.Scratch, "probe-")
	if err != nil {
		return ran{}, fmt.Errorf("make room for a probe: %w", err)
	}
	// What a test made unremovable stays below the scratch, which the caller
	// removes as a whole and reports.
	defer func() { _ = os.RemoveAll(own) }()
	job := filepath.Join(own, "job.json")
	records := filepath.Join(own, "records")
	if err := writeJob(job, records, c); err != nil {
		return ran{}, err
	}
	return w.start(ctx, p, binary, pattern, job, records, own, c)
}

func writeJob(path, records string, c probe.Conditions) error {
	j := agent.Job{Records: records, ArmedDelay: c.ArmedDelay, Delay: c.Delay}
	if c.Stretch {
		j.Stretch = probe.StretchBy
	}
	for _, p := range c.Plants {
		j.Plants = append(j.Plants, agent.Plant{Name: p.Name, Delay: p.Delay})
	}
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func (w *work) start(ctx context.Context, p pkg, binary, pattern, job, records, tmp string, c probe.Conditions) (ran, error) {
	var out bytes.Buffer
	env := harness.Setenv(w.place.Env, agent.Variable+"="+job, "TMPDIR="+tmp, "PWD="+p.Dir)
	end, err := harness.Start(ctx, harness.Process{
		Argv: []string{binary, "-test.run", pattern, "-test.v", "-test.count=1", "-test.parallel=1", "-test.timeout=0"},
		Dir:  p.Dir, Env: env, Merged: &out, Limit: c.Limit})
	if err != nil {
		return ran{}, fmt.Errorf("run the tests of %s: %w", p.ImportPath, err)
	}
	r := ran{end: end, output: out.String(), results: resultsOf(out.String())}
	if end.TimedOut {
		r.trouble = fmt.Sprintf("still running when the limit of %s passed", c.Limit)
	}
	f, err := os.Open(records)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil // nothing was armed, and nothing late
	}
	if err != nil {
		return ran{}, err
	}
	defer func() { _ = f.Close() }() // only read
	r.seen, err = readRecords(bufio.NewReader(f), w.place.Dir)
	return r, err
}

var (
	resultLine = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\S+) \(`)
	logLine    = regexp.MustCompile(`(?m)^ +\S+_test\.go:\d+: .*$`)
)

// resultsOf reads how each top-level test ended from what -test.v prints.
func resultsOf(output string) map[string]result {
	all := map[string]result{}
	status := map[string]harness.Status{"PASS": harness.Passed, "FAIL": harness.Failed, "SKIP": harness.Skipped}
	for _, m := range resultLine.FindAllStringSubmatch(output, -1) {
		all[m[2]] = result{status: status[m[1]], message: strings.TrimSpace(logLine.FindString(output))}
	}
	return all
}

// facts puts what was seen of a test and how it ended together.
func (r ran) facts(test string) probe.Facts {
	var f probe.Facts
	if s := r.seen[test]; s != nil {
		f = *s
	}
	f.Code, f.Seconds, f.TimedOut, f.Trouble = r.end.Code, r.end.Duration.Seconds(), r.end.TimedOut, r.trouble
	_, ended := r.results[test]
	f.Status, f.Collected = harness.Unreported, ended || r.seen[test] != nil || r.end.Code != 0
	if one, ok := r.results[test]; ok {
		f.Status = one.status
		if one.status == harness.Failed {
			f.Message = one.message
		}
	} else if f.Trouble == "" {
		f.Trouble = fmt.Sprintf("the process ended with exit code %d and without a result for the test", r.end.Code)
	}
	return f
}
