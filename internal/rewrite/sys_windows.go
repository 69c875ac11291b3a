package rewrite

import (
	"errors"
	"io/fs"
	"os"

	"github.com/pawl-dev/pawl/internal/filelock"
)

func rename(root *os.Root, from, to string) error {
	return filelock.Patiently(func() error { return root.Rename(from, to) })
}

// settle has nothing to do: names are in the file system's own journal.
func (File) settle(*os.Root) error { return nil }

func syncFolder(string) error { return nil } // as above

func keepOwner(*os.File, fs.FileInfo) error { return nil }

// openPipe opens nothing: pipes are in no folder here.
func openPipe(string, bool) (*os.File, error) { return nil, errors.ErrUnsupported }
