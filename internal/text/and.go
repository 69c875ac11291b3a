package text

import (
	"fmt"
	"slices"
	"strings"
)

// Few joins the first few of some names: Claude Code, Codex and 2 more.
func Few(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	return And(names)
}

// And joins names as a sentence has them: Claude Code, Codex and Goose.
func And(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Grouped is a number as people read it: 24,763.
func Grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
