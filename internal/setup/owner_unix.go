//go:build unix

package setup

import (
	"io/fs"
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

// access reports what keeps files from being made in a folder.
func access(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
