//go:build unix

package bench

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"assay/harness"
	"assay/mutate"
	"assay/mutate/gosrc"
	"assay/mutate/mutatetest"
	"assay/mutate/pysrc"
)

// A planner is what reads the source of one language and climbs its ladder.
type planner struct {
	source mutate.Source
	ladder mutate.Ladder
}

// BenchmarkPlanGo plans a change of about forty hunks to a Go module of 50,000
// lines; nothing is run.
func BenchmarkPlanGo(b *testing.B) {
	env := harness.Setenv(os.Environ(), "GOWORK=off", "GOCACHE="+goCache(b))
	planning(b, goModule(b), func(checkout) planner { return planner{gosrc.Source{}, gosrc.NewLadder(env, nil)} })
}

// BenchmarkPlanPython does the same for a Python project of as many lines.
func BenchmarkPlanPython(b *testing.B) {
	python := testPython(b)
	planning(b, pythonModule(b), func(at checkout) planner {
		read := func(p string) ([]byte, error) { return os.ReadFile(filepath.Join(at.dir, filepath.FromSlash(p))) }
		s := pysrc.New(python, read, func() ([]string, error) { return at.paths, nil })
		return planner{s, s}
	})
}

// planning measures what a hunk costs to plan once the project is read. A
// change of one line in each of the files is the load; what the hunks of mixed
// shapes take on top of it is theirs.
func planning(b *testing.B, m module, open func(checkout) planner) {
	if n := m.lines(); n < 50_000 {
		b.Fatalf("the module has %d lines, want 50,000", n)
	}
	single, many := m.touched().checkout(b), m.both().checkout(b)
	more := float64(len(many.change.Hunks()) - len(single.change.Hunks()))
	var load, all [2][]time.Duration // wall clock, CPU
	for b.Loop() {
		for i, took := range single.plan(b, open(single)) {
			load[i] = append(load[i], took)
		}
		for i, took := range many.plan(b, open(many)) {
			all[i] = append(all[i], took)
		}
	}
	for i, kind := range []string{"", "cpu-"} {
		b.ReportMetric(median(load[i]).Seconds(), kind+"load-s")
		b.ReportMetric((median(all[i])-median(load[i])).Seconds()/more*10, kind+"s/10hunks")
	}
	b.ReportMetric(more, "hunks")
	b.ReportMetric(0, "ns/op") // both together say nothing
}

// plan studies and plans the change, holds that every unit has a plan, and
// returns the time on the clock and on the processors.
func (at checkout) plan(b *testing.B, p planner) [2]time.Duration {
	b.Helper()
	c := at.change
	for _, f := range c.Files {
		f.Kind, _, _ = p.source.Kind(f)
	}
	began, used := time.Now(), cpu(b)
	notes, err := p.source.Study(context.Background(), c, c.Files)
	if err != nil {
		b.Fatal(err)
	}
	plans, err := p.ladder.Plans(context.Background(), at.dir, c, notes)
	if err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	if c, ok := p.source.(io.Closer); ok {
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
	for u, n := range notes {
		plan := plans[u]
		if n.Nothing == "" && (plan == nil || plan.Rung == mutate.RungNone && plan.Nothing == "") {
			b.Errorf("want a plan: %s", mutatetest.Planned(u, plan))
		}
	}
	return [2]time.Duration{took, cpu(b) - used}
}

// cpu is what this process and those it waited for have used so far.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return total
}

// testPython is ASSAY_TEST_PYTHON, else python3.
func testPython(b *testing.B) string {
	b.Helper()
	python := os.Getenv("ASSAY_TEST_PYTHON")
	if python == "" {
		python = "python3"
	}
	path, err := exec.LookPath(python)
	if err != nil {
		b.Fatalf("looked for %s to run pytest: %v; set ASSAY_TEST_PYTHON", python, err)
	}
	return path
}
