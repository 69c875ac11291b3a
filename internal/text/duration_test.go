package text

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "15m": 15 * time.Minute, "1h30m": 90 * time.Minute, "30d": 30 * Day, "2w": 14 * Day,
		"1w2d3h": 9*Day + 3*time.Hour, "1d0s": Day, "1.5h": 90 * time.Minute, "1500ms": 1500 * time.Millisecond, "-5m": -5 * time.Minute,
		"36525d": most,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", " ", "5", "m", "d", "-1d", "1.5d", "1d2w", "1d2d", "1d-5m", "1d+5m", "1d5", "36526d", "9999999999d", "1e3s", "5 m", "١d"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func TestFormat(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0", 15 * time.Minute: "15m", 90 * time.Minute: "1h30m", 2 * time.Hour: "2h", 30 * Day: "30d", Day + 12*time.Hour: "1d12h",
		time.Second: "1s", 1500 * time.Millisecond: "1.5s", time.Hour + time.Second: "1h0m1s", Day + time.Minute: "1d1m",
		10*time.Hour + 10*time.Second: "10h0m10s", 20 * time.Minute: "20m", 10 * time.Hour: "10h", 10 * time.Second: "10s",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("%v: got %q, want %q", int64(d), got, want)
		}
	}
}

// Whatever is read is written so that it is read as the same.
func FuzzRoundTrip(f *testing.F) {
	for _, text := range []string{"0", "15m", "1w2d3h4m5s", "1.5h", "10us", "1d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDuration(text)
		if err != nil || d < 0 {
			return
		}
		if again, err := ParseDuration(FormatDuration(d)); err != nil || again != d {
			t.Errorf("%q is %v, written %q, read as %v, %v", text, d, FormatDuration(d), again, err)
		}
	})
}
