//go:build unix

package filelock

import (
	"os"

	"golang.org/x/sys/unix"
)

// Try takes the lock of an open file, if nobody has it.
func Try(file *os.File) (bool, error) {
	for {
		switch err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
		case unix.EINTR:
		case unix.EWOULDBLOCK:
			return false, nil
		default:
			return err == nil, err
		}
	}
}
