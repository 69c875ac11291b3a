package todofile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"github.com/pawl-dev/pawl/internal/filelock"
)

func denied(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

func full(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}

// openRegular opens what is there only if it is a regular file.
func openRegular(path string, flags int) (*os.File, fs.FileInfo, error) {
	before, err := os.Lstat(path)
	if err == nil && !before.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errIrregular}
	}
	if err != nil && (!absent(err) || flags&os.O_CREATE == 0) {
		return nil, nil, err
	}
	var file *os.File
	if err := filelock.Patiently(func() (err error) {
		file, err = os.OpenFile(path, flags, 0o600)
		return err
	}); err != nil {
		return nil, nil, err
	}
	return regular(file, before)
}

// fileID would need the file opened; the times of this system's files are fine
// enough without.
func fileID(fs.FileInfo) uint64 { return 0 }

// syncPath flushes a file. Entries of folders are in the file system's own
// journal, and Windows has no call for them.
func syncPath(path string) error {
	var file *os.File
	err := filelock.Patiently(func() (err error) {
		file, err = os.OpenFile(path, os.O_RDWR, 0)
		return err
	})
	if err != nil {
		if info, errStat := os.Stat(path); errStat == nil && info.IsDir() {
			return nil
		}
		return err
	}
	defer file.Close()
	return file.Sync()
}

func tryLock(file *os.File, shared bool) (bool, error) {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, syscall.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// lockPause is how often a lock is asked for: the kernel's own queue cannot be
// left when the caller gives up.
const lockPause = 2 * time.Millisecond

func waitLock(ctx context.Context, file *os.File) error {
	for {
		got, err := tryLock(file, false)
		if got {
			return nil
		}
		if err == nil {
			select {
			case <-ctx.Done():
				err = context.Cause(ctx)
			case <-time.After(lockPause):
				continue
			}
		}
		file.Close()
		return err
	}
}
