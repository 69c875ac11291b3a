package term

import "strings"

// A canvas is where lines are drawn, cell by cell.
type canvas struct {
	cells [][]cell
}

// A cell says to which sides lines lead from it.
type cell struct {
	sides  side
	thin   bool // of another kind: drawn in dashes
	tone   Tone
	passes bool   // another line goes by, from left to right
	glyph  string // stands there instead of lines
}

type side uint8

const (
	up side = 1 << iota
	down
	left
	right
)

func newCanvas(rows, columns int) *canvas {
	c := &canvas{cells: make([][]cell, rows)}
	for i := range c.cells {
		c.cells[i] = make([]cell, columns)
		for k := range c.cells[i] {
			c.cells[i][k].tone = Quiet
		}
	}
	return c
}

func (c *canvas) add(row, column int, s side, thin bool) {
	cell := &c.cells[row][column]
	cell.thin = thin && (cell.sides == 0 || cell.thin)
	cell.sides |= s
}

// light brings out the line from a cell to the right, down and to the right
// again. Where another one goes by, it keeps its own tone.
func (c *canvas) light(row, column, turn, toRow, toColumn int) {
	on := func(row, column int) {
		if cell := &c.cells[row][column]; !cell.passes {
			cell.tone = Normal
		}
	}
	for x := column + 1; x <= turn; x++ {
		on(row, x)
	}
	for y := row + 1; y < toRow; y++ {
		c.cells[y][turn].tone = Normal
	}
	for x := turn; x < toColumn; x++ {
		on(toRow, x)
	}
}

var (
	boxes  = [16]string{" ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼"}
	dashes = [16]string{up | down: "╎", left | right: "╌"}
	plus   = [16]string{" ", "|", "|", "|", "-", "+", "+", "+", "-", "+", "+", "+", "-", "+", "+", "+"}
	dots   = [16]string{up | down: ":", left | right: "."}
)

func (c cell) empty() bool { return c.sides == 0 && c.glyph == "" }

func (c cell) text(unicode bool) string {
	if c.glyph != "" {
		return c.glyph
	}
	lines, broken := plus, dots
	if unicode {
		lines, broken = boxes, dashes
		switch {
		case c.passes:
			return "┼"
		case c.sides == up|down|left|right:
			return "╋"
		}
	}
	if s := broken[c.sides]; c.thin && s != "" {
		return s
	}
	return lines[c.sides]
}

// row is a row of the canvas as parts of a line, up to the last thing in it.
func (c *canvas) row(i int, unicode bool) Line {
	var line Line
	var b strings.Builder
	tone := Quiet
	cells := c.cells[i]
	for len(cells) > 0 && cells[len(cells)-1].empty() {
		cells = cells[:len(cells)-1]
	}
	for _, cell := range cells {
		if s := cell.text(unicode); s == " " || cell.tone == tone {
			b.WriteString(s)
			continue
		}
		line = append(line, Part{b.String(), tone})
		b.Reset()
		tone = cell.tone
		b.WriteString(cell.text(unicode))
	}
	return append(line, Part{b.String(), tone})
}
