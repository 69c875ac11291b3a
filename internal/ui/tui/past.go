package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// A past keeps a history up to date, one reading at a time.
type past struct {
	history *history // nil: it has not been read yet
	of      span
	reading bool
	stale   bool
	stop    context.CancelFunc // ends the reading
}

// read has a history read, or what is new of it.
func (p *past) read(m *model, s historian, of span) tea.Cmd {
	if of.task != p.of.task {
		p.history = nil
		if p.reading {
			p.stop()
		}
	}
	p.of, p.stale = of, true
	if p.reading {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	p.reading, p.stale, p.stop = true, false, stop
	board, who, known := m.board, m.who(), p.history
	return func() tea.Msg {
		defer stop()
		msg := pastMsg{s: s, of: of}
		msg.history, msg.err = of.read(ctx, board, who, known)
		return msg
	}
}

// pastMsg is what was read of a history.
type pastMsg struct {
	s       historian
	of      span
	history *history
	err     error
}

func (msg pastMsg) update(m *model) tea.Cmd {
	p := msg.s.past()
	p.reading = false
	switch {
	case m.ctx.Err() != nil:
		return nil
	case msg.of.task != p.of.task, msg.err != nil && p.stale: // the reader went on, and may have come back
	case msg.err != nil:
		m.notice = notice{text: sentence(msg.err), bad: true}
	default:
		msg.s.recalled(m, msg.history)
	}
	if p.stale {
		return p.read(m, msg.s, p.of)
	}
	return nil
}
