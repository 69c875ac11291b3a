package clone

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// born is when a folder was made; empty: the file system does not say.
func born(dir string, _ *syscall.Stat_t) string {
	var is unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, dir, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &is)
	if err != nil || is.Mask&unix.STATX_BTIME == 0 || is.Btime.Sec == 0 && is.Btime.Nsec == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%09d", is.Btime.Sec, is.Btime.Nsec)
}
