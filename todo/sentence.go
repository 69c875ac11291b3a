package todo

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// clip shortens s to at most n runes, the last of them an ellipsis.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// quoted is a text inside a sentence: short, in one line, and not to be taken
// for the sentence itself.
func quoted(text string) string {
	return strconv.Quote(clip(strings.Join(strings.Fields(text), " "), 80))
}
