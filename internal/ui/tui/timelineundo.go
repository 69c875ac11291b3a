package tui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// undo undoes a change, by anybody.
func (s *timelineScreen) undo(m *model, rev pawl.Revision) tea.Cmd {
	undo := m.undo(rev)
	if undo == nil {
		return nil
	}
	return func() tea.Msg {
		msg, _ := undo().(undoMsg)
		return then(func(m *model) tea.Cmd { return s.undone(m, msg, rev) })
	}
}

// undone explains a refusal in the line of the change, where the reader looks.
func (s *timelineScreen) undone(m *model, msg undoMsg, rev pawl.Revision) tea.Cmd {
	cmd := msg.answerMsg.update(m)
	if msg.err == nil {
		return cmd
	}
	no := refused{set: rev, why: sentence(msg.err)}
	if msg.later != "" {
		no.why = "Since then " + msg.later
	}
	m.notice = notice{text: "Not undone", bad: true}
	if e, ok := errors.AsType[*pawl.Error](msg.err); ok && e.Revision != 0 && e.Revision != rev {
		no.later = e.Revision
		m.notice.text = "Not undone: undo the later change first"
	}
	s.refused = no
	s.reveal(m)
	return cmd
}
