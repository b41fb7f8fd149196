//go:build unix

package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/harness"
	"assay/prove"
)

func BenchmarkGo(b *testing.B) {
	log := filepath.Join(b.TempDir(), "starts")
	compare(b, goSubject(log), log)
}

// BenchmarkPython uses ASSAY_TEST_PYTHON, else python3; either needs pytest.
func BenchmarkPython(b *testing.B) {
	path := testPython(b)
	log := filepath.Join(b.TempDir(), "starts")
	compare(b, pythonSubject(path, log), log)
}

// compare measures both sides in turns, so that a busy moment of the machine
// falls on both.
func compare(b *testing.B, s subject, log string) {
	assay := build(b)
	count := newCounter(b, s.runner, log)
	dir := s.repository(b, count.env)
	var naive, proved []time.Duration
	var naiveStarts, provedStarts map[string]int
	for b.Loop() {
		began := time.Now()
		want := s.naive(b, dir, count.env)
		naive, naiveStarts = append(naive, time.Since(began)), count.take(b)
		began = time.Now()
		got := s.prove(b, assay, dir, count.env)
		proved, provedStarts = append(proved, time.Since(began)), count.take(b)
		agree(b, want, got)
	}
	b.ReportMetric(median(naive).Seconds(), "naive-s")
	b.ReportMetric(median(proved).Seconds(), "assay-s")
	b.ReportMetric(median(naive).Seconds()/median(proved).Seconds(), "naive/assay")
	for _, kind := range []string{"suite", "runner"} {
		if naiveStarts[kind] > 0 {
			b.ReportMetric(float64(naiveStarts[kind]), "naive-"+kind+"s")
			b.ReportMetric(float64(provedStarts[kind]), "assay-"+kind+"s")
		}
	}
	b.ReportMetric(0, "ns/op") // both sides together say nothing
}

func median(times []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(times))[len(times)/2]
}

func build(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "assay")
	if out, err := exec.Command("go", "build", "-o", path, "assay/cmd/assay").CombinedOutput(); err != nil {
		b.Fatalf("building assay: %v\n%s", err, out)
	}
	return path
}

// naive un-does one hunk at a time and runs everything: true is red.
func (s subject) naive(b *testing.B, dir string, env []string) []bool {
	b.Helper()
	head := s.text(func(int) bool { return true })
	runner, err := harness.LookPath(env, filepath.Base(s.runner))
	if filepath.IsAbs(s.runner) {
		runner, err = s.runner, nil
	}
	if err != nil {
		b.Fatal(err)
	}
	red := make([]bool, hunks)
	for i := range hunks {
		write(b, filepath.Join(dir, s.file), s.text(func(j int) bool { return j != i }))
		cmd := exec.Command(runner, s.args...)
		cmd.Dir = dir
		// pytest trusts a .pyc of the same second and size.
		cmd.Env = append(slices.Clone(env), "PYTHONDONTWRITEBYTECODE=1")
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			b.Fatalf("%s %v: %v\n%s", s.runner, s.args, err, out)
		}
		red[i] = err != nil
	}
	write(b, filepath.Join(dir, s.file), head)
	return red
}

func (s subject) prove(b *testing.B, assay, dir string, env []string) prove.Report {
	b.Helper()
	cmd := exec.Command(assay, append([]string{"prove", "HEAD~1", "--format", "json"}, s.assay...)...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, &stderr
	out, err := cmd.Output()
	var report prove.Report
	if jsonErr := json.Unmarshal(out, &report); jsonErr != nil {
		b.Fatalf("assay prove: %v, %v\n%s", err, jsonErr, stderr.String())
	}
	return report
}

// agree holds that every hunk has the verdict that the naive loop calls for.
func agree(b *testing.B, red []bool, report prove.Report) {
	b.Helper()
	if len(report.Findings) != len(red) {
		b.Fatalf("%d findings for %d hunks", len(report.Findings), len(red))
	}
	for i, f := range report.Findings {
		want := prove.NotProven
		if red[i] {
			want = prove.Proven
		}
		if f.Verdict != want {
			b.Errorf("%s:%d is %s (%s: %s), the naive loop says %s", f.File, f.New.Start, f.Verdict, f.Reason, f.Detail, want)
		}
	}
}

// A counter reads from a log how often the suite and the runner started.
type counter struct {
	log string
	env []string
}

// newCounter puts a wrapper that writes the log before the runner on PATH. A
// runner given by its path is not counted: Python finds its way around any
// wrapper, by sys.executable.
func newCounter(b *testing.B, runner, log string) *counter {
	b.Helper()
	env := harness.Setenv(os.Environ(), "XDG_CACHE_HOME="+b.TempDir(), "GOCACHE="+goCache(b))
	if filepath.IsAbs(runner) {
		return &counter{log, env}
	}
	program, err := exec.LookPath(runner)
	if err != nil {
		b.Fatal(err)
	}
	wrapper := filepath.Join(b.TempDir(), runner)
	write(b, wrapper, fmt.Sprintf("#!/bin/sh\necho runner >> '%s'\nexec '%s' \"$@\"\n", log, program))
	if err := os.Chmod(wrapper, 0o755); err != nil {
		b.Fatal(err)
	}
	return &counter{log, harness.Setenv(env, "PATH="+filepath.Dir(wrapper)+string(os.PathListSeparator)+harness.Getenv(env, "PATH"))}
}

// goCache keeps Go's build cache where it is though XDG_CACHE_HOME moves.
func goCache(b *testing.B) string {
	b.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// take returns the starts since the last call, by kind.
func (c *counter) take(b *testing.B) map[string]int {
	b.Helper()
	text, err := os.ReadFile(c.log)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.Remove(c.log); err != nil {
		b.Fatal(err)
	}
	starts := map[string]int{}
	for _, kind := range strings.Fields(string(text)) {
		starts[kind]++
	}
	return starts
}
