package tui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

// A field is one line that is written in. The cursor stands between two
// characters as a reader sees them, never inside of one.
type field struct {
	before, after string // what is left and right of the cursor
	most          int    // how many runes it takes
	lost          int    // how many more were left out, while it is full
}

func newField(most int, text string) field {
	f := field{most: most}
	f.insert(text)
	return f
}

func (f *field) text() string { return f.before + f.after }

// full reports whether nothing more goes in.
func (f *field) full() bool { return utf8.RuneCountInString(f.text()) >= f.most }

// key does what a key means in a line, and reports false for one that means
// nothing there.
func (f *field) key(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "left", "ctrl+b":
		last := lastCharacter(f.before)
		f.before, f.after = f.before[:last], f.before[last:]+f.after
	case "right", "ctrl+f":
		first := len(firstCharacter(f.after))
		f.before, f.after = f.before+f.after[:first], f.after[first:]
	case "home", "ctrl+a":
		f.before, f.after = "", f.text()
	case "end", "ctrl+e":
		f.before, f.after = f.text(), ""
	case "backspace", "ctrl+h", "shift+backspace":
		f.before = f.before[:lastCharacter(f.before)]
	case "delete", "ctrl+d":
		f.after = f.after[len(firstCharacter(f.after)):]
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		f.before = f.before[:lastWord(f.before)]
	case "ctrl+u":
		f.before = ""
	case "ctrl+k":
		f.after = ""
	default:
		if k.Text == "" {
			return false
		}
		f.insert(k.Text)
	}
	f.settle()
	if !f.full() {
		f.lost = 0
	}
	return true
}

// insert puts text before the cursor, as much as there is room for, and counts
// the rest. Its line breaks become spaces, and what cannot be seen is left out.
func (f *field) insert(s string) {
	room := f.most - utf8.RuneCountInString(f.text())
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\r\n\t", r) {
			r = ' '
		}
		switch one := string(r); {
		case text.Line(one) != one:
		case room > 0:
			b.WriteString(one)
			room--
		default:
			f.lost++
		}
	}
	f.before += b.String()
	f.settle()
}

// settle moves the cursor behind the character in which it came to stand,
// because what is beside it has joined it.
func (f *field) settle() {
	text, at := f.text(), 0
	for c := range term.Characters(text) {
		if at >= len(f.before) {
			break
		}
		at += len(c)
	}
	f.before, f.after = text[:at], text[at:]
}

// draw returns as much of the line as goes into n columns, and the column in
// which the cursor is. A mark stands in the place of text that is cut off.
func (f *field) draw(n int, unicode bool) (text string, at int) {
	if term.Width(f.text()) < n { // the cursor needs a column, too
		return f.text(), term.Width(f.before)
	}
	left, right := more(unicode, "‹", "<"), more(unicode, "›", ">")
	room := n - term.Width(left+right)
	ahead := min(max(room/4, room-term.Width(f.before)), term.Width(f.after)+1)
	lead, rest := lastColumns(f.before, room-ahead), term.Head(f.after, ahead)
	if lead != f.before {
		lead = left + lead
	}
	text = lead + rest
	if rest != f.after {
		text += right
	}
	return text, term.Width(lead)
}

// lastColumns is as much of the end of s as goes into n columns.
func lastColumns(s string, n int) string {
	for width := term.Width(s); width > n; {
		c := firstCharacter(s)
		width -= term.Width(c)
		s = s[len(c):]
	}
	return s
}

func firstCharacter(s string) string {
	for c := range term.Characters(s) {
		return c
	}
	return ""
}

// lastCharacter is where the last one begins.
func lastCharacter(s string) int {
	last := ""
	for c := range term.Characters(s) {
		last = c
	}
	return len(s) - len(last)
}

// lastWord is where the last word begins.
func lastWord(s string) int {
	return strings.LastIndexByte(strings.TrimRight(s, " "), ' ') + 1
}
