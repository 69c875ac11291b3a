package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// newNote asks for a remark on a task. What is longer than a line belongs to the
// description, or comes from elsewhere.
func (m *model) newNote(id pawl.ID) *ask {
	d := &ask{title: "Note on " + m.name(id), field: newField(longestNote, ""), keys: []key.Binding{bind("note it", "Enter", "enter")}}
	d.enter = func(m *model, text string) tea.Cmd {
		return m.carry(answerMsg{about: id, op: pawl.AddNote{ID: id, Text: text}, asked: d})
	}
	return d
}

// longestNote is how many runes of a note are written here: with four bytes each
// it is one that the board takes.
const longestNote = pawl.MaxNote / 4
