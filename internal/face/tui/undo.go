package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// undo takes a change back; zero: the last thing that the reader did, that was
// not undone yet and can be. What was refused is passed over the next time, or
// one change of which somebody else has made something would bar the way to all
// those before it.
func (m *model) undo(rev pawl.Revision) tea.Cmd {
	if m.board == nil {
		m.notice = notice{text: "Nothing to undo: the project has no board yet"}
		return nil
	}
	ctx, board, by, passed := m.ctx, m.board, m.By, slices.Clone(m.passed)
	m.takeAlong()
	return func() tea.Msg {
		set, err := changeOf(ctx, board, by.Name, rev, passed)
		switch {
		case err != nil && rev == 0 && len(passed) > 0 && pawl.KindOf(err) == pawl.NotFound:
			return undoMsg{answerMsg: answerMsg{err: err, why: "You have nothing more to undo; t shows the history"}, over: true}
		case err != nil:
			return undoMsg{answerMsg: answerMsg{err: err}}
		}
		msg := undoMsg{set: set.Revision, latest: rev == 0}
		msg.take(ctx, board, by, set)
		return msg
	}
}

// undoMsg is what came of taking a change back.
type undoMsg struct {
	answerMsg
	set    pawl.Revision // zero: there was none
	latest bool          // it was asked for as the last one
	over   bool          // all that there is was refused
	deed   string        // what was to be taken back
	later  string        // what is in the way; empty: the error says why not
}

// take takes the change back and puts what came of it in words.
func (msg *undoMsg) take(ctx context.Context, board *pawl.Board, by pawl.Actor, set pawl.ChangeSet) {
	var op pawl.Op
	if op, msg.err = board.UndoOp(ctx, set.Revision); msg.err != nil {
		return
	}
	undid := view.LoadUndid(ctx, board, &set, map[pawl.Revision]pawl.ChangeSet{})
	var names view.Subjects
	var failed error
	results, err := board.DoThen(ctx, []pawl.Request{{By: by, Op: op}}, func(r pawl.Reader, _ []pawl.Result, _ error) {
		names, failed = view.LoadSubjects(r, set)
	})
	set.Ready = nil // what became ready then is not the news
	deed := view.Telling{Names: names, Most: longestName, Words: true, Undid: undid}.Deed(&set)
	switch msg.err = pawl.ErrorAt(err, 0); {
	case msg.err != nil:
		msg.deed, msg.later = deed, view.Barred(ctx, board, &set, msg.err)
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
		m.passed = nil
	case msg.latest && msg.err != nil && pawl.KindOf(msg.err) != pawl.Unavailable:
		m.passed = append(m.passed, msg.set)
		m.passed = m.passed[max(0, len(m.passed)-mostPassed):]
		msg.why = m.refusal(msg.err)
		if msg.later != "" {
			msg.why = fmt.Sprintf("You %s, but since then %s, so that stays", msg.deed, msg.later)
		}
		msg.why += "; u again goes further back"
	}
	return msg.answerMsg.update(m)
}

// mostPassed is how many refused changes are passed over.
const mostPassed = 1_000

// changeOf finds the change that is to be taken back, or the last one by name
// that is not among the passed ones.
func changeOf(ctx context.Context, board *pawl.Board, name string, rev pawl.Revision, passed []pawl.Revision) (pawl.ChangeSet, error) {
	if rev == 0 {
		return board.Undoable(ctx, pawl.Actor{Name: name}, nil, passed...)
	}
	return view.ChangeAt(ctx, board, rev)
}
