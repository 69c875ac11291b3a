package todo

import (
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/text"
)

func clip(s string, n int) string { return text.Clip(s, n) }

func count(n int, noun string) string { return text.Count(n, noun, noun+"s") }

// enumerate is a list in a sentence: a, b and c.
func enumerate(words []string) string {
	const most = 6
	if len(words) > most {
		return text.Few(words, most-1)
	}
	return text.And(words)
}

// quoted is a text inside a sentence: short, in one line, and not to be taken
// for the sentence itself.
func quoted(text string) string {
	return strconv.Quote(clip(strings.Join(strings.Fields(text), " "), 80))
}
