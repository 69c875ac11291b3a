package filelock

import "os"

// Rename is os.Rename with patience for a file that another process has open; see
// [Patiently].
func Rename(from, to string) error {
	return Patiently(func() error { return os.Rename(from, to) })
}
