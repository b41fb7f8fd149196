package harness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// outputs are the pipes a process writes to, one per stream. They are ours and
// not those of exec.Cmd because Cmd.Wait reads a pipe until every holder has
// closed it: it would wait for grandchildren that the group kill is to end.
type outputs struct {
	streams []stream
	mine    []*os.File // write ends, closed here once the process has them
	copied  sync.WaitGroup
	mu      sync.Mutex
	failed  error
}

type stream struct {
	from *os.File
	to   io.Writer
}

// connect gives cmd the pipes that p asks for.
func connect(cmd *exec.Cmd, p Process, tail io.Writer) (*outputs, error) {
	o := &outputs{}
	both := p.Merged != nil || p.Stdout == nil
	errTo := tail
	if p.Merged != nil {
		errTo = io.MultiWriter(tail, p.Merged)
	}
	stderr, err := o.pipe(errTo)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if !both {
		stdout, err := o.pipe(p.Stdout)
		if err != nil {
			o.abandon()
			return nil, err
		}
		cmd.Stdout = stdout
	}
	return o, nil
}

func (o *outputs) pipe(to io.Writer) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe for the output of a process: %w", err)
	}
	o.streams = append(o.streams, stream{r, to})
	o.mine = append(o.mine, w)
	return w, nil
}

// begin starts reading; the process holds its own copies of the write ends.
func (o *outputs) begin() {
	o.closeMine()
	for _, s := range o.streams {
		o.copied.Go(func() {
			_, err := io.Copy(s.to, s.from)
			if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				o.fail(fmt.Errorf("read the output of a process: %w", err))
				// Go on reading, so that the process does not block on a full
				// pipe; what this copy meets was reported already.
				_, _ = io.Copy(io.Discard, s.from)
			}
		})
	}
}

// finish waits for the end of the output, drainGrace at most, and closes the
// pipes.
func (o *outputs) finish() error {
	for _, s := range o.streams {
		o.fail(s.from.SetReadDeadline(time.Now().Add(drainGrace)))
	}
	o.copied.Wait()
	for _, s := range o.streams {
		o.fail(s.from.Close())
	}
	return o.failed
}

// abandon closes everything when the process did not start.
func (o *outputs) abandon() {
	o.closeMine()
	for _, s := range o.streams {
		_ = s.from.Close() // nothing was ever written to it
	}
}

func (o *outputs) closeMine() {
	for _, w := range o.mine {
		_ = w.Close() // our copy of a write end we never wrote to
	}
}

func (o *outputs) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed = errors.Join(o.failed, err)
}

// A Tail keeps the last TailSize bytes written to it. The zero value is empty.
type Tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write keeps p, or its end; it never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(p)
	if over := t.buf.Len() - 2*TailSize; over > 0 {
		t.buf.Next(over + TailSize)
	}
	return len(p), nil
}

// String returns what is kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.buf.Bytes()
	return string(b[max(0, len(b)-TailSize):])
}
