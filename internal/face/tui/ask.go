package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/draw"
)

// An ask asks for one line:
//
//	── Hold #3 Write the parser ───────────────────
//	 ▸ waits for the new grammar
//	 Enter hold it  Esc leave
type ask struct {
	title string
	field field
	below func(m *model) draw.Line // a line under the field; nil: none
	keys  []key.Binding            // what there is to press beside Esc
	fault string                   // why Enter did nothing
	enter func(m *model, text string) tea.Cmd
	other func(m *model, k tea.KeyPressMsg) bool // takes keys of its own; nil: none
}

func (d *ask) draw(m *model, width, height int) (frame, *tea.Position) {
	line, cursor := d.field.row(m, width, nil)
	f := frame{titleRow(m, width, d.title), line}
	if d.below != nil {
		f = append(f, row(width, d.below(m)...))
	}
	fault := d.fault
	if d.field.full() {
		fault = "There is no room for more"
	}
	if fault != "" {
		for _, line := range draw.Wrap(fault, width-2) {
			f = append(f, row(width, draw.Part{Text: " " + line, Tone: draw.Bad}))
		}
	} else {
		f = append(f, keyCells(width, append(d.keys, keyLeave)))
	}
	return f[:min(len(f), height)], cursor
}

func (d *ask) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	d.fault = ""
	switch {
	case key.Matches(k, keyBack):
		m.close()
	case key.Matches(k, keyOpen):
		text := strings.TrimSpace(d.field.text())
		if text == "" {
			d.fault = "Nothing is written yet"
			return nil
		}
		m.close()
		return d.enter(m, text)
	case d.other != nil && d.other(m, k):
	default:
		d.field.key(k)
	}
	return nil
}

func (d *ask) paste(_ *model, text string) tea.Cmd {
	d.fault = ""
	d.field.insert(text)
	return nil
}

func (d *ask) click(m *model, h hit) tea.Cmd { return clickKey(m, d, h) }

// titleRow begins a dialog: a rule with its title.
func titleRow(m *model, width int, title string) []cell {
	rule := "─"
	if !m.Unicode {
		rule = "-"
	}
	title = m.sc(width).Fit(title, width-8)
	return row(width,
		draw.Part{Text: strings.Repeat(rule, 2), Tone: draw.Quiet},
		draw.Part{Text: " " + title + " ", Tone: draw.Title},
		draw.Part{Text: strings.Repeat(rule, max(0, width-draw.Width(title)-4)), Tone: draw.Quiet})
}

// row is the field with what stands behind it, and where its cursor is.
func (f *field) row(m *model, width int, behind draw.Line) ([]cell, *tea.Position) {
	lead := " " + pointer(m.Unicode)
	used := draw.Width(lead)
	aside := draw.Width(behind.String())
	text, at := f.draw(width-used-aside-2, m.Unicode)
	return []cell{
		{line: draw.Line{{Text: lead, Tone: draw.Title}, {Text: text}}, width: width - aside - 1},
		{line: behind, width: aside + 1},
	}, &tea.Position{X: used + at, Y: 1}
}

// keyLeave closes a dialog.
var keyLeave = bind("leave", "Esc", "esc")

// keyCells names keys, as many as there is room for.
func keyCells(width int, keys []key.Binding) []cell {
	b := bar{width: width}
	b.add(hit{}, draw.Part{Text: " "})
	for _, k := range keys {
		if !b.add(hit{kind: hitKey, key: k.Keys()[0]}, keyLine(k)...) {
			break
		}
	}
	return b.full()
}

// clickKey does what a click on the name of a key means.
func clickKey(m *model, d dialog, h hit) tea.Cmd {
	if h.kind != hitKey {
		return nil
	}
	return d.key(m, pressOf(h.key))
}
