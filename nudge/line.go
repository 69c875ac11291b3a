package nudge

import (
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// Texts of todos, tasks and prompts are data: each stands in one line of ours,
// of bounded length, and cannot end the tag that the whole stands in, be it
// Pawl's or the client's.

// How much of a text is shown, in runes. The whole of it is a call away.
const (
	maxCurrent = 200 // what the agent is to go on with
	maxLine    = 120 // a line among others
	maxName    = 40  // of an owner
)

// line is as much of s as fits into n runes of one line.
func line(s string, n int) string {
	s = strings.TrimSpace(s)
	if cut := (n + 1) * utf8.UTFMax; len(s) > cut { // what is cut off need not be cleaned
		s = strings.ToValidUTF8(s[:cut], "")
	}
	s = untagged(strings.Join(strings.Fields(text.Line(s)), " "))
	if utf8.RuneCountInString(s) > n {
		s = strings.TrimRight(string([]rune(s)[:n-1]), " ") + "…"
	}
	return s
}

// untagged makes arrows of what could be a tag, and leaves arrows as they are.
func untagged(s string) string {
	if !strings.ContainsAny(s, "<>") {
		return s
	}
	return strings.NewReplacer("->", "->", "=>", "=>", "<", "‹", ">", "›").Replace(s)
}

// subject is a task in a line: "#12 Refactor auth".
func subject(t *pawl.Task, n int) string { return t.ID.String() + " " + line(t.Subject, n) }

// tokens estimates what a text costs a model, in sixths of a token. It is meant
// to be too much rather than too little, and is for all that people write: a
// token is three small letters here, where models take about four, one or two
// letters of another script, or one digit. Only noise, such as keys in Base64,
// costs more than this says.
func tokens(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r == ' ' || r >= 'a' && r <= 'z':
			n += 2
		case r >= 'A' && r <= 'Z':
			n += 3
		case r >= '0' && r <= '9':
			n += 6
		case r < utf8.RuneSelf:
			n += 4
		case r < 0x800:
			n += 7
		case r <= 0xffff:
			n += 12
		default:
			n += 24
		}
	}
	return n
}
