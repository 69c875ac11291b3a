//go:build unix

package setup

import (
	"fmt"
	"io/fs"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// umask is what the user wants new files not to have. It can only be read by
// setting it.
var umask = sync.OnceValue(func() fs.FileMode {
	old := unix.Umask(0o077)
	unix.Umask(old)
	return fs.FileMode(old) & 0o777
})

// keepOwner gives a file the owner and the group of the one whose place it takes:
// under sudo that is the user.
func keepOwner(file *os.File, like string) error {
	var is, want unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &is); err != nil {
		return err
	}
	if err := unix.Stat(like, &want); err != nil || is.Uid == want.Uid && is.Gid == want.Gid {
		return err
	}
	if err := file.Chown(int(want.Uid), int(want.Gid)); err != nil {
		return fmt.Errorf("its owner and group cannot be kept: %w", reason(err))
	}
	return nil
}

// access reports what keeps files from being made in a folder.
func access(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
