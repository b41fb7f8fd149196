package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Sweep removes the runs under a cache directory ("" for the usual one) whose
// owner is gone, ends the processes that they left, and returns their
// directories. A run is left alone when its
// process lives, when its lock is held, and when it belongs to another host.
func Sweep(ctx context.Context, cacheDir string) ([]string, error) {
	runs := filepath.Join(CacheDir(cacheDir), "runs")
	entries, err := os.ReadDir(runs)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cacheError(ctx, runs, err)
	}
	var removed []string
	err = locked(ctx, runs, func() error {
		var all error
		for _, e := range entries {
			if !e.IsDir() || ctx.Err() != nil {
				continue
			}
			dir := filepath.Join(runs, e.Name())
			gone, err := sweepOne(ctx, dir)
			if gone {
				removed = append(removed, dir)
			}
			all = errors.Join(all, err)
		}
		return errors.Join(all, ctx.Err())
	})
	if err != nil {
		return removed, fmt.Errorf("remove what earlier runs left in %s: %w", runs, err)
	}
	return removed, nil
}

func sweepOne(ctx context.Context, dir string) (gone bool, err error) {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return false, nil // its owner removed it meanwhile
	}
	o, known, err := readOwner(dir)
	if err != nil || (known && o.alive(ctx)) {
		return false, err
	}
	// The process can also be gone from where we can see it only: the lock is
	// what the system itself says.
	lock := flock.New(filepath.Join(dir, "lock"))
	free, err := lock.TryLock()
	if err != nil || !free {
		return false, errors.Join(err, lock.Close())
	}
	real, err := resolve(dir) // as the processes of the run know it
	if err == nil {
		err = endSurvivors(ctx, real)
	}
	err = errors.Join(err, removeAll(dir), lock.Close())
	return err == nil, err
}

// locked calls f while no other assay makes or sweeps runs.
func locked(ctx context.Context, runs string, f func() error) error {
	lock := flock.New(filepath.Join(runs, "lock"))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return err
	}
	return errors.Join(f(), lock.Close())
}
