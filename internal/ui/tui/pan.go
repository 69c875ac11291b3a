package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// A pan is the part of many rows that is seen: the number of its first row. It
// may lie outside the rows, because rows come and go and the terminal's size
// changes; within corrects it.
type pan int

// marked is how many columns at the right are kept free for ▲ and ▼, which say
// that there is more.
const marked = 2

// within moves it inside the rows.
func (p pan) within(total, height int) pan { return max(0, min(p, pan(total-height))) }

// to moves it as little as it takes to see a row.
func (p pan) to(row, total, height int) pan {
	return max(min(p, pan(row)), pan(row-height+1)).within(total, height)
}

// key moves it as a key says, and reports false for one that moves nothing.
func (p pan) key(k tea.KeyPressMsg, total, height int) (pan, bool) {
	to, ok := stepped(k, int(p.within(total, height)), total-height, height)
	return pan(to), ok
}

// stepped is the row that a key leads to from another one, of those up to last, and
// false for a key that leads nowhere.
func stepped(k tea.KeyPressMsg, at, last, height int) (int, bool) {
	by := stepOf(k, height)
	return max(0, min(at+by, last)), by != 0
}

// stepOf is how many rows down a key leads, beyond all of them for the first and the
// last; zero: nowhere.
func stepOf(k tea.KeyPressMsg, height int) int {
	page := max(1, height-1) // a row that was seen stays in sight
	switch {
	case matches(k, keyUp):
		return -1
	case matches(k, keyDown):
		return 1
	case matches(k, keyPgUp):
		return -page
	case matches(k, keyPgDn):
		return page
	case matches(k, keyHome):
		return -1 << 30
	case matches(k, keyEnd):
		return 1 << 30
	}
	return 0
}

// draw makes the frame of what is seen. Only the rows that are seen are asked
// for; the cells of each are so wide together as it is told.
func (p pan) draw(sc term.Screen, total, height int, cells func(row, width int) []cell) frame {
	p = p.within(total, height)
	width := sc.Width - marked
	var f frame
	for y := range min(height, total) {
		i := int(p) + y
		mark := ""
		switch {
		case y == 0 && i > 0:
			mark = more(sc.Unicode, "▲", "^")
		case y == height-1 && i < total-1:
			mark = more(sc.Unicode, "▼", "v")
		}
		f = append(f, append(cells(i, width), cell{line: term.Line{{Text: " " + mark, Tone: term.Title}}, width: marked}))
	}
	return f.high(height, sc.Width)
}

func more(unicode bool, modern, plain string) string {
	if unicode {
		return modern
	}
	return plain
}
