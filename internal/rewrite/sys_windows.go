package rewrite

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

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

func syncFolder(string) error { return nil } // as above

func keepOwner(*os.File, fs.FileInfo) error { return nil }

// openPipe opens nothing: pipes are in no folder here.
func openPipe(string, bool) (*os.File, error) { return nil, errors.ErrUnsupported }
