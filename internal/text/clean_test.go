package text

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// corpus pairs what a task may say with what a terminal gets to see.
var corpus = []struct{ name, in, line, text string }{
	{"plain", "Write the parser", "Write the parser", "Write the parser"},
	{"letters of the world", "Größe, 名前, עברית, नाम", "Größe, 名前, עברית, नाम", "Größe, 名前, עברית, नाम"},
	{"an emoji made of three", "👩\u200d💻 done", "👩\u200d💻 done", "👩\u200d💻 done"},
	{"a forged line", "a\n[x] #2 fake", `a\n[x] #2 fake`, "a\n[x] #2 fake"},
	{"a forged line by carriage return", "a\r[x] #2 fake", `a\x0d[x] #2 fake`, `a\x0d[x] #2 fake`},
	{"lines of Windows", "a\r\nb", `a\x0d\nb`, "a\nb"},
	{"a tab", "a\tb", "a b", "a\tb"},
	{"colour", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, `\x1b[31mred\x1b[0m`},
	{"clear the screen", "\x1b[2J\x1b[H", `\x1b[2J\x1b[H`, `\x1b[2J\x1b[H`},
	{"write the clipboard (OSC 52)", "\x1b]52;c;cm0gLXJmIH4=\a", `\x1b]52;c;cm0gLXJmIH4=\x07`, `\x1b]52;c;cm0gLXJmIH4=\x07`},
	{"a link that lies (OSC 8)", "\x1b]8;;http://evil\x1b\\here\x1b]8;;\x1b\\", `\x1b]8;;http://evil\x1b\here\x1b]8;;\x1b\`, `\x1b]8;;http://evil\x1b\here\x1b]8;;\x1b\`},
	{"C1 as a character", "\u009b31m", `\x9b31m`, `\x9b31m`},
	{"C1 as a byte", "\x9b31m", "\ufffd31m", "\ufffd31m"},
	{"backspace", "rm -rf /\b\b\b", `rm -rf /\x08\x08\x08`, `rm -rf /\x08\x08\x08`},
	{"delete", "a\x7f", `a\x7f`, `a\x7f`},
	{"NUL", "a\x00b", `a\x00b`, `a\x00b`},
	{"direction", "user\u202etxt.exe", `user\u202etxt.exe`, `user\u202etxt.exe`},
	{"direction by isolates", "\u2066a\u2069\u200f", `\u2066a\u2069\u200f`, `\u2066a\u2069\u200f`},
	{"invisible", "pa\u200bwl\ufeff\u2060", `pa\u200bwl\ufeff\u2060`, `pa\u200bwl\ufeff\u2060`},
	{"separators", "a\u2028b\u2029c", `a\u2028b\u2029c`, `a\u2028b\u2029c`},
	{"a hidden alphabet", "ok\U000e0068\U000e0069", `ok\U000e0068\U000e0069`, `ok\U000e0068\U000e0069`},
	{"broken UTF-8", "a\xc3(\xff", "a\ufffd(\ufffd", "a\ufffd(\ufffd"},
	{"what we spell, said outright", `\x1b[31m`, `\x1b[31m`, `\x1b[31m`},
}

func TestClean(t *testing.T) {
	for _, c := range corpus {
		if got := Line(c.in); got != c.line {
			t.Errorf("%s: Line gives %q, want %q", c.name, got, c.line)
		}
		if got := Lines(c.in); got != c.text {
			t.Errorf("%s: Text gives %q, want %q", c.name, got, c.text)
		}
	}
}

// tame says what is wrong with text that goes to a terminal. It does not use
// hazard, which it is there to check.
func tame(s string, lines bool) string {
	if !utf8.ValidString(s) {
		return "not UTF-8"
	}
	for _, r := range s {
		switch {
		case lines && (r == '\n' || r == '\t'):
		case unicode.Is(unicode.Cc, r):
			return "a control character"
		case unicode.Is(unicode.Bidi_Control, r):
			return "a character that turns the direction"
		case unicode.In(r, unicode.Zl, unicode.Zp):
			return "a separator of lines"
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && r > 0xfffff:
			return "a hidden character"
		}
	}
	return ""
}

func FuzzClean(f *testing.F) {
	for _, c := range corpus {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if fault := tame(Line(s), false); fault != "" {
			t.Errorf("Line(%q) lets through %s", s, fault)
		}
		if fault := tame(Lines(s), true); fault != "" {
			t.Errorf("Text(%q) lets through %s", s, fault)
		}
		if once := Line(s); Line(once) != once {
			t.Errorf("Line(%q) changes when it is cleaned again", s)
		}

		text := must.Get(json.Marshal(map[string]string{"s": s}))(t)
		text = JSON(text)
		if fault := tame(string(text), false); fault != "" {
			t.Errorf("the JSON of %q lets through %s", s, fault)
		}
		var back map[string]string
		if err := json.Unmarshal(text, &back); err != nil || back["s"] != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Errorf("the JSON of %q reads back as %q, %v", s, back["s"], err)
		}
	})
}
