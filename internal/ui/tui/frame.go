package tui

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// A frame is what stands on the screen, row by row. Each row is made of cells
// that stand beside one another, so that a click finds what it is about.
type frame [][]cell

// A cell is one line of one column.
type cell struct {
	line  term.Line
	width int // in columns; the line is cut or filled up to it
	on    back
	hit   hit
}

// A hit is what a click on a cell means. The zero value is nothing.
type hit struct {
	kind hitKind
	task pawl.ID       // of a task
	lane query.Lane    // in which it stands, or which it is
	key  string        // the key that does the same
	set  pawl.Revision // of a change set
	item int           // of a list, by its place in it
}

type hitKind uint8

const (
	hitNothing hitKind = iota
	hitTask
	hitCriterion // of the task that is shown, by item
	hitLane
	hitKey
	hitSet
	hitItem
	hitFold // the row that unfolds what is done
)

// row is a frame's row with a single cell.
func row(width int, parts ...term.Part) []cell {
	return []cell{{line: parts, width: width}}
}

// pointer marks the selected row, because the background alone would be colour
// alone.
func pointer(unicode bool) string { return more(unicode, "▸ ", "> ") }

// at returns what stands in a column of a row.
func (f frame) at(x, y int) hit {
	if y < 0 || y >= len(f) {
		return hit{}
	}
	for _, c := range f[y] {
		if x -= c.width; x < 0 {
			return c.hit
		}
	}
	return hit{}
}

// high makes a frame exactly so many rows high.
func (f frame) high(height, width int) frame {
	for len(f) < height {
		f = append(f, row(width))
	}
	return f[:height]
}

// beside puts frames of one height next to one another.
func beside(frames ...frame) frame {
	out := make(frame, len(frames[0]))
	for _, f := range frames {
		for y := range out {
			out[y] = append(out[y], f[y]...)
		}
	}
	return out
}

// paint is the frame as a terminal gets it.
func (th *theme) paint(f frame, unicode bool) string {
	var b strings.Builder
	for y, cells := range f {
		if y > 0 {
			b.WriteByte('\n')
		}
		th.paintRow(&b, cells, unicode)
	}
	return b.String()
}

// inASCII replaces a non-ASCII character of our own texts by one of the same width.
func inASCII(r rune) rune {
	if r < utf8.RuneSelf {
		return r
	}
	return cmp.Or(partner("←<→>↑^↓v…~·-×x", r), r)
}

// asPicture is the variation selector that turns the character before it into an
// emoji. Terminals disagree about its width, so that the rest of the row would
// shift.
const asPicture = "\ufe0f"

func (th *theme) paintRow(b *strings.Builder, cells []cell, unicode bool) {
	for _, c := range cells {
		used := 0
		for _, p := range (term.Screen{Width: c.width, Unicode: unicode}).Cut(c.line) {
			text := compose(strings.ReplaceAll(p.Text, asPicture, ""))
			if !unicode {
				text = strings.Map(inASCII, text)
			}
			th.write(b, text, p.Tone, c.on)
			used += term.Width(text)
		}
		if space := c.width - used; space > 0 {
			th.write(b, strings.Repeat(" ", space), term.Normal, c.on)
		}
	}
}
