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
		msg := undoneMsg{rev: rev}
		undone, _ := undo().(undoMsg)
		msg.answer, msg.later = undone.answerMsg, undone.later
		return msg
	}
}

// undoneMsg is what came of taking a change back.
type undoneMsg struct {
	rev    pawl.Revision
	answer answerMsg
	later  string // what is in the way; empty: the error says why not
}

// update explains a refusal in the line of the change, where the reader looks.
func (msg undoneMsg) update(m *model) tea.Cmd {
	cmd := msg.answer.update(m)
	err := msg.answer.err
	if err == nil {
		return cmd
	}
	no := refused{set: msg.rev, why: sentence(err)}
	if msg.later != "" {
		no.why = "Since then " + msg.later
	}
	m.notice = notice{text: "Not undone", bad: true}
	if e, ok := errors.AsType[*pawl.Error](err); ok && e.Revision != 0 && e.Revision != msg.rev {
		no.later = e.Revision
		m.notice.text = "Not undone: undo the later change first"
	}
	s := m.screens[onTimeline].(*timelineScreen)
	s.refused = no
	s.reveal(m)
	return cmd
}
