package term

import (
	"iter"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// A Screen is what lines are drawn for.
type Screen struct {
	Width   int  // in columns
	Unicode bool // more than ASCII can be shown
}

// Width is how many columns of a terminal s takes. Text from outside must have
// been through [Line] before.
func Width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return displaywidth.String(s)
		}
	}
	return len(s) // nearly always
}

// Fit cuts s to at most n columns, the last of them an ellipsis.
func (sc Screen) Fit(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	end := "…"
	if !sc.Unicode {
		end = "..."
	}
	n -= Width(end)
	if n < 0 {
		return strings.Repeat(".", n+Width(end)) // no room for a whole one
	}
	return Head(s, n) + end
}

// Characters yields what a reader sees as one character each: a letter with its
// accents, an emoji of several parts.
func Characters(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for g := displaywidth.StringGraphemes(s); g.Next(); {
			if !yield(g.Value()) {
				return
			}
		}
	}
}

// Head is as much of the beginning of s as goes into n columns. A character, as a
// reader sees it, stays whole.
func Head(s string, n int) string {
	at := 0
	for c := range Characters(s) {
		if n -= Width(c); n < 0 {
			break
		}
		at += len(c)
	}
	return s[:at]
}

// Pad fills s up with spaces to n columns.
func Pad(s string, n int) string { return s + spaces(n-Width(s)) }

// padLeft puts the spaces before s.
func padLeft(s string, n int) string { return spaces(n-Width(s)) + s }

func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }
