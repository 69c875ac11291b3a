package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/view"
)

// The smallest terminal that is drawn on.
const (
	leastWidth  = 60
	leastHeight = 15
)

// frame is the whole screen: a heading, the screen, and below it a dialog, or
// what there is to say and to press.
func (m *model) frame() (frame, *tea.Position) {
	w, h := m.width, m.height
	if w == 0 || h == 0 {
		return nil, nil // the terminal has not told its size yet
	}
	if w < leastWidth || h < leastHeight {
		text := fmt.Sprintf("%d×%d is too small, %d×%d is enough", w, h, leastWidth, leastHeight)
		return frame{row(w, draw.Part{Text: text})}.high(h, w), nil
	}
	head := frame{m.heading(w)}
	var foot frame
	var cursor *tea.Position
	if m.dialog != nil {
		foot, cursor = m.dialog.draw(m, w, m.dialogRoom())
		if cursor != nil {
			cursor.Y += h - len(foot)
		}
	} else {
		foot = frame{m.saying(w), m.keyLine(w)}
	}
	middle := h - len(head) - len(foot)
	body := m.screens[m.where].draw(m, w, middle)
	return append(append(head, body.high(middle, w)...), foot...), cursor
}

// heading says what the board holds, and which part of it is seen.
func (m *model) heading(width int) []cell {
	line := draw.Line{{Text: " Pawl ", Tone: draw.Title}}
	if m.lanes != nil {
		for lane := range view.Lane(view.NumLanes) {
			line = append(line, draw.Part{Text: fmt.Sprintf("  %s %d", lane, m.lanes.Total[lane]), Tone: laneTone(lane)})
		}
	}
	if words := m.filter.words(); words != "" {
		line = append(line, draw.Part{Text: "  only " + words, Tone: draw.Title})
	}
	return []cell{{line: line, width: width}}
}

// laneTone is that of a lane's name.
func laneTone(l view.Lane) draw.Tone {
	return [...]draw.Tone{view.Blocked: draw.Quiet, view.Pickable: draw.Good, view.Doing: draw.Busy, view.Finished: draw.Quiet}[l]
}

// saying is the line for what happened last.
func (m *model) saying(width int) []cell {
	tone := draw.Normal
	if m.notice.bad {
		tone = draw.Bad
	}
	return row(width, draw.Part{Text: " " + m.notice.text, Tone: tone})
}

// keyLine names the keys that are of use here, as many as there is room for.
func (m *model) keyLine(width int) []cell {
	var cells []cell
	used := 1
	cells = append(cells, cell{width: 1})
	for _, k := range append(m.screens[m.where].keys(m), keyHelp) {
		h := k.Help()
		line := draw.Line{{Text: h.Key, Tone: draw.Title}, {Text: " " + h.Desc + "  ", Tone: draw.Quiet}}
		w := draw.Width(line.String())
		if used+w > width {
			break
		}
		used += w
		cells = append(cells, cell{line: line, width: w, hit: hit{kind: hitKey, key: k.Keys()[0]}})
	}
	return append(cells, cell{width: width - used})
}
