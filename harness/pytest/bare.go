package pytest

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/change"
	"assay/harness"
)

// A bare process has loaded pytest and its plugins and nothing of the project,
// and forks for every run (plugin/bare.py). What a fork of it does is what a
// fresh process does after that: conftests, collection and tests come from the
// disk as it is when the run begins. It stands for a fresh process where nothing
// of what was loaded before depends on the run: not on the edits, and not on the
// environment.

// rareRuns is how many runs of a tree are made as processes of their own before
// a bare one is started, which costs about as much.
const rareRuns = 1

// fresh makes a run in a fork of the tree's bare process, or in a process of its
// own.
func (s *session) fresh(ctx context.Context, job harness.Job, req request, limit time.Duration) (running, error) {
	if canFork && !s.options.Fresh {
		ran, done, err := s.forkBare(ctx, job, req, limit)
		if done || err != nil {
			return ran, err
		}
	}
	return s.launch(ctx, job.Dir, job.Scratch, req, limit)
}

func (s *session) forkBare(ctx context.Context, job harness.Job, req request, limit time.Duration) (ran running, done bool, err error) {
	slot := s.warmth.slot(job.Dir)
	slot.mu.Lock()
	defer slot.mu.Unlock()
	if slot.runs++; slot.runs <= rareRuns || slot.bareOff {
		return running{}, false, nil
	}
	own, err := os.MkdirTemp(job.Scratch, "py-")
	if err != nil {
		return running{}, false, fmt.Errorf("make room for a run of pytest: %w", err)
	}
	defer func() { _ = os.RemoveAll(own) }() // as in launch
	env, needed := environ(s.options, job.Dir, own, s.plugin.path)
	z, err := s.bareFor(ctx, slot, job, env)
	if z == nil || err != nil {
		return running{}, false, err
	}
	name, err := s.prepare(job.Dir, own, &req)
	if err != nil {
		return running{}, false, fmt.Errorf("prepare a run of pytest: %w", err)
	}
	end, lost, err := z.fork(ctx, name, req.Records, limit, req.patience)
	if err != nil || lost {
		return running{}, false, err
	}
	log, err := readRecords(req.Records)
	if err != nil || log.Refused != "" {
		return running{}, false, err
	}
	return running{log: log, end: end, env: needed}, true, nil
}

// bareFor returns the bare process that can serve a job, or nil.
func (s *session) bareFor(ctx context.Context, slot *slot, job harness.Job, env []string) (*zygote, error) {
	if configures(job.Edits) {
		return nil, nil
	}
	if slot.bare != nil && !slot.bare.fits(nil) {
		err := slot.bare.close()
		slot.bare = nil
		if slot.deaths++; err != nil || slot.deaths > manyDeaths {
			slot.bareOff = true
			return nil, nil // each run is a process of its own then
		}
	}
	if slot.bare == nil {
		z, err := s.rear(ctx, job.Dir, request{Bare: true})
		if err != nil {
			return nil, err
		}
		if z.ready.Why != "" || len(z.ready.Threads) > 0 {
			slot.bareOff = true
			return nil, z.close()
		}
		slot.bare = z
	}
	z := slot.bare
	same := slices.Equal(withoutTemp(z.env), withoutTemp(env))
	edited := slices.ContainsFunc(job.Edits, func(e change.Edit) bool { return slices.Contains(z.ready.Loaded, e.Path) })
	if !same || edited {
		return nil, nil
	}
	return z, nil
}

// configures reports whether edits touch what pytest or the interpreter reads
// before the first conftest, or may bring in or take away a plugin.
func configures(edits []change.Edit) bool {
	return slices.ContainsFunc(edits, func(e change.Edit) bool {
		return slices.Contains(settings, path.Base(e.Path)) || !isPython(e.Path) && strings.Contains(filepath.ToSlash(e.Path), "-info/")
	})
}

func withoutTemp(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, "TMPDIR=") })
}
