package text

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Width is how many columns of a terminal s takes. Characters that act on a
// terminal take none.
//
// It is a close guess: scripts whose letters join in ways of their own may take
// a column less. internal/show/term measures columns that must meet exactly.
func Width(s string) int {
	width := 0
	for len(s) > 0 {
		n, w := first(s)
		width += w
		s = s[n:]
	}
	return width
}

// Head is as much of the beginning of s as goes into n columns. It cuts no
// character as readers see them: see first.
func Head(s string, n int) string {
	n = max(n, 0)
	end := 0
	for end < len(s) {
		size, w := first(s[end:])
		if n -= w; n < 0 {
			break
		}
		end += size
	}
	return s[:end]
}

// Tail is as much of the end of s as goes into n columns.
func Tail(s string, n int) string {
	over := Width(s) - max(n, 0)
	for over > 0 {
		size, w := first(s)
		s, over = s[size:], over-w
	}
	return s
}

// first measures what a reader sees as the first character of s: a letter with
// its marks, a flag of two letters, a family of joined emoji.
func first(s string) (size, width int) {
	r, size := utf8.DecodeRuneInString(s)
	if r < 0x7f && (size == len(s) || s[size] < utf8.RuneSelf) { // nearly always
		if r < ' ' {
			return size, 0
		}
		return size, 1
	}
	width = runeWidth(r)
	if unicode.IsControl(r) {
		return size, width
	}
	alone, before := true, r
	for size < len(s) {
		next, n := utf8.DecodeRuneInString(s[size:])
		switch {
		case next == emoji:
			if alone {
				width = 2
			}
		case extends(next):
		case before == joiner && picture(r) && picture(next):
		case alone && flag(r) && flag(next):
			return size + n, 2
		case syllable(before, next):
		default:
			return size, width
		}
		alone, before, size = false, next, size+n
	}
	return size, width
}

const (
	joiner = '\u200d'
	emoji  = '\ufe0f' // says that the sign before it is shown as an emoji
)

// runeWidth is how many columns a character takes that stands alone.
func runeWidth(r rune) int {
	switch {
	case r >= wide[0].from && inTable(wide, r):
		return 2
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp):
		return 0
	}
	return 1
}

// extends reports whether r belongs to the character before it.
func extends(r rune) bool {
	return r == joiner || r == '\u200c' || r >= 0x1f3fb && r <= 0x1f3ff /* skins */ || unicode.IsMark(r)
}

// picture reports whether r may be a part of an emoji of several.
func picture(r rune) bool {
	return r >= 0x2190 && r <= 0x2bff || r >= 0x1f000 && r <= 0x1faff && !flag(r)
}

func flag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// syllable reports whether b goes on the Korean syllable that a is a part of.
func syllable(a, b rune) bool {
	vowel, final := b >= 0x1160 && b <= 0x11a7, b >= 0x11a8 && b <= 0x11ff
	switch {
	case a >= 0x1100 && a <= 0x115f: // an initial
		return vowel || b >= 0x1100 && b <= 0x115f || b >= 0xac00 && b <= 0xd7a3
	case a >= 0xac00 && a <= 0xd7a3:
		return final || vowel && (a-0xac00)%28 == 0
	case a >= 0x1160 && a <= 0x11a7:
		return vowel || final
	case a >= 0x11a8 && a <= 0x11ff:
		return final
	}
	return false
}

// A span is some characters in a row.
type span struct{ from, to rune }

func inTable(table []span, r rune) bool {
	_, found := slices.BinarySearchFunc(table, r, func(s span, r rune) int {
		switch {
		case s.to < r:
			return -1
		case s.from > r:
			return 1
		}
		return 0
	})
	return found
}
