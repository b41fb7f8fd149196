package harness

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// TailSize is how much of a process's output an Outcome keeps, in bytes.
const TailSize = 64 << 10

// drainGrace is how long output is still read once the group was killed: a
// process that left the group may hold the pipe open for ever.
const drainGrace = 3 * time.Second

// A Process is one command to run.
type Process struct {
	Argv  []string
	Dir   string
	Env   []string
	Limit time.Duration // 0: none but the context's
	// Stdout receives standard output as it comes; nil adds it to the tail.
	Stdout io.Writer
	// Merged receives standard output and standard error as they come, in the
	// order they were written; the tail keeps them too. Stdout is then unused.
	Merged io.Writer
	Stdin  io.Reader
	// Memory is the ceiling, in bytes, of the resident memory of the whole
	// group; the group is killed when it is found above. It is looked at every
	// memoryPeriod, on Linux only; 0 means no ceiling.
	Memory int64
}

// Exited is how a process ended.
type Exited struct {
	Code       int    // -1 when a signal ended it
	Signal     string // "" unless a signal ended it
	TimedOut   bool   // Limit passed
	OverMemory bool   // Process.Memory was exceeded
	Peak       int64  // most resident memory seen of the group, in bytes; 0 without Process.Memory
	Duration   time.Duration
	Tail       string // the last TailSize bytes of standard error (and output, see Process)
}

// Start runs p to its end in a process group of its own and kills the whole
// group when p.Limit passes, when p.Memory is exceeded, when ctx ends, and
// once the leader is gone, so that nothing it started outlives it. A process
// that left the group by itself (setsid) is not followed; it is ended with the
// trees, by its TMPDIR (see worktree's Pool.Close).
//
// It returns an error only when the command could not be started, when its
// output could not be written, or when ctx ended (then ctx's error).
func Start(ctx context.Context, p Process) (Exited, error) {
	if err := ctx.Err(); err != nil {
		return Exited{}, err
	}
	if len(p.Argv) == 0 {
		return Exited{}, errors.New("start a process: no command was given")
	}
	run, stop := limited(ctx, p.Limit)
	defer stop()
	cmd := exec.CommandContext(run, p.Argv[0], p.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.Dir, p.Env, p.Stdin
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = drainGrace // for Stdin only: output has pipes of our own
	tail := &Tail{}
	out, err := connect(cmd, p, tail)
	if err != nil {
		return Exited{}, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		out.abandon()
		return Exited{}, err
	}
	out.begin()
	memory := watchMemory(cmd.Process, p.Memory)
	waitErr := cmd.Wait()
	late := errors.Is(run.Err(), context.DeadlineExceeded) // asked before the output is drained
	_ = killGroup(cmd.Process)                             // what the leader left behind; an empty group is no error to us
	outErr := out.finish()
	end := Exited{Code: cmd.ProcessState.ExitCode(), Signal: signalOf(cmd.ProcessState), Duration: time.Since(began), Tail: tail.String()}
	end.Peak, end.OverMemory = memory.stop()
	if ctx.Err() != nil {
		return end, ctx.Err()
	}
	end.TimedOut = late && waitErr != nil
	return end, errors.Join(startFailure(waitErr, end), outErr)
}

// limited returns ctx with a deadline when there is a limit.
func limited(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}

// startFailure returns what of a Wait error is not just how the process ended.
func startFailure(err error, end Exited) error {
	var exit *exec.ExitError
	if err == nil || end.TimedOut || errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

// Getenv returns the value of key in env, the last one winning, or "".
func Getenv(env []string, key string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			return v
		}
	}
	return ""
}

// Setenv returns env with each of the KEY=value pairs set, replacing earlier
// values; a pair without "=" unsets its key. env itself is not changed.
func Setenv(env []string, pairs ...string) []string {
	out := slices.Clone(env)
	for _, pair := range pairs {
		key, _, set := strings.Cut(pair, "=")
		out = slices.DeleteFunc(out, func(kv string) bool { return strings.HasPrefix(kv, key+"=") })
		if set {
			out = append(out, pair)
		}
	}
	return out
}

// LookPath finds an executable on the PATH of env, not of this process.
func LookPath(env []string, name string) (string, error) {
	for _, dir := range strings.Split(Getenv(env, "PATH"), string(os.PathListSeparator)) {
		if dir == "" {
			continue
		}
		path, err := exec.LookPath(dir + string(os.PathSeparator) + name)
		if err == nil {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}
