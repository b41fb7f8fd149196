//go:build unix

package harnesstest

import "syscall"

func signalled(pid int) bool { return syscall.Kill(pid, 0) == nil }
