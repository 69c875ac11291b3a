package term

import (
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"github.com/pawl-dev/pawl/internal/text"
)

// Package columns has no library to ask, and is held to this package's.
func TestColumns(t *testing.T) {
	n := 0
	for r := rune(0x20); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) || r >= 0xfffe && r <= 0xffff { // no characters
			continue
		}
		n++
		if got, want := text.Width(string(r)), displaywidth.Rune(r); got != want {
			t.Errorf("%U is %d wide, the library says %d", r, got, want)
		}
	}
	if n < 1_100_000 {
		t.Errorf("only %d characters were compared", n)
	}
	for _, s := range append([]string{
		"a word", "naïve", "名前", "한글", "\u1112\u1161\u11ab", "שלום", "ที่", "नि", "ＡＢ", "ｱｲ", "🦀", "👩\u200d💻", "👨\u200d👩\u200d👧\u200d👦 home", "👍🏽",
		"🇩🇪", "🇩🇪🇫🇷", "1\ufe0f\u20e3", "⚠", "⚠\ufe0f", "❤\ufe0f\u200d🔥", "○◆→✔⊘", "─│┌┐", "a\u200db", "e\u0301e\u0301", "ሀሁ", "ཀྵ", "각\u11a8",
	}, nasty...) {
		s = text.Line(s)
		if got, want := text.Width(s), Width(s); got != want {
			t.Errorf("%q is %d wide, the library says %d", s, got, want)
		}
	}
}
