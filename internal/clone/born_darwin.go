package clone

import (
	"syscall"
	"time"
)

// born is when a file was made; zero: the file system does not say.
func born(_ string, is *syscall.Stat_t) time.Time {
	if at := is.Birthtimespec; at.Sec != 0 {
		return time.Unix(at.Unix())
	}
	return time.Time{}
}
