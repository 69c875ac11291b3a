package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// A reader is a dialog with text that is only read.
type reader struct {
	title  string
	lines  func(m *model, width int) []term.Line
	keys   []binding // at the bottom, before that to leave
	leaves []binding // leave it, as keyBack and keyQuit do
	from   pan
}

func (d *reader) draw(m *model, width, _ int) (frame, *tea.Position) {
	lines := d.lines(m, width-marked)
	f := frame{titleRow(m, width, d.title)}
	f = append(f, d.from.draw(m.sc(width), len(lines), min(len(lines), d.height(m)), func(i, w int) []cell {
		return []cell{{line: lines[i], width: w}}
	})...)
	return append(f, keyCells(width, append(d.keys, keyLeave))), nil
}

// height is how many lines are seen at once.
func (*reader) height(m *model) int {
	const others = 2 // title and keys
	return max(1, m.dialogRoom()-others)
}

func (d *reader) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	if from, ok := d.from.key(k, len(d.lines(m, m.width-marked)), d.height(m)); ok {
		d.from = from
	} else if matches(k, append(d.leaves, keyBack, keyQuit)...) {
		m.close()
	}
	return nil
}
