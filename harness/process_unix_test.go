//go:build unix

package harness_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/harness"
	"assay/harness/harnesstest"
)

// family is a shell that ignores SIGTERM and has two children that do as well;
// it prints the three pids on one line once all run.
const family = `trap "" TERM
sh -c 'trap "" TERM; while :; do sleep 1000; done' & a=$!
sh -c 'trap "" TERM; while :; do sleep 1000; done' & b=$!
echo $$ $a $b
`

// start runs a shell script in the background; pids receives the numbers of
// its first line of output, and end how it ended.
func start(ctx context.Context, t *testing.T, limit time.Duration, script string) (pids []int, end func() (harness.Exited, error)) {
	t.Helper()
	r, w := io.Pipe()
	type result struct {
		harness.Exited
		err error
	}
	done := make(chan result, 1)
	go func() {
		e, err := harness.Start(ctx, harness.Process{Argv: []string{"sh", "-c", script}, Env: os.Environ(), Limit: limit, Stdout: w})
		_ = w.Close()
		done <- result{e, err}
	}()
	lines := bufio.NewReader(r)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("the script printed no pids: %v", err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	for _, f := range strings.Fields(line) {
		pid, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids, func() (harness.Exited, error) { r := <-done; return r.Exited, r.err }
}

func TestAnEndedContextKillsTheWholeGroup(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pids, end := start(ctx, t, 0, family+"wait")
	cancel()
	if _, err := end(); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	for _, pid := range pids {
		harnesstest.RequireGone(t, pid)
	}
}

func TestALimitKillsTheWholeGroup(t *testing.T) {
	pids, end := start(t.Context(), t, 3*time.Second, family+"wait")
	e, err := end()
	if err != nil || !e.TimedOut || e.Signal != "killed" || e.Code != -1 {
		t.Errorf("got %+v, %v; want a timed out, killed process", e, err)
	}
	for _, pid := range pids {
		harnesstest.RequireGone(t, pid)
	}
}

func TestWhatTheLeaderLeavesBehindIsKilledAtOnce(t *testing.T) {
	pids, end := start(t.Context(), t, 0, family+"exit 3")
	e, err := end()
	if err != nil || e.Code != 3 || e.TimedOut || e.Signal != "" {
		t.Errorf("got %+v, %v; want exit code 3 alone", e, err)
	}
	for _, pid := range pids {
		harnesstest.RequireGone(t, pid)
	}
}

func TestMergedKeepsTheOrderOfBothStreams(t *testing.T) {
	var merged strings.Builder
	e, err := harness.Start(t.Context(), harness.Process{
		Argv: []string{"sh", "-c", "echo 1; echo 2 >&2; echo 3; echo 4 >&2"}, Env: os.Environ(), Merged: &merged})
	if err != nil {
		t.Fatal(err)
	}
	if want := "1\n2\n3\n4\n"; merged.String() != want || e.Tail != want {
		t.Errorf("merged %q, tail %q; want %q in both", merged.String(), e.Tail, want)
	}
}

func TestStdoutIsKeptApartFromTheTail(t *testing.T) {
	var out strings.Builder
	e, err := harness.Start(t.Context(), harness.Process{
		Argv: []string{"sh", "-c", "echo out; echo err >&2"}, Env: os.Environ(), Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != "out\n" || e.Tail != "err\n" {
		t.Errorf("stdout %q, tail %q", out.String(), e.Tail)
	}
}

func TestTheTailIsTheEndOfALongOutput(t *testing.T) {
	e, err := harness.Start(t.Context(), harness.Process{
		Argv: []string{"sh", "-c", "i=0; while [ $i -lt 40000 ]; do echo line $i; i=$((i+1)); done"}, Env: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Tail) != harness.TailSize || !strings.HasSuffix(e.Tail, "line 39999\n") {
		t.Errorf("tail of %d bytes ends in %q", len(e.Tail), e.Tail[max(0, len(e.Tail)-20):])
	}
}

func TestAWriterThatFailsIsReportedAndDoesNotBlockTheProcess(t *testing.T) {
	full := errors.New("disk full")
	e, err := harness.Start(t.Context(), harness.Process{
		Argv: []string{"sh", "-c", "head -c 1000000 /dev/zero; exit 4"}, Env: os.Environ(), Stdout: failing{full}})
	if !errors.Is(err, full) || e.Code != 4 {
		t.Errorf("got %+v, %v", e, err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestASignalIsNamed(t *testing.T) {
	e, err := harness.Start(t.Context(), harness.Process{Argv: []string{"sh", "-c", "kill -SEGV $$"}, Env: os.Environ()})
	if err != nil || e.Signal != "segmentation fault" || e.Code != -1 {
		t.Errorf("got %+v, %v", e, err)
	}
}

func TestACommandThatCannotStartIsAnError(t *testing.T) {
	if _, err := harness.Start(t.Context(), harness.Process{Argv: []string{"/no/such/program"}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := harness.Start(t.Context(), harness.Process{}); err == nil {
		t.Error("an empty command started")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := harness.Start(ctx, harness.Process{Argv: []string{"true"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v for an ended context", err)
	}
}

func TestNoDescriptorIsLeaked(t *testing.T) {
	run := func() {
		for _, script := range []string{"echo a; exit 1", "kill -9 $$", "sleep 1000"} {
			if _, err := harness.Start(t.Context(), harness.Process{
				Argv: []string{"sh", "-c", script}, Env: os.Environ(), Limit: 100 * time.Millisecond, Stdout: io.Discard}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := harness.Start(t.Context(), harness.Process{Argv: []string{"/no/such/program"}}); err == nil {
			t.Fatal("started")
		}
	}
	run() // the runtime opens a few of its own at first use
	before := descriptors(t)
	for range 5 {
		run()
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors open before, %d after", before, after)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(fmt.Errorf("count open descriptors: %w", err))
	}
	return len(entries)
}

func TestSetenvReplacesAndUnsets(t *testing.T) {
	env := []string{"A=1", "B=2", "A=3", "AB=4"}
	got := harness.Setenv(env, "A=5", "B")
	if want := "AB=4 A=5"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if harness.Getenv(env, "A") != "3" || harness.Getenv(got, "B") != "" {
		t.Error("Getenv does not see the last value")
	}
}
