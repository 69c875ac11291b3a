package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
)

// undo undoes a change; zero: the reader's last one that is not undone yet. It
// skips changes whose undo was refused before, or a change that others have built
// upon would block all earlier ones.
func (m *model) undo(rev pawl.Revision) tea.Cmd {
	if m.board == nil {
		m.notice = notice{text: "Nothing to undo: the project has no board yet"}
		return nil
	}
	ctx, board, by, skipped := m.ctx, m.board, m.By, slices.Clone(m.skipped)
	m.takeAlong()
	return func() tea.Msg {
		set, err := changeOf(ctx, board, by.Name, rev, skipped)
		switch {
		case err != nil && rev == 0 && len(skipped) > 0 && pawl.KindOf(err) == pawl.NotFound:
			return undoMsg{answerMsg: answerMsg{err: err, why: "You have nothing more to undo; t shows the history"}, over: true}
		case err != nil:
			return undoMsg{answerMsg: answerMsg{err: err}}
		}
		msg := undoMsg{set: set.Revision, latest: rev == 0}
		msg.take(ctx, board, by, set)
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
func (msg *undoMsg) take(ctx context.Context, board *pawl.Board, by pawl.Actor, set pawl.ChangeSet) {
	undid := ask.LoadUndid(ctx, board, &set, map[pawl.Revision]pawl.ChangeSet{})
	var names ask.Subjects
	var failed error
	results, err := board.DoThen(ctx, []pawl.Request{{By: by, Op: pawl.Undo{Revision: set.Revision}}}, func(r pawl.Reader, _ []pawl.Result, _ error) {
		names, failed = ask.LoadSubjects(r, set)
	})
	set.Ready = nil // what became ready then is not the news
	deed := say.Telling{Names: names, Most: longestName, Words: true, Undid: undid}.Deed(&set)
	switch msg.err = pawl.ErrorAt(err, 0); {
	case msg.err != nil:
		msg.deed, msg.later = deed, say.Barred(ctx, board, &set, msg.err)
	case failed != nil:
		msg.said = "Undone"
	case !results[0].Changed:
		msg.said = "Nothing changed; already undone: " + deed
	default:
		msg.said = "Undone: " + deed
	}
}

func (msg undoMsg) update(m *model) tea.Cmd {
	switch {
	case msg.over:
		m.skipped = nil
	case msg.latest && msg.err != nil && pawl.KindOf(msg.err) != pawl.Unavailable:
		m.skipped = append(m.skipped, msg.set)
		m.skipped = m.skipped[max(0, len(m.skipped)-mostSkipped):]
		msg.why = m.refusal(msg.err)
		if msg.later != "" {
			msg.why = fmt.Sprintf("You %s, but since then %s, so that stays", msg.deed, msg.later)
		}
		msg.why += "; u again goes further back"
	}
	return msg.answerMsg.update(m)
}

// mostSkipped is how many refused changes are skipped.
const mostSkipped = 1_000

// changeOf finds the change to undo: the one with the revision, or the last one by
// name that is not among the skipped ones.
func changeOf(ctx context.Context, board *pawl.Board, name string, rev pawl.Revision, skipped []pawl.Revision) (pawl.ChangeSet, error) {
	if rev == 0 {
		return board.Undoable(ctx, pawl.Actor{Name: name}, nil, skipped...)
	}
	return ask.ChangeAt(ctx, board, rev)
}
