package pytest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"assay/harness"
)

// A zygote is one warm pytest process on one tree that forks for every trial: it
// has imported and collected some test files, or is a bare one that has loaded
// pytest alone (bare.go). It is used by one goroutine at a time.
type zygote struct {
	session  *session
	dir      string
	tree     fs.FileInfo // of dir, which may be made anew while the process holds the old one
	own      string      // a directory of its own, removed with it
	files    []string    // what it collected, sorted
	env      []string    // of the process
	ready    reply
	replies  *replies
	requests *os.File
	stop     context.CancelFunc
	ended    chan struct{} // closed once the process is gone; end and err are set then
	end      harness.Exited
	err      error
	clean    []string        // what its directory for temporary files held when it was ready
	spent    bool            // it is to be replaced
	green    map[string]bool // selections that ran in a fork at head, and whether all were green
	runs     [][]int         // those that were, see session.order
}

// warmUp starts a zygote that collects the files in dir. A process that
// cannot be forked from is a zygote whose ready reply says why; an error is our
// own or ctx's.
func (s *session) warmUp(ctx context.Context, dir string, files []string) (*zygote, error) {
	return s.rear(ctx, dir, request{Files: files, Broken: s.broken, Zygote: true})
}

// rear starts a process that forks in dir.
func (s *session) rear(ctx context.Context, dir string, req request) (*zygote, error) {
	own, err := os.MkdirTemp(s.options.Scratch, "warm-")
	if err != nil {
		return nil, fmt.Errorf("make room for a warm pytest process: %w", err)
	}
	req.Nonce = "assay-" + rand.Text()
	z := &zygote{session: s, dir: dir, own: own, files: req.Files, replies: newReplies(req.Nonce), ended: make(chan struct{}), green: map[string]bool{}}
	if err := z.start(ctx, req); err != nil {
		return nil, errors.Join(fmt.Errorf("start a warm pytest process: %w", err), os.RemoveAll(own))
	}
	if err := z.settle(ctx); err != nil {
		return nil, errors.Join(err, z.close())
	}
	return z, nil
}

func (z *zygote) start(ctx context.Context, req request) error {
	var err error
	if z.tree, err = os.Stat(z.dir); err != nil {
		return err
	}
	job, err := z.session.prepare(z.dir, z.own, &req)
	if err != nil {
		return err
	}
	stdin, requests, err := os.Pipe()
	if err != nil {
		return err
	}
	z.requests = requests
	z.env, _ = environ(z.session.options, z.dir, z.own, z.session.plugin.path)
	// It outlives the trial that needed it first; Close of the session ends it.
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	z.stop = stop
	go func() {
		defer close(z.ended)
		z.end, z.err = harness.Start(life, harness.Process{Argv: []string{z.session.python, "-m", "assay_pytest", job},
			Dir: z.dir, Env: z.env, Stdin: stdin, Merged: z.replies, Memory: z.session.options.Memory})
		_ = stdin.Close() // only ever read by the process
	}()
	return nil
}

// settle waits until everything is collected.
func (z *zygote) settle(ctx context.Context) error {
	limit := time.NewTimer(hangFactor*z.session.startup + startSlack)
	defer limit.Stop()
	select {
	case z.ready = <-z.replies.news:
	case <-z.ended:
		z.ready.Why = "it ended while it collected tests: " + complaint(z.replies.left())
	case <-limit.C:
		z.ready.Why = "it did not collect the tests in time"
	case <-ctx.Done():
		return ctx.Err()
	}
	z.clean = listing(filepath.Join(z.own, "tmp"))
	return nil
}

// A trial is what a fork is asked to do; the plugin reads it as JSON.
type trial struct {
	Records  string           `json:"records"`
	Temp     string           `json:"tmp"`
	BaseTemp string           `json:"basetemp"`
	Cache    string           `json:"cache"`
	Select   []harness.TestID `json:"select"`
	First    []harness.TestID `json:"first"`
	FirstRed bool             `json:"first_red"`
	Terse    bool             `json:"terse"` // nobody reads the output
	Swaps    []swap           `json:"swaps"`
	Watch    []string         `json:"watch"` // files that no test may open, or the fork escapes
}

