//go:build unix && !linux

package run

import "syscall"

// runs reports whether a process has not ended.
func runs(pid int) bool { return syscall.Kill(pid, 0) == nil }
