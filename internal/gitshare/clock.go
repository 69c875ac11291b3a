package gitshare

import (
	"time"

	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/uptime"
)

// A clock tells the time of this machine.
type clock struct{}

func (clock) Now() share.Instant {
	return share.Instant{Wall: time.Now().UTC().Truncate(time.Millisecond), Up: uptime.Since(), Boot: uptime.Boot()}
}
