//go:build amd64 || arm64

package main

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// rawStat asks the kernel about a name, which ends with a zero byte, and asks
// nobody else.
func rawStat(dir int, name []byte, st *unix.Stat_t) error {
	_, _, errno := unix.RawSyscall6(sysFstatat, uintptr(dir), uintptr(unsafe.Pointer(&name[0])),
		uintptr(unsafe.Pointer(st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
