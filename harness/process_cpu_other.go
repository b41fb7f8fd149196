//go:build !linux

package harness

import "time"

// CPUTime is known on Linux only.
func CPUTime(int) (used time.Duration, known bool) { return 0, false }
