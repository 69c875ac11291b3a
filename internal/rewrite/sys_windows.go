package rewrite

import (
	"errors"
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
