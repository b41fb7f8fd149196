package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"assay/harness"
)

// fixedEnv returns what a command gets beside the caller's environment. CI keeps
// runners from waiting for keys, watching files, and from writing a missing
// snapshot, which would turn a red test green.
func fixedEnv() []string { return []string{"CI=true"} }

// An attempt is the raw facts of one run of the command.
type attempt struct {
	end       harness.Exited
	limit     time.Duration
	absent    error      // the program is no longer there or may not be run
	cases     []testcase // from reports that this run wrote, in document order
	reportErr error      // a report of this run cannot be read
	removed   []string   // reports that were in the tree before
}

// attempt runs the command in dir once. It fails when the session is closed,
// when ctx ends, or when the tree or scratch cannot be used.
func (s *session) attempt(ctx context.Context, dir, scratch string, limit time.Duration) (a attempt, err error) {
	select {
	case <-s.closed:
		return attempt{}, errClosed
	default:
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go s.endWith(ctx, cancel)

	reports, err := openReports(dir, s.config.JUnit)
	if err != nil {
		return attempt{}, err
	}
	defer func() { err = errors.Join(err, reports.close()) }()
	a.limit = limit
	if a.removed, err = reports.clear(); err != nil {
		return attempt{}, err
	}
	began, temp, err := prepare(scratch)
	if err != nil {
		return attempt{}, err
	}
	env := harness.Setenv(s.opts.Env, append([]string{"TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp, "PWD=" + dir}, fixedEnv()...)...)
	a.end, err = harness.Start(ctx, harness.Process{Argv: s.argv, Dir: dir, Env: env, Limit: limit, Memory: s.opts.Memory})
	switch {
	case ctx.Err() != nil:
		return attempt{}, context.Cause(ctx)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, exec.ErrNotFound):
		a.absent = err
		return a, nil
	case err != nil:
		return attempt{}, fmt.Errorf("running the test command %q: %w", s.config.Name(), err)
	}
	a.cases, a.reportErr = reports.read(began)
	return a, nil
}

// prepare makes the TMPDIR of a run and a mark of when it began. The mark is
// the time of a file, not of a clock: file systems stamp with a coarser clock
// than time.Now, and would make a new report look older than its run.
func prepare(scratch string) (began time.Time, temp string, err error) {
	temp = filepath.Join(scratch, "tmp")
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return time.Time{}, "", fmt.Errorf("making TMPDIR for the test command: %w", err)
	}
	mark := filepath.Join(scratch, "began")
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		return time.Time{}, "", fmt.Errorf("marking the start of the test command: %w", err)
	}
	info, err := os.Stat(mark)
	if err != nil {
		return time.Time{}, "", fmt.Errorf("marking the start of the test command: %w", err)
	}
	return info.ModTime(), temp, nil
}

func removeScratch(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("removing the scratch directory of the test command: %w", err)
	}
	return nil
}

// signal names the signal that ended the command. A shell hides the death of
// its child behind the exit code 128 + n.
func (a attempt) signal() string {
	const shellBase, lastSignal = 128, 31
	if a.end.Signal == "" && a.end.Code > shellBase && a.end.Code <= shellBase+lastSignal {
		return syscall.Signal(a.end.Code - shellBase).String()
	}
	return a.end.Signal
}

// ended says in words how the command ended.
func (a attempt) ended() string {
	switch {
	case a.absent != nil:
		return "it could not be started: " + a.absent.Error()
	case a.end.TimedOut:
		return "it did not end within " + a.limit.String()
	case a.end.OverMemory:
		return "it used more memory than it may"
	case a.signal() != "":
		return "it was ended by " + a.signal()
	}
	return "it exited " + strconv.Itoa(a.end.Code)
}

// A fault is why an attempt says nothing about its tests. The zero value is no
// fault.
type fault struct {
	phase   harness.Phase
	trouble string
	missing string
}

// fault looks for what makes a run worthless before any test is judged. Lines
// in known were printed at head as well and accuse no edit.
func (a attempt) fault(known map[string]bool) fault {
	switch {
	case a.absent != nil:
		return fault{harness.PhaseBuild, a.ended(), ""}
	case a.end.TimedOut, a.end.OverMemory, a.signal() != "":
		return fault{harness.PhaseRun, a.ended(), ""}
	case a.reportErr != nil:
		return fault{harness.PhaseRun, a.reportErr.Error(), ""}
	case a.end.Code == 0 || len(a.cases) > 0:
		return fault{}
	}
	return broken(a.end.Code, a.end.Tail, known)
}
