package plan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Box is a line that looks as if it had a check box.
type Box struct {
	Line int
	Text string // what stands behind the box
}

// Boxes counts the check boxes of a text whose first line is the one after so many
// others. It knows no format: the result of a format's reader is compared with it, so
// that no box is lost unnoticed. It passes over comments, front matter and code, but
// not over code that nothing ends.
func Boxes(text string, lines int) []Box {
	var boxes, inCode []Box
	fence, comment := "", false
	front := frontMatter(text)
	for raw := range strings.Lines(text) {
		lines++
		line := strings.TrimSpace(raw)
		switch {
		case front > 0:
			front--
		case fence != "":
			if ClosesFence(line, fence) {
				fence, inCode = "", nil
			} else if rest, is := boxLike(line); is {
				inCode = append(inCode, Box{lines, rest})
			}
		case comment || strings.HasPrefix(line, "<!--"):
			for comment = true; comment; comment = strings.HasPrefix(line, "<!--") {
				var ends bool
				if _, line, ends = strings.Cut(line, "-->"); !ends {
					break
				}
				line = strings.TrimSpace(line)
			}
			if rest, is := boxLike(line); is { // readers pass over all of the line
				boxes = append(boxes, Box{lines, rest})
			}
		default:
			if fence = OpensFence(line); fence != "" {
				continue
			}
			if rest, is := boxLike(line); is {
				boxes = append(boxes, Box{lines, rest})
			}
		}
	}
	return append(boxes, inCode...)
}

// boxLike reports whether a line begins with brackets that have at most one mark in
// them, and are no link.
func boxLike(line string) (rest string, is bool) {
	line = strings.TrimLeft(line, "> \t")
	bare := strings.TrimLeft(line, "0123456789.")
	if bare == line || !strings.HasPrefix(bare, ")") && !strings.HasSuffix(line[:len(line)-len(bare)], ".") {
		bare = line
	}
	bare = strings.TrimLeft(strings.TrimLeft(bare, "-*+•)"), " \t")
	inside, rest, closed := strings.Cut(bare, "]")
	inside, opened := strings.CutPrefix(inside, "[")
	mark := strings.TrimSpace(inside)
	r, size := utf8.DecodeRuneInString(mark)
	if !opened || !closed || len(mark) > size || len(inside) > 8 || unicode.IsDigit(r) || r == '^' || r == '[' || mark == "P" { // [P] is beside others
		return "", false
	}
	return strings.TrimSpace(rest), rest == "" || !strings.ContainsAny(rest[:1], "([:")
}

// OpensFence returns the marks of a line that opens a block of code, or "".
func OpensFence(line string) string {
	m := find(codeMark, line, "`~")
	if m == nil || m[0][0] == '`' && strings.Contains(line[len(m[0]):], "`") {
		return "" // `code` in a line
	}
	return m[0]
}

// ClosesFence reports whether a line ends the block of code that a fence opened.
func ClosesFence(line, fence string) bool {
	rest, ok := strings.CutPrefix(line, fence)
	return ok && strings.TrimSpace(strings.TrimLeft(rest, fence[:1])) == ""
}
