package worktree

import (
	"io/fs"
	"syscall"
	"time"
)

// traceOf reads what Lstat told.
func traceOf(info fs.FileInfo) (trace, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return trace{}, false
	}
	return trace{mode: info.Mode(), size: s.Size, inode: s.Ino, changed: time.Unix(s.Ctim.Unix())}, true
}
