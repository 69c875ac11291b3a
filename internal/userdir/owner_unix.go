//go:build unix

package userdir

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a file belongs to the user of this process.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

// Private reports whether a file belongs to the user of this process, and nobody
// else can have written it.
func Private(info fs.FileInfo) bool { return owned(info) && info.Mode().Perm()&0o022 == 0 }

// Secret reports whether a file belongs to the user of this process, and nobody
// else can read or write it.
func Secret(info fs.FileInfo) bool { return owned(info) && info.Mode().Perm()&0o077 == 0 }
