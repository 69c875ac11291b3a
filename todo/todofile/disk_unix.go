//go:build unix

package todofile

import (
	"context"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// denied and full know no failures of their own here.
func denied(error) bool { return false }
func full(error) bool   { return false }

// openRegular opens what is there only if it is a regular file. O_NONBLOCK
// keeps a pipe from holding us up.
func openRegular(path string, flags int) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(path, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		if e, ok := err.(*fs.PathError); ok && (e.Err == unix.ELOOP || e.Err == unix.EMLINK || e.Err == unix.ENXIO || e.Err == unix.EISDIR) {
			e.Err = errIrregular
		}
		return nil, nil, err
	}
	return regular(file, nil)
}

// fileID is another one for each file that there is at one time.
func fileID(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}

func syncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Sync()
}

// again runs call until no signal interrupts it.
func again(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func tryLock(file *os.File, shared bool) (bool, error) {
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	err := again(func() error { return unix.Flock(int(file.Fd()), how|unix.LOCK_NB) })
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

// waitLock takes the lock or closes file. The kernel keeps those who wait in
// order, so waiting is left to it, on a thread of its own when it has to be done.
func waitLock(ctx context.Context, file *os.File) error {
	got, err := tryLock(file, false)
	if got {
		return nil
	}
	if err != nil || ctx.Err() != nil {
		file.Close()
		if err == nil {
			err = context.Cause(ctx)
		}
		return err
	}
	done := make(chan error, 1)
	go func() { done <- again(func() error { return unix.Flock(int(file.Fd()), unix.LOCK_EX) }) }()
	select {
	case err := <-done:
		if err != nil {
			file.Close()
		}
		return err
	case <-ctx.Done():
		go func() { <-done; file.Close() }()
		return context.Cause(ctx)
	}
}
