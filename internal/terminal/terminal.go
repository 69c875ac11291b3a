// Package terminal tells what a stream is connected to, and what it can show.
package terminal

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Is reports whether stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isTerminal(f.Fd())
}

// Colour reports whether to write colours to stream: to a terminal that has
// them, unless a variable forbids it; elsewhere if a variable asks for it. The
// one that forbids wins.
func Colour(stream any, getenv func(string) string) bool {
	switch {
	case getenv("NO_COLOR") != "" || off(getenv("FORCE_COLOR")):
		return false
	case getenv("FORCE_COLOR") != "", getenv("CLICOLOR_FORCE") != "" && !off(getenv("CLICOLOR_FORCE")):
		return true
	}
	return !off(getenv("CLICOLOR")) && Moves(stream, getenv)
}

func off(value string) bool { return value == "0" || value == "false" }

// Moves reports whether stream is a terminal that follows escape sequences.
func Moves(stream any, getenv func(string) string) bool {
	return Is(stream) && getenv("TERM") != "dumb"
}

// Unicode reports whether the locale lets programs write more than ASCII.
func Unicode(getenv func(string) string) bool {
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := getenv(key); locale != "" {
			locale = strings.ToLower(locale)
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS == "windows" // which has no such thing, and consoles that can
}

// Bounds of a width: nothing can be laid out in less, and nobody reads more.
const (
	minWidth     = 20
	maxWidth     = 1000
	defaultWidth = 80
)

// Width returns how many columns stream has: what the terminal says, else what
// COLUMNS says, else 80.
func Width(stream any, getenv func(string) string) int {
	n := 0
	if f, ok := stream.(*os.File); ok {
		n = width(f.Fd())
	}
	if n <= 0 {
		n, _ = strconv.Atoi(getenv("COLUMNS"))
	}
	if n <= 0 {
		n = defaultWidth
	}
	return min(max(n, minWidth), maxWidth)
}
