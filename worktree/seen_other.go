//go:build !linux

package worktree

import "io/fs"

// traceOf is known on Linux only; elsewhere every Restore looks at the bytes.
func traceOf(fs.FileInfo) (trace, bool) { return trace{}, false }