// A swap is one edited source.
type swap struct {
	Path string `json:"path"` // absolute
	Old  string `json:"old"`  // SHA-256 of head's text, in hexadecimal
	New  string `json:"new"`  // the file that holds the edited text
}

// fork runs the job of a file in a child, which writes to records. lost is true
// when the zygote died or could not say how the child ended: then nothing is
// known.
func (z *zygote) fork(ctx context.Context, job, records string, limit time.Duration, p patience) (end harness.Exited, lost bool, err error) {
	if _, err := z.requests.WriteString(job + "\n"); err != nil {
		return end, true, nil // it is gone, as the caller finds
	}
	began := time.Now()
	forked, ok, err := z.next(ctx)
	if err != nil || !ok {
		return end, true, err
	}
	group := harness.Group(forked.PID)
	stopped := group.Watch(z.session.options.Memory)
	dog := newWatchdog(records, p)
	dog.used = func() (time.Duration, bool) { return harness.CPUTime(forked.PID) }
	end, lost, err = z.follow(ctx, group, dog, limit)
	end.Peak, end.OverMemory = stopped()
	end.Duration = time.Since(began)
	return end, lost, err
}

// follow waits for the end of a child and brings it about when the limit
// passes, when one test passes its own, and when ctx ends.
func (z *zygote) follow(ctx context.Context, group harness.Group, dog *watchdog, limit time.Duration) (end harness.Exited, lost bool, err error) {
	run, hang := context.WithCancelCause(ctx)
	defer hang(nil)
	if dog.limit != nil {
		go dog.guard(run, hang)
	}
	bound, free := context.WithTimeout(run, limit)
	defer free()
	over := bound.Done()
	for {
		select {
		case r := <-z.replies.news:
			end.Code, end.Signal = exitedAs(r.Status)
			end.Tail = r.output
			z.spent = z.spent || z.grown(r)
			return end, r.Status < 0, nil
		case <-z.ended:
			group.Kill()
			z.spent = true
			return end, true, nil
		case <-over:
			group.Kill()
			if ctx.Err() != nil {
				z.spent = true
				return end, true, ctx.Err()
			}
			end.TimedOut, over = true, nil // the reply follows
		}
	}
}

// next waits for a reply; ok is false when the zygote ended first.
func (z *zygote) next(ctx context.Context) (r reply, ok bool, err error) {
	select {
	case r = <-z.replies.news:
		return r, true, nil
	case <-z.ended:
		z.spent = true
		return reply{}, false, nil
	case <-ctx.Done():
		z.spent = true
		return reply{}, false, ctx.Err()
	}
}

// exitedAs reads a status of wait(2).
func exitedAs(status int) (code int, signal string) {
	if number := status & 0x7f; number != 0 {
		return -1, syscall.Signal(number).String()
	}
	return status >> 8 & 0xff, ""
}

// growth is how many times its first size a zygote may reach.
const growth = 2

// grown reports whether a zygote is no longer what it was: it grew, or a test
// left something in the directory for temporary files that it was born with.
func (z *zygote) grown(r reply) bool {
	return r.Size > growth*z.ready.Size || !slices.Equal(listing(filepath.Join(z.own, "tmp")), z.clean)
}

// fits reports whether the zygote can serve the files on the tree as it is now.
func (z *zygote) fits(files []string) bool {
	if z.spent {
		return false
	}
	now, err := os.Stat(z.dir)
	if err != nil || !os.SameFile(now, z.tree) {
		return false
	}
	return !slices.ContainsFunc(files, func(f string) bool { _, has := slices.BinarySearch(z.files, f); return !has })
}

// close ends the process and removes its directory.
func (z *zygote) close() error {
	z.stop()
	<-z.ended
	_ = z.requests.Close()  // a pipe to a process that is gone
	_ = os.RemoveAll(z.own) // a test may leave what nobody can remove; the caller removes scratch as a whole
	if errors.Is(z.err, context.Canceled) {
		return nil
	}
	return z.err
}

// listing is every path below dir.
func listing(dir string) []string {
	var found []string
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error { // what cannot be read was left by a test, and is listed
		found = append(found, path)
		if err != nil {
			return fs.SkipDir
		}
		return nil
	})
	return found
}
