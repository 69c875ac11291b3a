package show

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl"
)

// Command is the command of a check, word by word, as it will run, and as shown to a person
// who is asked to trust it.
func Command(c *pawl.Check) string {
	words := make([]string, len(c.Run))
	for i, word := range c.Run {
		if Escaped(word) == word && !strings.ContainsRune(word, '\\') {
			words[i] = (&pawl.Check{Run: c.Run[i : i+1]}).Command() // as it is typed
		} else {
			words[i] = `"` + strings.ReplaceAll(Escaped(strings.ReplaceAll(word, `\`, `\\`)), `"`, `\"`) + `"`
		}
	}
	return strings.Join(words, " ")
}

// Escaped is a text by anybody as it can be shown whole: it spells out what a terminal
// would act on, so that nothing can hide.
func Escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == ' ' || unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) && !unicode.Is(unicode.Cf, r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}
