package worktree

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/gofrs/flock"
)

// CacheDir returns the directory that assay keeps things in: override when it
// is not empty, else $ASSAY_CACHE_DIR, else "assay" in the user's cache
// directory.
func CacheDir(override string) string {
	if override != "" {
		return override
	}
	if dir := os.Getenv("ASSAY_CACHE_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(xdg.CacheHome, "assay")
}

// A run is the directory of one pool or snapshot, and the proof that its owner
// lives: a lock that the system takes away when the process ends, however it
// ends.
type run struct {
	ctx  context.Context // never ends: a run is also closed because the caller's did
	dir  string          // absolute, symbolic links resolved
	lock *flock.Flock
}

// startRun makes a run directory under the cache directory, which must not lie
// in the user's repository.
func startRun(ctx context.Context, r *Repo, cacheDir string) (*run, error) {
	runs, err := resolve(filepath.Join(CacheDir(cacheDir), "runs"))
	if err != nil {
		return nil, cacheError(ctx, filepath.Join(CacheDir(cacheDir), "runs"), err)
	}
	for _, taboo := range []string{r.root, r.gitDir, r.common} {
		if within(taboo, runs) {
			return nil, trouble(ctx, ErrCache, nil, "the cache directory %s lies inside the repository %s, where assay never writes; name another with ASSAY_CACHE_DIR", runs, r.root)
		}
	}
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return nil, cacheError(ctx, runs, err)
	}
	var made *run
	err = locked(ctx, runs, func() (err error) {
		made, err = makeRun(ctx, runs)
		return err
	})
	if err != nil {
		return nil, cacheError(ctx, runs, err)
	}
	return made, nil
}

// makeRun is called with the lock on runs held, so that no sweep sees the
// directory before its owner is known.
func makeRun(ctx context.Context, runs string) (*run, error) {
	var id [4]byte
	_, _ = rand.Read(id[:]) // never fails
	dir := filepath.Join(runs, hex.EncodeToString(id[:]))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	made := &run{ctx: context.WithoutCancel(ctx), dir: dir, lock: flock.New(filepath.Join(dir, "lock"))}
	held, err := made.lock.TryLock()
	if err == nil && !held {
		err = errors.New("somebody else holds its lock")
	}
	if err == nil {
		err = writeOwner(ctx, dir)
	}
	if err != nil {
		return nil, errors.Join(err, made.close())
	}
	return made, nil
}

// close ends the processes that outlived the run, removes the directory and
// lets go of the lock.
func (r *run) close() error {
	return errors.Join(endSurvivors(r.ctx, r.dir), removeAll(r.dir), r.lock.Close())
}

// resolve returns the absolute path without symbolic links of a directory that
// need not exist yet.
func resolve(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		parent, err := resolve(filepath.Dir(dir))
		return filepath.Join(parent, filepath.Base(dir)), err
	}
	return real, err
}

// within reports whether path is dir or lies in it; both are clean and
// absolute.
func within(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

func cacheError(ctx context.Context, dir string, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	return trouble(ctx, ErrCache, err, "could not make throwaway trees in the cache directory %s (%v); make room there or name another directory with ASSAY_CACHE_DIR", dir, err)
}

// removeAll removes dir also when a test left directories in it that may not
// be written to.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o700) // before its entries are read
		}
		return nil // RemoveAll below says what is wrong
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", dir, err)
	}
	return os.RemoveAll(dir)
}
