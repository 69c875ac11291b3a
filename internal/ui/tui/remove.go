package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// newDelete asks before a task is deleted.
func (m *model) newDelete(id pawl.ID) *confirm {
	return &confirm{
		title: "Delete " + m.name(id) + "?",
		text:  "It will no longer block other tasks. u restores it.",
		yes:   confirming("delete"),
		do:    func(m *model) tea.Cmd { return m.do(0, pawl.Delete{IDs: []pawl.ID{id}}) },
	}
}
