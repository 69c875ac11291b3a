//go:build unix

package rewrite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// keepOwner gives a file the owner and the group of the one whose place it
// takes: under sudo that is the user.
func keepOwner(file *os.File, like fs.FileInfo) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	is, want := info.Sys().(*syscall.Stat_t), like.Sys().(*syscall.Stat_t)
	if is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	if err := file.Chown(int(want.Uid), int(want.Gid)); err != nil {
		return fmt.Errorf("its owner and group cannot be kept: %w", errors.Unwrap(err))
	}
	return nil
}

// openPipe opens a pipe for writing, and nothing else that may be there by now.
func openPipe(name string, through bool) (*os.File, error) {
	flags := os.O_WRONLY | unix.O_NOCTTY
	if !through {
		flags |= unix.O_NOFOLLOW
	}
	file, err := os.OpenFile(name, flags, 0)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		file.Close()
		return nil, errors.Join(errors.New("it was a pipe, and is something else now"), err)
	}
	return file, nil
}
