//go:build unix

package filelock

import (
	"os"
	"path/filepath"
	"syscall"

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

// Free releases a lock and closes its file. Closing is not enough: a program that another
// goroutine is starting inherits the file until it executes.
func Free(file *os.File) error {
	_ = unix.Flock(int(file.Fd()), unix.LOCK_UN) // a lock that is not held fails to unlock, which harms nothing
	return file.Close()
}

// HandOver gives what root has made at a path to the user whose folder it is in: a
// container or sudo must not lock that user out. On a file system without owners nobody
// is. Root may not have made what is a link, has another name elsewhere, or has what the
// user could not read: that user can have moved it there. It reports whether it is a user's
// now.
func HandOver(path string) bool {
	if os.Geteuid() != 0 {
		return false
	}
	dir, err := os.Open(filepath.Dir(path)) // held: its name may lead elsewhere by now
	if err != nil {
		return false
	}
	defer dir.Close()
	around, err := dir.Stat()
	if err != nil {
		return false
	}
	to := around.Sys().(*syscall.Stat_t)
	if to.Uid == 0 {
		return false
	}
	fd, err := unix.Openat(int(dir.Fd()), filepath.Base(path), unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	file := os.NewFile(uintptr(fd), path)
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false
	}
	is, open := info.Sys().(*syscall.Stat_t), false
	switch perm := info.Mode().Perm(); {
	case is.Uid != 0:
		return true
	case info.IsDir():
		inside, _ := file.Readdirnames(1)
		open = len(inside) == 0 || perm&0o5 == 0o5
	case info.Mode().IsRegular() && is.Nlink == 1:
		open = is.Size == 0 || perm&0o4 != 0
	}
	return open && file.Chown(int(to.Uid), int(to.Gid)) == nil
}
