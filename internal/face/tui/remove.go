package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// newDelete asks whether a task shall be deleted.
func (m *model) newDelete(id pawl.ID) *confirm {
	return &confirm{
		title: "Delete " + m.name(id) + "?",
		text:  "What waits for it waits for it no more. u brings it back.",
		yes:   confirming("delete"),
		do:    func(m *model) tea.Cmd { return m.do(0, pawl.Delete{IDs: []pawl.ID{id}}) },
	}
}
