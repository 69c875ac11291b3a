//go:build unix

package rewrite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl"
)

func rename(root *os.Root, from, to string) error { return root.Rename(from, to) }

// settle makes the new name survive a power cut.
func (f File) settle(root *os.Root) error {
	dir, err := root.Open(path.Dir(f.Name))
	if err == nil {
		err = dir.Sync()
		dir.Close()
	}
	if err != nil {
		return pawl.Errorf(pawl.Unavailable, "%s was changed, and may be as before after a power cut: %w", f.Path(), err)
	}
	return nil
}

// syncFolder makes a new name survive a power cut.
func syncFolder(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

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
