package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// undo undoes a change; zero: the reader's last one that is not undone yet. It
// skips changes whose undo was refused before, or a change that others have built
// upon would block all earlier ones.
func (m *model) undo(rev pawl.Revision) tea.Cmd {
	if m.board == nil {
		m.notice = notice{text: "Nothing to undo: the project has no board yet"}
		return nil
	}
	ctx, board, who, skipped, screened := m.ctx, m.board, m.who(), m.skipped, m.Screened
	m.takeAlong()
	return func() tea.Msg {
		op := pawl.Undo{Revision: rev}
		if rev == 0 {
			op = pawl.Undo{Everywhere: true, Pass: skipped}
		}
		msg := undoMsg{latest: rev == 0}
		request := pawl.Request{By: who.By, Op: op}
		if screened != nil {
			if request, msg.err = screened(ctx, board, request); msg.err != nil {
				return msg
			}
		}
		msg.take(ctx, board, who, op.Pass, request)
		return msg
	}
}

// undoMsg is the result of an undo.
type undoMsg struct {
	answerMsg
	set    pawl.Revision // zero: there was none
	latest bool          // it was asked for as the last one
	over   bool          // all that there is was refused
	deed   string        // what was to be taken back
	later  string        // what is in the way; empty: the error says why not
}

// take undoes the change and puts the result in words.
func (msg *undoMsg) take(ctx context.Context, board query.Board, who query.Asker, pass int, request pawl.Request) {
	outcome, err := board.Do(ctx, request, query.WantUndid)
	refused, _ := errors.AsType[*pawl.Error](err)
	switch msg.err = err; {
	case err == nil:
		msg.set = outcome.Result.Undoes
	case refused != nil:
		msg.set = refused.Undoes
	}
	if msg.set == 0 {
		if msg.over = pass > 0 && pawl.KindOf(err) == pawl.NotFound; msg.over {
			msg.why = "You have nothing more to undo; t shows the history"
		}
		return
	}
	told := outcome.Undid
	if err != nil {
		if h, failed := query.Of(ctx, board, who, query.HistoryQuery{At: msg.set}); failed == nil {
			told = h.Told(0)
		}
	}
	deed := ""
	if told != nil {
		deed = show.TellOne(told).Deed(&told.Set)
	}
	switch {
	case err != nil && told != nil:
		msg.deed, msg.later = deed, show.InTheWay(ctx, board, who, err)
	case err != nil:
	case told == nil:
		msg.said = "Undone"
	case !outcome.Result.Changed:
		msg.said = "Nothing changed; already undone: " + deed
	default:
		msg.said = "Undone: " + deed
	}
}

func (msg undoMsg) update(m *model) tea.Cmd {
	switch {
	case msg.over:
		m.skipped = 0
	case msg.latest && msg.set != 0 && msg.err != nil && pawl.KindOf(msg.err) != pawl.Unavailable:
		m.skipped = min(m.skipped+1, pawl.MaxPassed)
		msg.why = m.refusal(msg.err)
		if msg.later != "" {
			msg.why = fmt.Sprintf("You %s, but since then %s, so that stays", msg.deed, msg.later)
		}
		msg.why += "; u again goes further back"
	}
	return msg.answerMsg.update(m)
}

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
