package tui

import (
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// act does what a key means for the task that the reader is at, on whatever
// screen.
func (m *model) act(k tea.KeyPressMsg) tea.Cmd {
	id := m.task()
	ids := []pawl.ID{id}
	switch {
	case id == 0:
		return nil
	case key.Matches(k, keyClaim):
		return m.do(id, pawl.ClaimTask{ID: id})
	case key.Matches(k, keyStart):
		return m.do(id, pawl.Start{IDs: ids})
	case key.Matches(k, keyDone):
		return m.do(id, pawl.Complete{IDs: ids})
	case key.Matches(k, keyReopen):
		return m.do(id, pawl.Reopen{IDs: ids})
	case key.Matches(k, keyRelease):
		return m.do(id, pawl.Release{IDs: ids})
	}
	return nil
}

// do has an op carried out, beside the model. about is the task on whose card a
// refusal is explained; zero: none.
func (m *model) do(about pawl.ID, op pawl.Op) tea.Cmd {
	by, open, ctx := m.By, m.Open, m.ctx
	return func() tea.Msg {
		msg := answerMsg{about: about}
		if msg.board, msg.note, msg.err = open(ctx, true); msg.err != nil {
			return msg
		}
		msg.tell(ctx, pawl.Request{By: by, Op: op})
		return msg
	}
}

// answerMsg is what came of an op.
type answerMsg struct {
	board *pawl.Board
	about pawl.ID
	said  string
	note  string
	made  pawl.ID // the task to go to
	err   error
}

// tell carries out the request and puts what came of it in words.
func (msg *answerMsg) tell(ctx context.Context, request pawl.Request) {
	msg.board.DoThen(ctx, []pawl.Request{request}, func(r pawl.Reader, results []pawl.Result) {
		if msg.err = results[0].Err; msg.err != nil {
			return
		}
		msg.said = fmt.Sprint(view.IDs(results[0].IDs))
	})
}

func (msg answerMsg) update(m *model) tea.Cmd {
	var opened tea.Cmd
	if msg.board != nil && m.board == nil {
		opened = openedMsg{board: msg.board}.update(m)
	}
	if msg.err != nil {
		why := sentence(msg.err)
		m.notice = notice{text: why, bad: true}
		if msg.about != 0 {
			m.why[msg.about] = why
		}
		return opened
	}
	m.notice = notice{text: msg.said}
	if msg.made != 0 {
		m.screens[m.where].show(m, msg.made)
	}
	return tea.Batch(opened, m.reread())
}

// sentence is an error in a line, with what would help.
func sentence(err error) string { return view.Line(err.Error()) }
