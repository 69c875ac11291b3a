package tui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// undoChange takes one change back, whoever made it.
func (m *model) undoChange(rev pawl.Revision) tea.Cmd {
	by, open, ctx := m.By, m.Open, m.ctx
	return func() tea.Msg {
		msg := undoneMsg{rev: rev}
		a := &msg.answer
		if a.board, a.note, a.err = open(ctx, true); a.err != nil {
			return msg
		}
		var op pawl.Op
		if op, a.err = a.board.UndoOp(ctx, rev); a.err == nil {
			a.tell(ctx, pawl.Request{By: by, Op: op})
		}
		return msg
	}
}

// undoneMsg is what came of taking a change back.
type undoneMsg struct {
	rev    pawl.Revision
	answer answerMsg
}

func (msg undoneMsg) update(m *model) tea.Cmd {
	cmd := msg.answer.update(m)
	if msg.answer.err != nil {
		no := refused{set: msg.rev, why: m.notice.text}
		if e, ok := errors.AsType[*pawl.Error](msg.answer.err); ok && e.Revision != msg.rev {
			no.later = e.Revision
		}
		m.screens[onTimeline].(*timelineScreen).refused = no
	}
	return cmd
}
