package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// newNote asks for a remark on a task. A remark longer than a line is written in
// the reader's editor.
func (m *model) newNote(id pawl.ID) *askText {
	d := m.newAsk("note "+id.String(), "Note on "+m.name(id), longestNote, bind("add note", "Enter", "enter"), keyEditor)
	d.enter = func(m *model, text string) tea.Cmd {
		return m.carry(answerMsg{about: id, op: pawl.AddNote{ID: id, Text: text}, asked: d})
	}
	d.other = func(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
		if !matches(k, keyEditor) {
			return nil, false
		}
		m.close()
		m.keep(d.unsent())
		m.notice = notice{}
		return m.noteInEditor(id, d), true
	}
	return d
}

// keyEditor goes on with a text in the editor.
var keyEditor = bind("in your editor", "Ctrl+o", "ctrl+o")

// longestNote is how many runes of a note are written here: with four bytes each
// it is one that the board takes.
const longestNote = pawl.MaxNote / 4
