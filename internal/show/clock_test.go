package show

import (
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	now := time.Date(2026, 3, 2, 0, 30, 22, 0, zone)
	for _, c := range []struct {
		zone *time.Location
		at   time.Time
		want string
	}{
		{zone, now.UTC(), "00:30 CET"},
		{zone, now.Add(23 * time.Hour), "23:30 CET"},
		{zone, now.Add(24 * time.Hour), "2026-03-03 00:30 CET"},
		{zone, now.Add(-time.Hour), "2026-03-01 23:30 CET"},
		{zone, time.Time{}, ""},
		{nil, now, "2026-03-01 23:30:22 UTC"},
		{nil, time.Time{}, ""},
	} {
		if got := (Clock{now, c.zone}).Spell(c.at); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
