//go:build unix

package gitdir

import (
	"io/fs"
	"syscall"
)

// inode tells a file from the one that replaced it.
func inode(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}
