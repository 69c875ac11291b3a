package term

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/text"
)

var (
	modern = Screen{Width: 80, Unicode: true}
	plain  = Screen{Width: 80}
)

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		name, s string
		want    int
	}{
		{"nothing", "", 0},
		{"ASCII", "abc", 3},
		{"an umlaut", "ü", 1},
		{"an umlaut of two characters", "u\u0308", 1},
		{"Chinese", "名前", 4},
		{"Korean, composed", "한글", 4},
		{"Korean, of parts", "\u1112\u1161\u11ab", 2},
		{"Hebrew", "שלום", 4},
		{"Thai, with marks above", "ที่", 1},
		{"full-width letters", "ＡＢ", 4},
		{"half-width kana", "ｱｲ", 2},
		{"an emoji", "🦀", 2},
		{"an emoji of three", "👩\u200d💻", 2},
		{"a skin", "👍🏽", 2},
		{"a flag", "🇩🇪", 2},
		{"a keycap", "1\ufe0f\u20e3", 2},
		{"a sign", "⚠", 1},
		{"a sign as an emoji", "⚠\ufe0f", 2},
		{"our glyphs", "○◆→✔⊘", 5},
		{"lines", "─│┌┐└┘├┤┬┴┼┄┆…", 14},
	} {
		if got := Width(c.s); got != c.want {
			t.Errorf("%s: %q is %d wide, want %d", c.name, c.s, got, c.want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		s           string
		n           int
		want, ascii string
	}{
		{"abc", 3, "abc", "abc"},
		{"abcdef", 5, "abcd…", "ab..."},
		{"名前と住所", 6, "名前…", "名..."},
		{"👩\u200d💻👩\u200d💻", 3, "👩\u200d💻…", "..."},
		{"u\u0308ber alles", 4, "u\u0308be…", "u\u0308..."},
		{"abc", 2, "a…", ".."},
		{"abc", 1, "…", "."},
		{"abc", 0, "", ""},
	} {
		if got := modern.Fit(c.s, c.n); got != c.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
		if got := plain.Fit(c.s, c.n); got != c.ascii {
			t.Errorf("in ASCII Fit(%q, %d) = %q, want %q", c.s, c.n, got, c.ascii)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		n          int
		want       string
	}{
		{"short", "one\n\ntwo", 10, "one||two"},
		{"words", "the quick brown fox", 10, "the quick|brown fox"},
		{"a word that is too long", "see https://example.org/x now", 12, "see|https://exam|ple.org/x|now"},
		{"a list", "- write the parser\n- test", 12, "- write the|  parser|- test"},
		{"a list of numbers", "10. write the parser", 14, "10. write the|    parser"},
		{"an indent", "    if x { return }", 12, "    if x {|    return }"},
		{"too far in", "          abc def", 12, "abc def"},
		{"spaces that fit", "a   b", 10, "a   b"},
		{"a tab", "\ta bcd", 8, "    a|    bcd"},
		{"wide characters", "名前と住所を書く", 6, "名前と|住所を|書く"},
		{"one that is too wide", "名前", 1, "名|前"},
		{"no room for an indent", " 名前", 2, "名|前"},
		{"a dash in a sentence", "yes - or no, who knows", 12, "yes - or no,|who knows"},
	} {
		if got := strings.Join(Wrap(c.text, c.n), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// nasty is text that draws itself in another way than it is long.
var nasty = []string{
	"plain", "名前と住所", "👩\u200d💻 done", "u\u0308\u0308", "\u0301 mark first", "a\tb", "a\n[x] #2 fake", "\x1b[2J", "\u202eevil", "\xff\xfe",
	"1\ufe0f\u20e3 keycap", "🇩🇪🇩", "\u200d\u200d", "\u115f\u1160", "ﷺ", "𒐫", "\ufe0f",
}

func FuzzWidth(f *testing.F) {
	for _, s := range nasty {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = 2 + abs(n)%100 // in one column there are characters that fit no line
		line, text := text.Line(s), text.Lines(s)
		for _, sc := range []Screen{modern, plain} {
			if got := sc.Fit(line, n); Width(got) > n || !utf8.ValidString(got) {
				t.Errorf("%q in %d columns is %q", line, n, got)
			}
		}
		lines := Wrap(text, n)
		for _, got := range lines {
			if Width(got) > n || strings.ContainsFunc(got, unicode.IsControl) {
				t.Errorf("a line of %q in %d columns is %q", text, n, got)
			}
		}
		squeeze := strings.NewReplacer(" ", "", "\t", "", "\n", "")
		if got := squeeze.Replace(strings.Join(lines, "")); got != squeeze.Replace(text) {
			t.Errorf("%q was wrapped to %q", text, lines)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
