package worktree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/shirou/gopsutil/v4/process"
)

// An owner is the process a run belongs to. The number of a process is used
// again after it ended; together with its start time it is not. On another
// host (a cache directory shared by containers) neither means anything.
type owner struct {
	PID   int32  `json:"pid"`
	Start int64  `json:"start"` // milliseconds since 1970
	Host  string `json:"host"`
}

const ownerFile = "owner.json"

// clockSlack is how far apart two readings of one start time may be, in
// milliseconds: Linux computes it from the time of boot, which is adjusted.
const clockSlack = 2000

func self(ctx context.Context) (owner, error) {
	host, err := os.Hostname()
	if err != nil {
		return owner{}, fmt.Errorf("find the name of this host: %w", err)
	}
	o := owner{PID: int32(os.Getpid()), Host: host}
	p, err := process.NewProcessWithContext(ctx, o.PID)
	if err != nil {
		return owner{}, fmt.Errorf("find out about this process: %w", err)
	}
	if o.Start, err = p.CreateTimeWithContext(ctx); err != nil {
		return owner{}, fmt.Errorf("find the start time of this process: %w", err)
	}
	return o, nil
}

func writeOwner(ctx context.Context, dir string) error {
	o, err := self(ctx)
	if err != nil {
		return err
	}
	content, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ownerFile), append(content, '\n'), 0o644)
}

// readOwner returns false when the directory names no owner: whoever made it
// was killed in between.
func readOwner(dir string) (o owner, known bool, err error) {
	content, err := os.ReadFile(filepath.Join(dir, ownerFile))
	if errors.Is(err, os.ErrNotExist) {
		return o, false, nil
	}
	if err != nil {
		return o, false, err
	}
	return o, json.Unmarshal(content, &o) == nil, nil
}

// alive reports whether the owner's process still runs; on a doubt it does.
func (o owner) alive(ctx context.Context) bool {
	me, err := os.Hostname()
	if err != nil || me != o.Host {
		return true
	}
	p, err := process.NewProcessWithContext(ctx, o.PID)
	if errors.Is(err, process.ErrorProcessNotRunning) {
		return false
	}
	if err != nil {
		return true
	}
	start, err := p.CreateTimeWithContext(ctx)
	if err != nil {
		return true
	}
	return max(start-o.Start, o.Start-start) <= clockSlack
}
