package clone

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// born is when a file was made; zero: the file system does not say.
func born(path string, _ *syscall.Stat_t) time.Time {
	var is unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &is)
	if err != nil || is.Mask&unix.STATX_BTIME == 0 || is.Btime.Sec == 0 && is.Btime.Nsec == 0 {
		return time.Time{}
	}
	return time.Unix(is.Btime.Sec, int64(is.Btime.Nsec))
}
