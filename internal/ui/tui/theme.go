package tui

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// A theme is how tones look on what they stand on. The library brings colours
// down to what the terminal has, and leaves them out where NO_COLOR asks for
// that, so colour is never the only sign. The zero value is plain text.
type theme [len(backs)][len(palette)]brush

// A back is what a cell stands on.
type back uint8

// The backs.
const (
	noBack   back = iota
	selected      // where the reader is
	lifted        // what the reader is moving
)

// A pair is a colour for light terminals and one for dark ones.
type pair struct{ light, dark string }

// palette is the colours of the tones; none: the terminal's own. Each has a
// contrast of at least 4.5 to the grounds below and to those of usual terminals
// (TestContrast).
var palette = [...]pair{
	term.Normal: {},
	term.Title:  {},
	term.Quiet:  {"#5d6470", "#9aa2af"},
	term.Good:   {"#177445", "#4ade94"},
	term.Busy:   {"#a34b08", "#f5a35c"},
	term.Bad:    {"#b42318", "#fb7c72"},
}

var backs = [...]pair{noBack: {}, selected: {"#e2e8f0", "#263040"}, lifted: {"#fde8d2", "#3a2614"}}

func newTheme(dark bool) theme {
	var th theme
	for b, on := range backs {
		for tone, p := range palette {
			style := lipgloss.NewStyle().Bold(term.Tone(tone) == term.Title)
			if c := p.of(dark); c != nil {
				style = style.Foreground(c)
			}
			if c := on.of(dark); c != nil {
				style = style.Background(c)
			}
			th[b][tone] = brushOf(style)
		}
	}
	return th
}

// A brush is what goes before and behind a text to give it a look.
type brush struct{ before, behind string }

// brushOf has the library tell a style once, not for each of the thousand parts
// of a frame.
func brushOf(style lipgloss.Style) brush {
	const text = "x"
	before, behind, _ := strings.Cut(style.Render(text), text)
	return brush{before, behind}
}

func (p pair) of(dark bool) color.Color {
	c := p.light
	if dark {
		c = p.dark
	}
	if c == "" {
		return nil
	}
	return lipgloss.Color(c)
}

// write writes a text as it looks.
func (th *theme) write(b *strings.Builder, text string, tone term.Tone, on back) {
	look := &th[on][tone]
	b.WriteString(look.before)
	b.WriteString(text)
	b.WriteString(look.behind)
}
