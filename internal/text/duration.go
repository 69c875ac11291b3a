package text

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Day is 24 hours, whatever clocks do in summer.
const Day = 24 * time.Hour

var errForm = errors.New("must be a duration, such as 30m or 2d")

// most is a hundred years: no sum of three such overflows.
const most = 36_525 * Day

// ParseDuration reads how long something lasts, as people write it (15m, 1h30m,
// 30d, 2w). It reads what [time.ParseDuration] does, and before it weeks and days. Its
// error goes on where a name stands: must be …
func ParseDuration(text string) (time.Duration, error) {
	sum, rest := time.Duration(0), text
	for _, unit := range []struct {
		name string
		is   time.Duration
	}{{"w", 7 * Day}, {"d", Day}} {
		digits, after, found := strings.Cut(rest, unit.name)
		if !found {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 32)
		if err != nil || n > uint64(most/unit.is) {
			return 0, errForm
		}
		sum += time.Duration(n) * unit.is
		if rest = after; rest == "" {
			return sum, nil
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d > most || d < -most || sum > 0 && (d < 0 || rest[0] == '+') {
		return 0, errForm
	}
	return sum + d, nil
}

// FormatDuration writes a duration in the shortest form that [ParseDuration] reads: 1d12h.
func FormatDuration(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	text := ""
	if days := d / Day; days > 0 {
		text, d = strconv.FormatInt(int64(days), 10)+"d", d%Day
	}
	if d != 0 {
		clock := d.String() // 1h0m0s
		if strings.HasSuffix(clock, "m0s") {
			clock = strings.TrimSuffix(clock, "0s")
		}
		if strings.HasSuffix(clock, "h0m") {
			clock = strings.TrimSuffix(clock, "0m")
		}
		text += clock
	}
	return text
}

// Age is a span of time as people say it: now, 3 min, 5 h, 12 d, 4 mo.
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 2*Day:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d < 60*Day:
		return fmt.Sprintf("%d d", d/Day)
	case d < 730*Day:
		return fmt.Sprintf("%d mo", d/(30*Day))
	}
	return fmt.Sprintf("%d y", d/(365*Day))
}

// Ago says how long before now something was.
func Ago(now, at time.Time) string {
	if age := Age(now.Sub(at)); age != "now" {
		return age + " ago"
	}
	return "just now"
}
