package worktree

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// Killed processes are looked for again until none is found: one may have
// started another meanwhile. The pause is how long the system is given between
// two looks, and survivorGrace how long altogether.
const (
	survivorPause = 5 * time.Millisecond
	survivorGrace = 5 * time.Second
)

// endSurvivors kills every process whose TMPDIR lies in the run directory dir
// (absolute, symbolic links resolved): what a test started in a session of its
// own, and what a killed assay could not end. Every process of a trial gets
// such a TMPDIR and hands it on; no other run's lies there. What cleared its
// environment is not found, nor is anything on a system that does not tell the
// environment of a process. It fails when one is still there after
// survivorGrace.
func endSurvivors(ctx context.Context, dir string) error {
	looking, stop := context.WithTimeout(ctx, survivorGrace)
	defer stop()
	tick := time.NewTicker(survivorPause)
	defer tick.Stop()
	for {
		left, err := killSurvivors(ctx, dir)
		if err != nil {
			return fmt.Errorf("look for processes that outlived the run %s: %w", dir, err)
		}
		if left == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-looking.Done():
			return fmt.Errorf("%d processes with TMPDIR below %s do not end; end them and run assay clean", left, dir)
		}
	}
}

// killSurvivors sends SIGKILL to what it finds and returns how many there were.
func killSurvivors(ctx context.Context, dir string) (found int, err error) {
	pids, err := process.PidsWithContext(ctx)
	if err != nil {
		return 0, err
	}
	for _, pid := range pids {
		if int(pid) == os.Getpid() {
			continue
		}
		// A handle first, then the look: the number cannot come to name
		// another process in between.
		p, err := os.FindProcess(int(pid))
		if err != nil {
			continue // ended meanwhile
		}
		if livesIn(ctx, pid, dir) && p.Kill() == nil {
			found++
		}
		if err := p.Release(); err != nil {
			return found, err
		}
	}
	return found, nil
}

// livesIn reports whether the process can be seen to have its TMPDIR in dir; a
// process of somebody else cannot.
func livesIn(ctx context.Context, pid int32, dir string) bool {
	env, err := (&process.Process{Pid: pid}).EnvironWithContext(ctx)
	if err != nil {
		return false
	}
	for _, kv := range env {
		if tmp, ok := strings.CutPrefix(kv, "TMPDIR="); ok {
			return within(dir, tmp)
		}
	}
	return false
}
