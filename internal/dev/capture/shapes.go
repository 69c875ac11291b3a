package main

import "fmt"

// shapes are the paths, within one cell of the grid, of the characters that must
// meet their neighbours: lines and blocks. A font's own would leave gaps where rows
// are higher than it expects.
var shapes = makeShapes()

// arms of lines: from the middle of a cell to its edges.
const (
	up = 1 << iota
	right
	down
	left
)

func makeShapes() map[string]string {
	const middleX, middleY, half = columnWidth / 2, rowHeight / 2, 6 // tenths of a pixel
	box := func(x0, y0, x1, y1 int) string {
		return fmt.Sprintf("M%s %sH%sV%sH%sz", length(x0), length(y0), length(x1), length(y1), length(x0))
	}
	all := map[string]string{}
	for char, arms := range map[string]int{
		"─": left | right, "│": up | down, "┌": right | down, "┐": left | down, "└": up | right, "┘": up | left,
		"├": up | right | down, "┤": up | down | left, "┬": right | down | left, "┴": up | right | left, "┼": up | right | down | left,
		"╭": right | down, "╮": left | down, "╰": up | right, "╯": up | left, "╴": left, "╵": up, "╶": right, "╷": down,
	} {
		x0, x1, y0, y1 := middleX-half, middleX+half, middleY-half, middleY+half
		if arms&left != 0 {
			x0 = 0
		}
		if arms&right != 0 {
			x1 = columnWidth
		}
		if arms&up != 0 {
			y0 = 0
		}
		if arms&down != 0 {
			y1 = rowHeight
		}
		if arms&(left|right) != 0 {
			all[char] = box(x0, middleY-half, x1, middleY+half)
		}
		if arms&(up|down) != 0 {
			all[char] += box(middleX-half, y0, middleX+half, y1)
		}
	}
	for char, eighths := range map[string]int{"█": 8, "▉": 7, "▊": 6, "▋": 5, "▌": 4, "▍": 3, "▎": 2, "▏": 1} {
		all[char] = box(0, 0, columnWidth*eighths/8, rowHeight)
	}
	all["━"] = box(0, middleY-10, columnWidth, middleY+10)
	return all
}
