package harness

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is the unit of the times in /proc: USER_HZ, which is 100 on every
// platform of Linux that Go runs on (time(7)).
const tick = 10 * time.Millisecond

// CPUTime returns how long a process and the children that it has waited for
// have used a processor; known is false when the process is gone.
func CPUTime(pid int) (used time.Duration, known bool) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false // it ended
	}
	return parseCPU(line)
}

// parseCPU reads the times of a line of /proc/PID/stat (fields 14 to 17 of
// proc_pid_stat(5)), counted as parseStat does.
func parseCPU(line []byte) (used time.Duration, ok bool) {
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 15 {
		return 0, false
	}
	for _, field := range fields[11:15] {
		n, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return 0, false
		}
		used += time.Duration(n) * tick
	}
	return used, true
}
