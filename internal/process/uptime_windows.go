package process

import (
	"time"

	"golang.org/x/sys/windows"
)

// Uptime returns for how long the machine has been running, sleep included.
func Uptime() time.Duration { return windows.DurationSinceBoot() }

// Boot names the run of the machine by the minute that it began in. Where the
// clock is set across a minute the name changes.
func Boot() string {
	return time.Now().Add(-windows.DurationSinceBoot()).UTC().Round(time.Minute).Format(time.RFC3339)
}
