package term

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// tab is how wide a tab is drawn: a terminal's own stops would depend on what
// stands before the text.
const tab = 4

// Wrap breaks cleaned text of several lines so that none is wider than n
// columns. It breaks at spaces; what is too wide for a line is broken anywhere.
// The rest of a line that was broken stands under its first word, so that an
// indented part and the items of a list keep their shape.
func Wrap(text string, n int) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, wrapLine(strings.ReplaceAll(line, "\t", spaces(tab)), max(1, n))...)
	}
	return out
}

func wrapLine(line string, n int) []string {
	line = strings.TrimRight(line, " ")
	if Width(line) <= n {
		return []string{line}
	}
	deepest := min(n/2, n-2) // further in, text cannot be read; and a character may take two columns
	if rest := strings.TrimLeft(line, " "); len(line)-len(rest) > deepest {
		line = rest
	}
	indent := hang(line)
	if indent > deepest {
		indent = 0
	}
	var out []string
	lead := ""
	for {
		first := breakAt(line, n-Width(lead))
		out = append(out, lead+strings.TrimRight(line[:first], " "))
		if line = strings.TrimLeft(line[first:], " "); line == "" {
			return out
		}
		lead = spaces(indent)
	}
}

// hang is the column under which a broken line goes on: after its indent and
// the mark of a list.
func hang(line string) int {
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	mark, _, found := strings.Cut(rest, " ")
	number := strings.TrimRight(mark, ".)")
	switch {
	case !found:
	case mark == "-", mark == "*", mark == "+", mark == ">":
		indent += 2
	case number != mark && number != "" && strings.Trim(number, "0123456789") == "":
		indent += len(mark) + 1
	}
	return indent
}

// breakAt is where the first line of n columns ends: behind the last space that
// fits, else behind the last character. It takes one character at least.
func breakAt(line string, n int) int {
	at, space, begun := 0, 0, false
	for g := displaywidth.StringGraphemes(line); g.Next(); {
		if n -= g.Width(); n < 0 && at > 0 {
			if g.Value() == " " {
				return at
			}
			break
		}
		at += len(g.Value())
		if g.Value() != " " {
			begun = true
		} else if begun {
			space = at
		}
	}
	switch {
	case n >= 0:
		return len(line)
	case space > 0:
		return space
	}
	return at
}
