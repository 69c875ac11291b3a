package text

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{-time.Hour, "now"}, {0, "now"}, {59 * time.Second, "now"}, {time.Minute, "1 min"}, {59*time.Minute + 59*time.Second, "59 min"},
		{time.Hour, "1 h"}, {47 * time.Hour, "47 h"}, {48 * time.Hour, "2 d"}, {59 * 24 * time.Hour, "59 d"},
		{60 * 24 * time.Hour, "2 mo"}, {729 * 24 * time.Hour, "24 mo"}, {730 * 24 * time.Hour, "2 y"},
	} {
		if got := Age(c.d); got != c.want {
			t.Errorf("%v is %q, want %q", c.d, got, c.want)
		}
	}
}
