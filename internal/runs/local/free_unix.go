//go:build unix

package local

import (
	"math"

	"golang.org/x/sys/unix"
)

// Free is how many bytes the disk of a folder has left for the user.
func Free(dir string) int64 {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return math.MaxInt64
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
