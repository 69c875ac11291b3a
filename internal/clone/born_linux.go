package clone

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// born is when a file was made, in nanoseconds; 0: the file system does not say.
func born(path string, _ *syscall.Stat_t) int64 {
	var is unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &is)
	if err != nil || is.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return is.Btime.Sec*1e9 + int64(is.Btime.Nsec)
}
