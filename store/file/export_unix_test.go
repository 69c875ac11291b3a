//go:build unix

package file

import "os"

// SyncData makes a file's content survive a power cut, and does nothing else.
func SyncData(f *os.File) error { return syncData(int(f.Fd())) }
