package attribution

import (
	"errors"
	"syscall"
	"time"
)

// removeOnce removes a file, and reports whether it was there: of several that
// try at once, one succeeds. A plain removal succeeds for each that has the file
// open before the first of them closes it. So the file is opened for nobody else,
// and goes when it is closed.
func removeOnce(path string) bool {
	const (
		deleteAccess  = 0x00010000
		deleteOnClose = 0x04000000
		openLink      = 0x00200000 // a link itself, not what it leads to
		sharing       = syscall.Errno(32)
	)
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	for range 20 { // a reader has it open for a moment
		var file syscall.Handle
		if file, err = syscall.CreateFile(name, deleteAccess, 0, nil, syscall.OPEN_EXISTING, deleteOnClose|openLink, 0); err == nil {
			return syscall.CloseHandle(file) == nil
		}
		if !errors.Is(err, sharing) {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
