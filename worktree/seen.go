package worktree

import (
	"io/fs"
	"maps"
	"path/filepath"
	"time"
)

// A seen is how a whole tree, its .git and its loans included, lay when it was
// last found to hold head: every entry with its place on the disk and the time
// of its last change (ctime), which no process can set back. A tree that lies
// the same holds head still.
type seen map[string]trace

// A trace is what of one entry alters whenever its bytes, its names or its
// mode do.
type trace struct {
	mode    fs.FileMode
	size    int64
	inode   uint64
	changed time.Time
}

// clockGrain is how far apart two writes must lie to have different times of
// change: file systems take the kernel's coarse clock, which ticks each 10 ms
// at worst. What changed later than this before it was looked at may change
// again without a trace.
const clockGrain = 50 * time.Millisecond

// look walks dir. ok is false where this system does not tell when an entry
// changed, where something could not be read, and where something changed so
// lately that a further change would not show.
func look(dir string) (all seen, ok bool) {
	began, all, ok := time.Now(), seen{}, true
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		t, told := traceOf(info)
		if !told || began.Sub(t.changed) < clockGrain {
			ok = false
			return filepath.SkipAll
		}
		all[path] = t
		return nil
	})
	return all, ok && err == nil
}

func (s seen) same(other seen) bool { return len(s) > 0 && maps.Equal(s, other) }

// Hold remembers how the tree lies now, edits included. It first waits for the
// clock to pass what was just written, clockGrain, so that whatever is written
// later shows; ctx of the pool ends the wait.
func (t *Tree) Hold() error {
	passed := time.NewTimer(clockGrain)
	defer passed.Stop()
	select {
	case <-passed.C:
	case <-t.pool.ctx.Done():
		return t.pool.ctx.Err()
	}
	t.held = nil
	if now, ok := look(t.dir); ok {
		t.held = now
	}
	return nil
}

// Held reports whether the tree lies as it did at the last Hold: nothing was
// written in it since. Where that cannot be told it is false.
func (t *Tree) Held() bool {
	if t.held == nil {
		return false
	}
	now, ok := look(t.dir)
	return ok && now.same(t.held)
}
