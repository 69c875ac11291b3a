package tui

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/show/term"
)

func TestCompose(t *testing.T) {
	for in, want := range map[string]string{
		"cafe\u0301":           "café",
		"A\u030angstro\u0308m": "Ångström",
		"Vie\u0302\u0323t":     "Viê\u0323t", // the library keeps what follows a character like this one
		"\u0301 alone":         "\u0301 alone",
		"z\u0335":              "z\u0335",
		"nothing to do, 解析器 é": "nothing to do, 解析器 é",
	} {
		if got := compose(in); got != want {
			t.Errorf("%+q is composed to %+q, want %+q", in, got, want)
		}
	}
	n := 0
	for _, c := range composed {
		mark, pairs := c.mark, c.pairs
		runes := []rune(pairs)
		for i := 0; i+1 < len(runes); i += 2 {
			n++
			if got := compose(string([]rune{runes[i], mark})); got != string(runes[i+1]) || runes[i] > 'z' || term.Width(got) != 1 {
				t.Errorf("%c with %+q is %q", runes[i], mark, got)
			}
		}
	}
	if n < 350 {
		t.Errorf("only %d letters are composed", n)
	}
}

// Whatever stands in a frame keeps its width.
func FuzzCompose(f *testing.F) {
	f.Add("cafe\u0301 a\u0301\u0300 \u0301")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		if got := compose(text); term.Width(got) != term.Width(text) {
			t.Errorf("%+q is %d wide, %+q %d", text, term.Width(text), got, term.Width(got))
		}
	})
}
