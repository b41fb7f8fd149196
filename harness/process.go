package harness

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// TailSize is how much of a process's output an Outcome keeps, in bytes.
const TailSize = 64 << 10

// killGrace is how long a process group may live on after it was told to end.
const killGrace = 3 * time.Second

// A Process is one command to run.
type Process struct {
	Argv  []string
	Dir   string
	Env   []string
	Limit time.Duration // 0: none but the context's
	// Stdout receives standard output as it comes; nil adds it to the tail.
	Stdout io.Writer
	Stdin  io.Reader
}

// Exited is how a process ended.
type Exited struct {
	Code     int    // -1 when a signal ended it
	Signal   string // "" unless a signal ended it
	TimedOut bool   // Limit passed
	Duration time.Duration
	Tail     string // the last TailSize bytes of standard error (and output, see Process.Stdout)
}

// Start runs p to its end in a process group of its own and kills the whole
// group when p.Limit passes, when ctx ends, and once the leader is gone, so
// that nothing it started outlives it. It returns an error only when the
// command could not be started or when ctx ended (then ctx's error).
func Start(ctx context.Context, p Process) (Exited, error) {
	if err := ctx.Err(); err != nil {
		return Exited{}, err
	}
	tail := &tailBuffer{}
	run := ctx
	if p.Limit > 0 {
		var cancel context.CancelFunc
		run, cancel = context.WithTimeout(ctx, p.Limit)
		defer cancel()
	}
	cmd := exec.CommandContext(run, p.Argv[0], p.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.Dir, p.Env, p.Stdin
	cmd.Stderr = tail
	cmd.Stdout = p.Stdout
	if p.Stdout == nil {
		cmd.Stdout = tail
	}
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = killGrace
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Exited{}, err
	}
	err := cmd.Wait()
	_ = killGroup(cmd.Process) // what the leader left behind; an empty group is no error to us
	end := Exited{Code: cmd.ProcessState.ExitCode(), Signal: signalOf(cmd.ProcessState), Duration: time.Since(began), Tail: tail.String()}
	if ctx.Err() != nil {
		return end, ctx.Err()
	}
	end.TimedOut = errors.Is(run.Err(), context.DeadlineExceeded)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !end.TimedOut && !errors.Is(err, exec.ErrWaitDelay) {
		return end, err
	}
	return end, nil
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

// A tailBuffer keeps the last TailSize bytes written to it.
type tailBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (t *tailBuffer) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(p)
	if over := t.buf.Len() - 2*TailSize; over > 0 {
		t.buf.Next(over + TailSize)
	}
	return len(p), nil
}

func (t *tailBuffer) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.buf.Bytes()
	return string(b[max(0, len(b)-TailSize):])
}
