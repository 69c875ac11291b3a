package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// hold lifts the hold of a task, or asks for the reason of one.
func (m *model) hold(id pawl.ID) tea.Cmd {
	if t := m.known(id); t != nil && t.Hold != nil {
		return m.do(id, pawl.LiftHold{IDs: []pawl.ID{id}})
	}
	d := m.newAsk("hold "+id.String(), "Why hold "+m.name(id)+"?", pawl.MaxReason, bind("put on hold", "Enter", "enter"))
	d.enter = func(m *model, text string) tea.Cmd {
		return m.carry(answerMsg{about: id, op: pawl.PutHold{IDs: []pawl.ID{id}, Reason: text}, asked: d})
	}
	m.dialog = d
	return nil
}
