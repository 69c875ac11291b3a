package rewrite

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// tryLock takes the lock of an open file, if nobody has it.
func tryLock(file *os.File) (bool, error) {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, syscall.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// rename waits for readers, virus scanners and editors that have the file open
// for a moment.
func rename(root *os.Root, from, to string) (err error) {
	for range 10 {
		err = root.Rename(from, to)
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// settle has nothing to do: names are in the file system's own journal.
func (File) settle(*os.Root) error { return nil }
