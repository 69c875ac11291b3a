package main

import (
	"fmt"
	"slices"
	"strings"
)

// A theme is a terminal's own colours.
type theme struct {
	name, text, ground, border string
	numbered                   map[string]string // as programs ask for them
}

var themes = []theme{
	{"light", "#1f2328", "#ffffff", "#d0d7de", map[string]string{"31": "#cf222e", "32": "#1a7f37", "33": "#9a6700", "34": "#0969da", "35": "#8250df", "36": "#1b7c83"}},
	{"dark", "#e6edf3", "#0d1117", "#30363d", map[string]string{"31": "#ff7b72", "32": "#3fb950", "33": "#d29922", "34": "#58a6ff", "35": "#bc8cff", "36": "#39c5cf"}},
}

// The size of a column, of a row and of the letters, and the room around the
// screen, in tenths of a pixel.
const (
	columnWidth = 84
	rowHeight   = 190
	letters     = 140
	baseline    = 140 // below the upper edge of a row
	margin      = 120
)

// A picture is a screen of that many columns as an SVG: letters on a grid,
// whatever the font of the reader, and no scripts, no fonts and no links.
type picture struct {
	theme
	title   string
	columns int
}

// frameTime is how long each of several screens is seen, in seconds.
const frameTime = 3

// draw returns the SVG of some screens of one height, shown one after another. A
// viewer without animation, or with reduced motion, shows the last one.
func (p picture) draw(frames ...grid) string {
	var b strings.Builder
	p.open(&b, len(frames[0]))
	if len(frames) == 1 {
		p.screen(&b, frames[0])
	} else {
		p.film(&b, frames)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// film draws rows that are the same on all screens once, and the others for each.
func (p picture) film(b *strings.Builder, frames []grid) {
	all := frameTime * len(frames)
	fmt.Fprintf(b, "<style>.f{visibility:hidden;animation:f %ds step-end infinite}.f:last-child{visibility:visible}", all)
	fmt.Fprintf(b, "@keyframes f{0%%{visibility:visible}%.2f%%,to{visibility:hidden}}", 100/float64(len(frames)))
	b.WriteString("@media(prefers-reduced-motion:reduce){.f{animation:none}}</style>\n")
	still := make(grid, len(frames[0]))
	for y, row := range frames[0] {
		if !slices.ContainsFunc(frames, func(g grid) bool { return !slices.Equal(g[y], row) }) {
			still[y] = row
		}
	}
	p.screen(b, still)
	for i, g := range frames {
		fmt.Fprintf(b, "<g class=\"f\" style=\"animation-delay:%ds\">\n", i*frameTime-all)
		changed := make(grid, len(g))
		for y, row := range g {
			if still[y] == nil {
				changed[y] = row
			}
		}
		p.screen(b, changed)
		b.WriteString("</g>\n")
	}
}

func (p picture) open(b *strings.Builder, rows int) {
	w, h := length(p.columns*columnWidth+2*margin), length(rows*rowHeight+2*margin)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%s" fill="%s">`+"\n",
		w, h, w, h, length(letters), p.text)
	fmt.Fprintf(b, "<title>%s</title>\n", escape(p.title))
	fmt.Fprintf(b, `<rect x=".5" y=".5" width="%s" height="%s" rx="8" fill="%s" stroke="%s"/>`+"\n",
		length(p.columns*columnWidth+2*margin-10), length(rows*rowHeight+2*margin-10), p.ground, p.border)
}

// screen draws grounds first, for letters may hang over.
func (p picture) screen(b *strings.Builder, g grid) {
	for y, row := range g {
		p.grounds(b, row, y)
	}
	for y, row := range g {
		for _, r := range runs(row) {
			p.letters(b, r, y)
		}
	}
}

// grounds draws what is behind a row.
func (p picture) grounds(b *strings.Builder, row []glyph, y int) {
	from, x, last := 0, 0, ""
	for i := range len(row) + 1 {
		ground := ""
		if i < len(row) {
			_, ground = p.colours(row[i].style)
		}
		if ground != last {
			if last != "" {
				fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n",
					length(margin+from*columnWidth), length(margin+y*rowHeight), length((x-from)*columnWidth), length(rowHeight), last)
			}
			from, last = x, ground
		}
		if i < len(row) {
			x += row[i].width
		}
	}
}

// A run is glyphs of one row that look the same and are drawn at once.
type run struct {
	text    string
	x       int // the column at which it begins
	columns int
	style   style
	kind    kind
}

type kind uint8

const (
	space kind = iota
	plain      // ASCII
	lines      // drawn as lines and boxes
	sign       // anything else, one by one: each may come from another font
)

func kindOf(char string) kind {
	switch {
	case char == " ":
		return space
	case len(char) == 1:
		return plain
	case shapes[char] != "":
		return lines
	}
	return sign
}

// runs splits a row. A single space within text does not end a run.
func runs(row []glyph) []run {
	var all []run
	x := 0
	for i, g := range row {
		k := kindOf(g.text)
		if k == space && goesOn(row, i-1, g.style) && goesOn(row, i+1, g.style) {
			k = plain
		}
		if last := len(all) - 1; last >= 0 && all[last].style == g.style && all[last].kind == k && k != sign && k != lines {
			all[last].text += g.text
			all[last].columns += g.width
		} else {
			all = append(all, run{g.text, x, g.width, g.style, k})
		}
		x += g.width
	}
	return all
}

// goesOn reports whether a letter of that style stands at a place.
func goesOn(row []glyph, at int, s style) bool {
	return at >= 0 && at < len(row) && row[at].style == s && kindOf(row[at].text) == plain
}

func (p picture) colours(s style) (text, ground string) {
	text, ground = s.text, s.ground
	if colour, ok := p.numbered[text]; ok {
		text = colour
	}
	if s.reverse {
		if text, ground = ground, text; ground == "" {
			ground = p.theme.text
		}
		if text == "" {
			text = p.theme.ground
		}
	}
	return text, ground
}

func (p picture) letters(b *strings.Builder, r run, y int) {
	text, _ := p.colours(r.style)
	look := ""
	if text != "" {
		look = fmt.Sprintf(` fill="%s"`, text)
	}
	if r.style.dim {
		look += ` opacity=".6"`
	}
	left, top := margin+r.x*columnWidth, margin+y*rowHeight
	switch r.kind {
	case lines:
		fmt.Fprintf(b, `<path transform="translate(%s %s)" d="%s"%s/>`+"\n", length(left), length(top), shapes[r.text], look)
	case plain, sign:
		if r.style.bold {
			look += ` font-weight="600"`
		}
		if r.style.italic {
			look += ` font-style="italic"`
		}
		if r.style.underline {
			look += ` text-decoration="underline"`
		}
		fmt.Fprintf(b, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
			length(left), length(top+baseline), length(r.columns*columnWidth), look, escape(r.text))
	}
}

// length writes tenths of a pixel.
func length(tenths int) string {
	if tenths%10 == 0 {
		return fmt.Sprint(tenths / 10)
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
