package text

import "strings"

// And joins names as a sentence has them: Claude Code, Codex and Goose.
func And(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
