package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"github.com/pawl-dev/pawl/internal/draw"
)

// A theme is how tones look. The library brings colours down to what the
// terminal has, and leaves them out where NO_COLOR asks for that, so nothing is
// said by colour alone.
type theme struct {
	dark  bool
	tones [len(palette)]lipgloss.Style
	backs [len(backs)]color.Color
}

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
// contrast of at least 4.5 to the grounds below and to white or black
// (TestContrast).
var palette = [...]pair{
	draw.Normal: {},
	draw.Title:  {},
	draw.Quiet:  {"#5d6470", "#8b93a1"},
	draw.Good:   {"#1a7f4b", "#4ade94"},
	draw.Busy:   {"#a34b08", "#f5a35c"},
	draw.Bad:    {"#b42318", "#f97066"},
}

var backs = [...]pair{noBack: {}, selected: {"#e8ecf1", "#1f2630"}, lifted: {"#fdf0e3", "#2a1c10"}}

func newTheme(dark bool) theme {
	th := theme{dark: dark}
	for tone, p := range palette {
		style := lipgloss.NewStyle()
		if c := p.of(dark); c != nil {
			style = style.Foreground(c)
		}
		th.tones[tone] = style.Bold(draw.Tone(tone) == draw.Title)
	}
	for b, p := range backs {
		th.backs[b] = p.of(dark)
	}
	return th
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

// style is how a part of a cell looks.
func (th *theme) style(tone draw.Tone, on back) lipgloss.Style {
	style := th.tones[tone]
	if c := th.backs[on]; c != nil {
		style = style.Background(c)
	}
	return style
}
