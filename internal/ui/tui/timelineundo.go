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
		undone, _ := undo().(undoMsg)
		return undoneMsg{undone, rev}
	}
}

// undoneMsg is what came of taking a change back.
type undoneMsg struct {
	undoMsg
	rev pawl.Revision
}

// update explains a refusal in the line of the change, where the reader looks.
func (msg undoneMsg) update(m *model) tea.Cmd {
	cmd := msg.answerMsg.update(m)
	if msg.err == nil {
		return cmd
	}
	no := refused{set: msg.rev, why: sentence(msg.err)}
	if msg.later != "" {
		no.why = "Since then " + msg.later
	}
	m.notice = notice{text: "Not undone", bad: true}
	if e, ok := errors.AsType[*pawl.Error](msg.err); ok && e.Revision != 0 && e.Revision != msg.rev {
		no.later = e.Revision
		m.notice.text = "Not undone: undo the later change first"
	}
	s := m.screens[onTimeline].(*timelineScreen)
	s.refused = no
	s.reveal(m)
	return cmd
}
