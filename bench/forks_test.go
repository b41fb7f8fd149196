//go:build unix

package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/change"
	"assay/harness"
	"assay/harness/pytest"
)

// forks is how many trials a warm process makes.
const forks = 20

// BenchmarkFork measures the CPU time of a trial of one test: a fresh pytest
// process with the edit on disk, and a fork of a warm one. What the warm one
// costs before its first fork is reported by itself: it is paid once a tree.
// Without ASSAY_TEST_PYTHON it uses python3, which needs pytest.
func BenchmarkFork(b *testing.B) {
	var fresh, fork, warm time.Duration
	for b.Loop() {
		s := openForks(b)
		began := childCPU()
		for i := range forks {
			s.fresh(i)
		}
		fresh += childCPU() - began
		one, many := s.forked(1), s.forked(forks)
		fork += (many - one) * forks / (forks - 1)
		warm += one
	}
	trials := float64(b.N * forks)
	b.ReportMetric(fresh.Seconds()*1e3/trials, "fresh-cpu-ms")
	b.ReportMetric(fork.Seconds()*1e3/trials, "fork-cpu-ms")
	b.ReportMetric(fresh.Seconds()/fork.Seconds(), "fresh/fork")
	b.ReportMetric(warm.Seconds()*1e3/float64(b.N), "warm-up-cpu-ms")
	b.ReportMetric(0, "ns/op")
}

// childCPU is the CPU time of all processes that ended and were waited for,
// those that they waited for included.
func childCPU() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		panic(err) // the arguments are constant
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// A forkBench is a project of many functions with a test for each.
type forkBench struct {
	b       *testing.B
	dir     string
	text    string
	python  string
	session harness.Session
}

func openForks(b *testing.B) *forkBench {
	b.Helper()
	s := &forkBench{b: b, dir: filepath.Join(b.TempDir(), "project"), python: testPython(b)}
	tests := strings.Builder{}
	tests.WriteString("import calc\n")
	for i := range forks {
		s.text += fmt.Sprintf("def f%d(x):\n    return x + %d\n\n\n", i, i)
		fmt.Fprintf(&tests, "\n\ndef test_f%d():\n    assert calc.f%d(1) == %d\n", i, i, i+1)
	}
	s.write("calc.py", s.text)
	s.write("test_calc.py", tests.String())
	s.session = s.open()
	b.Cleanup(func() { s.must(s.session.Close()) })
	return s
}

func (s *forkBench) open() harness.Session {
	s.b.Helper()
	session, err := pytest.New(pytest.Config{Python: s.python}).Open(s.b.Context(), s.dir, harness.Options{
		Origin: s.dir, Env: os.Environ(), Scratch: s.b.TempDir()})
	s.must(err)
	base, err := session.Baseline(s.b.Context(), s.dir, []harness.Target{{Path: "calc.py"}})
	s.must(err)
	if len(base.Green) != forks {
		s.b.Fatalf("%d green tests, want %d: %s", len(base.Green), forks, base.Trouble)
	}
	return session
}

func (s *forkBench) must(err error) {
	s.b.Helper()
	if err != nil {
		s.b.Fatal(err)
	}
}

func (s *forkBench) write(name, text string) {
	s.b.Helper()
	s.must(os.MkdirAll(s.dir, 0o755))
	s.must(os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644))
}

// job is the trial of one function, which its test must notice.
func (s *forkBench) job(i int) harness.Job {
	old := fmt.Sprintf("return x + %d\n", i)
	at := strings.Index(s.text, old)
	return harness.Job{Dir: s.dir, Scratch: s.b.TempDir(), Edits: []change.Edit{{Path: "calc.py", Start: at, End: at + len(old), Text: []byte("return x - 100\n")}},
		Selection: harness.Selection{Tests: []harness.TestID{harness.TestID(fmt.Sprintf("test_calc.py::test_f%d", i))}}}
}

func (s *forkBench) fresh(i int) {
	job := s.job(i)
	text, err := change.Apply([]byte(s.text), job.Edits)
	s.must(err)
	s.write("calc.py", string(text))
	o, err := s.session.Run(s.b.Context(), job)
	s.must(err)
	s.noticed(o)
	s.write("calc.py", s.text)
}

func (s *forkBench) noticed(o harness.Outcome) {
	s.b.Helper()
	if len(o.Red()) != 1 || !o.Complete {
		s.b.Fatalf("want one red test, got %+v\n%s", o.Tests, o.Output)
	}
}

// forked is the CPU time of a warm process that makes n trials, the runs at
// head that each needs before it included.
func (s *forkBench) forked(n int) time.Duration {
	session := s.open()
	warm := session.(harness.Preparer)
	began := childCPU()
	for i := range n {
		job := s.job(i)
		s.must(warm.Prepare(s.b.Context(), s.dir, [][]change.Edit{job.Edits}))
		o, done, err := warm.Try(s.b.Context(), job)
		s.must(err)
		if !done {
			s.b.Fatalf("trial %d was not made by fork: %q", i, session.(harness.Noter).Notes())
		}
		s.noticed(o)
	}
	s.must(session.Close())
	return childCPU() - began
}
