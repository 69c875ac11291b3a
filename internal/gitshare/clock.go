package gitshare

import (
	"time"

	"github.com/pawl-dev/pawl/internal/process"
	"github.com/pawl-dev/pawl/internal/share"
)

// A clock tells the time of this machine.
type clock struct{}

func (clock) Now() share.Instant { return instant(time.Now()) }

// instant is this moment, with what a wall clock says.
func instant(wall time.Time) share.Instant {
	return share.Instant{Wall: wall.UTC().Truncate(time.Millisecond), Up: process.Uptime(), Boot: process.Boot()}
}
