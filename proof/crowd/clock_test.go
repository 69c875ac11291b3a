//go:build unix

package crowd_test

import (
	"time"

	"golang.org/x/sys/unix"
)

// monotonic reads the clock that all processes of a machine share and that
// nobody sets: histories of several processes are put in order by it.
func monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return time.Now().UnixNano()
	}
	return ts.Nano()
}
