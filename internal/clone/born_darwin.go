package clone

import (
	"fmt"
	"syscall"
)

// born is when a folder was made; empty: the file system does not say.
func born(_ string, is *syscall.Stat_t) string {
	if at := is.Birthtimespec; at.Sec != 0 {
		return fmt.Sprintf("%d.%09d", at.Sec, at.Nsec)
	}
	return ""
}
