//go:build unix

package process

import (
	"time"

	"golang.org/x/sys/unix"
)

// Uptime returns for how long the machine has been running. Zero: the system does not
// say.
func Uptime() time.Duration {
	var at unix.Timespec
	if unix.ClockGettime(clock, &at) != nil {
		return 0
	}
	return time.Duration(at.Nano())
}
