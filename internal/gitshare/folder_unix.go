//go:build unix

package gitshare

import (
	"os"
	"strconv"
	"syscall"

	"github.com/pawl-dev/pawl"
)

// folderID is what the file system calls a folder: its inode. A device's number is
// left out, because it changes from one start of the machine to the next.
func folderID(dir string) (string, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", pawl.Errorf(pawl.Invalid, "%s is not a folder", dir)
	}
	return strconv.FormatUint(uint64(info.Sys().(*syscall.Stat_t).Ino), 36), nil
}
