package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// undo takes a change back; zero: the last thing that the reader did and that
// was not undone yet.
func (m *model) undo(rev pawl.Revision) tea.Cmd {
	if m.board == nil {
		m.notice = notice{text: "There is no board yet, and nothing to undo"}
		return nil
	}
	ctx, board, by := m.ctx, m.board, m.By
	return func() tea.Msg {
		set, err := changeOf(ctx, board, by.Name, rev)
		if err != nil {
			return answerMsg{err: err}
		}
		op, err := board.UndoOp(ctx, set.Revision)
		if err != nil {
			return answerMsg{err: err}
		}
		msg := answerMsg{op: op}
		var failed error
		result := board.DoThen(ctx, []pawl.Request{{By: by, Op: op}}, func(r pawl.Reader, _ []pawl.Result) {
			var names view.Subjects
			names, failed = view.LoadSubjects(r, set)
			set.Ready = nil // what became ready then is not the news
			msg.said = view.Telling{Names: names, Most: longestName}.Deed(&set)
		})[0]
		switch msg.err = result.Err; {
		case msg.err != nil:
		case failed != nil:
			msg.said = "Undone"
		case !result.Changed:
			msg.said = "Nothing changed; this is undone already: " + msg.said
		default:
			msg.said = "Undone: " + msg.said
		}
		return msg
	}
}

// changeOf finds the change that is to be taken back.
func changeOf(ctx context.Context, board *pawl.Board, name string, rev pawl.Revision) (pawl.ChangeSet, error) {
	if rev == 0 {
		return board.Undoable(ctx, name)
	}
	for set, err := range board.Changes(ctx, pawl.Span{After: rev - 1}) {
		if err != nil || set.Revision == rev {
			return set, err
		}
		break
	}
	return pawl.ChangeSet{}, pawl.Errorf(pawl.NotFound, "there is no change with revision %d", rev)
}
