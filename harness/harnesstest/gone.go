package harnesstest

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// RequireGone waits until process pid has ended and fails the test when it has
// not within half a minute. A process that nobody has reaped yet has ended.
func RequireGone(t *testing.T, pid int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for alive(pid) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("process %d still lives", pid)
		}
	}
}

// alive reports whether pid runs. Where /proc exists it tells a zombie from a
// living process, which a signal cannot.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err == nil {
		_, rest, _ := strings.Cut(string(stat), ") ")
		return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		return false
	}
	return signalled(pid)
}
