//go:build unix

package uptime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Since returns for how long the machine has been running. Zero: the system does not
// say.
func Since() time.Duration {
	var at unix.Timespec
	if unix.ClockGettime(clock, &at) != nil {
		return 0
	}
	return time.Duration(at.Nano())
}
