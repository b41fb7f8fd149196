package harness

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// groupMemory returns the resident memory, in bytes, of the processes of group
// pgid. Processes that end while it looks count nothing.
func groupMemory(pgid int) int64 {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0 // the pattern is constant and well formed
	}
	pages := int64(0)
	for _, path := range stats {
		line, err := os.ReadFile(path)
		if err != nil {
			continue // it ended
		}
		if group, rss, ok := parseStat(line); ok && group == pgid {
			pages += rss
		}
	}
	return pages * int64(os.Getpagesize())
}

// parseStat reads the process group and the resident pages from a line of
// /proc/PID/stat (fields 5 and 24 of proc_pid_stat(5)). The command name, the
// second field, may hold spaces and parentheses, so that fields are counted
// from the last closing one.
func parseStat(line []byte) (pgid int, rss int64, ok bool) {
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 22 {
		return 0, 0, false
	}
	pgid, err := strconv.Atoi(string(fields[2]))
	if err != nil {
		return 0, 0, false
	}
	rss, err = strconv.ParseInt(string(fields[21]), 10, 64)
	return pgid, rss, err == nil
}
