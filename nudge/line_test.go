package nudge

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A line is cut where it is too long, and says so, whatever it is written in.
func TestLine(t *testing.T) {
	for _, letter := range []string{"a", "é", "漢", "🦀"} {
		for n := 8; n <= 12; n++ {
			got := line(strings.Repeat(letter, n), 10)
			if cut := strings.HasSuffix(got, "…"); utf8.RuneCountInString(got) != min(n, 10) || cut != (n > 10) {
				t.Errorf("of %d times %s a line has %q", n, letter, got)
			}
		}
	}
}
