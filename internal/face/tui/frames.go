package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/view"
)

// The smallest terminal that is drawn on.
const (
	leastWidth  = 60
	leastHeight = 15
)

// frame is the whole screen.
func (m *model) frame() (frame, *tea.Position) {
	w, h := m.width, m.height
	if w == 0 || h == 0 {
		return nil, nil // the terminal has not told its size yet
	}
	if w < leastWidth || h < leastHeight {
		text := fmt.Sprintf("%d×%d is too small, %d×%d is enough", w, h, leastWidth, leastHeight)
		return frame{row(w, draw.Part{Text: text})}.high(h, w), nil
	}
	head, body, foot, cursor := m.parts()
	return append(append(head, body...), foot...), cursor
}

// parts are what the screen is made of, from top to bottom: a heading, the
// screen that is seen, and below it a dialog, or what there is to say and to
// press.
func (m *model) parts() (head, body, foot frame, cursor *tea.Position) {
	w, h := m.width, m.height
	head = frame{m.heading(w)}
	if m.dialog != nil {
		foot, cursor = m.dialog.draw(m, w, m.dialogRoom())
		if cursor != nil {
			cursor.Y += h - len(foot)
		}
	} else {
		foot = frame{m.saying(w), m.keyLine(w)}
	}
	middle := h - len(head) - len(foot)
	if m.fatal != nil {
		body = said(w, draw.Part{Text: sentence(m.fatal), Tone: draw.Bad})
	} else {
		body = m.screens[m.where].draw(m, w, middle)
	}
	return head, body.high(middle, w), foot, cursor
}

// heading says what the board holds, and which part of it is seen. Where every
// lane has its own heading with its count, it does not say it again.
func (m *model) heading(width int) []cell {
	name := " Pawl"
	cells := []cell{{line: draw.Line{{Text: name, Tone: draw.Title}}, width: len(name)}}
	used := len(name)
	add := func(h hit, parts ...draw.Part) {
		w := draw.Width(draw.Line(parts).String())
		if used+w > width {
			return
		}
		cells = append(cells, cell{line: parts, width: w, hit: h})
		used += w
	}
	if m.Name != "" {
		add(hit{}, draw.Part{Text: "  " + m.sc(width/3).Fit(view.Line(m.Name), width/3)})
	}
	if m.lanes != nil {
		for lane := range view.Lane(view.NumLanes) {
			add(hit{kind: hitLane, lane: lane},
				draw.Part{Text: fmt.Sprintf("  %s %s %d", laneGlyph(lane, m.Unicode), lane, m.lanes.Total[lane]), Tone: laneTone(lane)})
		}
	}
	if words := m.filter.words(); words != "" {
		add(hit{kind: hitKey, key: keyFilter.Keys()[0]}, draw.Part{Text: "  "}, draw.Part{Text: m.sc(width-used-8).Fit("only "+words, width-used-8), Tone: draw.Title})
	}
	return append(cells, cell{width: width - used})
}

// saying is the line for what happened last.
func (m *model) saying(width int) []cell {
	tone, mark := draw.Normal, " "
	if m.notice.bad {
		tone, mark = draw.Bad, " ! "
	}
	if m.notice.text == "" {
		return row(width)
	}
	return row(width, draw.Part{Text: mark + m.notice.text, Tone: tone})
}

// keyLine names the keys that are of use here, as many as there is room for. The
// one for help always has some.
func (m *model) keyLine(width int) []cell {
	cells := []cell{{width: 1}}
	last := keyCell(keyHelp)
	used := 1
	for _, k := range m.screens[m.where].keys(m) {
		c := keyCell(k)
		if used+c.width+last.width > width {
			break
		}
		used += c.width
		cells = append(cells, c)
	}
	return append(cells, last, cell{width: max(0, width-used-last.width)})
}

func keyCell(k key.Binding) cell {
	h := k.Help()
	line := draw.Line{{Text: h.Key, Tone: draw.Title}, {Text: " " + h.Desc + "  ", Tone: draw.Quiet}}
	return cell{line: line, width: draw.Width(line.String()), hit: hit{kind: hitKey, key: k.Keys()[0]}}
}

// said is a text at the top of an otherwise empty screen.
func said(width int, parts ...draw.Part) frame {
	f := frame{row(width)}
	for _, p := range parts {
		for _, line := range draw.Wrap(p.Text, width-4) {
			f = append(f, row(width, draw.Part{Text: strings.Repeat(" ", 2) + line, Tone: p.Tone}))
		}
	}
	return f
}
