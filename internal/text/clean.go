package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Line makes s fit to stand in one line of a terminal. Characters that could move
// the cursor, colour the screen, turn the direction of writing or hide themselves
// are spelled out, as \x1b or \u202e; line breaks too.
func Line(s string) string { return clean(s, false) }

// Lines is [Line] for text of several lines: it keeps line breaks and tabs.
func Lines(s string) string { return clean(strings.ReplaceAll(s, "\r\n", "\n"), true) }

func clean(s string, lines bool) string {
	from := 0
	for from < len(s) && s[from] >= ' ' && s[from] < 0x7f {
		from++
	}
	if from == len(s) {
		return s // nearly always
	}
	var b strings.Builder
	b.WriteString(s[:from])
	for _, r := range s[from:] { // a byte that is not UTF-8 comes as U+FFFD
		switch {
		case lines && (r == '\n' || r == '\t'), !hazard(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteByte(' ')
		default:
			b.WriteString(spell(r))
		}
	}
	return b.String()
}

func spell(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	default:
		return fmt.Sprintf(`\U%08x`, r)
	}
}

// hazard reports whether r does something instead of being seen. Joiners, which
// emoji and several scripts need, are none.
func hazard(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r <= 0x9f: // C0, DEL, C1
		return true
	case r < 0x61c:
		return false
	case r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // direction
		return true
	case r == 0x2028, r == 0x2029: // line and paragraph separator
		return true
	case r == 0x180e, r == 0x200b, r >= 0x2060 && r <= 0x2065, r >= 0x206a && r <= 0x206f, r == 0xfeff: // invisible
		return true
	case r >= 0xfff9 && r <= 0xfffb: // annotations, whose text a terminal may hide
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags and their like: a whole hidden alphabet
		return true
	}
	return false
}

// JSON spells hazards in the strings of JSON as \uXXXX, which means the same to
// a program and nothing to a terminal.
func JSON(text []byte) []byte {
	from := 0
	for from < len(text) && text[from] < 0x7f {
		from++ // a control character below the space cannot be in JSON but as white space
	}
	if from == len(text) {
		return text
	}
	out := append(make([]byte, 0, len(text)+len(text)/8), text[:from]...)
	for rest := text[from:]; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r < 0x7f || !hazard(r):
			out = append(out, rest[:n]...)
		case r > 0xffff:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		rest = rest[n:]
	}
	return out
}
