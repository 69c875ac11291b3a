package tui

import (
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// luminance is that of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// Everything that is written can be read: WCAG AA asks for 4.5, on the grounds
// of common terminals and on our own.
func TestContrast(t *testing.T) {
	if got := contrast(color.White, color.Black); math.Abs(got-21) > 0.01 {
		t.Fatalf("the contrast of black and white is %.2f", got)
	}
	const least = 4.5
	for _, th := range []struct {
		name    string
		dark    bool
		grounds []string
		own     string // the colour of text without a tone
	}{
		{"light", false, []string{"#ffffff", "#f6f7f8", "#fdf6e3", "#eee8d5"}, "#000000"},
		{"dark", true, []string{"#000000", "#15181d", "#1e1e1e", "#002b36", "#282c34", "#2e3440"}, "#ffffff"},
	} {
		grounds := map[string]color.Color{}
		for _, g := range th.grounds {
			grounds[g] = lipgloss.Color(g)
		}
		for _, b := range []back{selected, lifted} {
			grounds[backs[b].light+" or "+backs[b].dark] = backs[b].of(th.dark)
		}
		checked := 0
		for tone, p := range palette {
			c := p.of(th.dark)
			if c == nil {
				c = lipgloss.Color(th.own)
			}
			for name, ground := range grounds {
				checked++
				if got := contrast(c, ground); got < least {
					t.Errorf("%s: tone %d on %s has a contrast of %.2f, want %.1f", th.name, term.Tone(tone), name, got, least)
				}
			}
		}
		if checked < 30 {
			t.Errorf("%s: only %d pairs were checked", th.name, checked)
		}
	}
}
