//go:build unix

package userdir

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a file belongs to who runs this.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}
