package view

import (
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/clean"
)

// Line makes s fit to stand in one line of a terminal, as [clean.Line] says.
func Line(s string) string { return clean.Line(s) }

// Text is [Line] for text of several lines: it keeps line breaks and tabs.
func Text(s string) string { return clean.Text(s) }

// Clip shortens s to at most n runes, the last of them an ellipsis.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}
