package text

import (
	"fmt"
	"time"
)

// Age is a span of time as people say it: now, 3 min, 5 h, 12 d, 4 mo.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d < 60*day:
		return fmt.Sprintf("%d d", d/day)
	case d < 730*day:
		return fmt.Sprintf("%d mo", d/(30*day))
	}
	return fmt.Sprintf("%d y", d/(365*day))
}

// Ago says how long before now something was.
func Ago(now, at time.Time) string {
	if age := Age(now.Sub(at)); age != "now" {
		return age + " ago"
	}
	return "just now"
}
