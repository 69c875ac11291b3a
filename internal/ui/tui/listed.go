package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// A lister is a dialog that offers what is on the board. It reads for itself,
// since what the screen shows is a part only.
type lister interface {
	dialog
	// list returns what reads the board beside the model, with copies of all that
	// it needs, and hands what it found over in a message.
	list(m *model) tea.Cmd
	// expect says that the first of it is on its way.
	expect()
}

// relist has a dialog read the board again after a change, one read at a time.
func (m *model) relist() tea.Cmd {
	d, ok := m.dialog.(lister)
	if !ok {
		return nil
	}
	if m.reads > 0 {
		m.relists = true
		return nil
	}
	return d.list(m)
}

// listing opens a dialog that offers what is on the board.
func (m *model) listing(d lister) tea.Cmd {
	m.dialog = d
	list := d.list(m)
	if list != nil {
		d.expect()
	}
	return list
}

// readAll reads all tasks that a query chooses, in brief.
func readAll(ctx context.Context, b query.Board, who query.Asker, q pawl.Query) (tasks []pawl.Task, err error) {
	q.Brief, q.Limit = true, pawl.MaxPage
	for t, err := range b.Export(ctx, who, q) {
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// readFor reads the board for a dialog, and then fills that, if it is still the one.
// Without a board it does nothing.
func (m *model) readFor(d dialog, read func(context.Context, query.Board, query.Asker) error, fill then) tea.Cmd {
	if m.board == nil {
		return nil
	}
	m.reads++
	board, who, ctx := m.board, m.who(), m.ctx
	return func() tea.Msg {
		err := read(ctx, board, who)
		return then(func(m *model) tea.Cmd {
			m.reads--
			var again tea.Cmd
			if m.reads == 0 && m.relists {
				m.relists = false
				again = m.relist()
			}
			switch {
			case m.dialog != d || m.ctx.Err() != nil:
				return again
			case err != nil:
				m.close()
				m.notice = notice{text: m.refusal(err), bad: true}
				return again
			}
			return tea.Batch(fill(m), again)
		})
	}
}

// taskItem is a task as it is picked.
func (m *model) taskItem(t *pawl.Task, now time.Time) item[pawl.ID] {
	state := query.StateOf(t, m.By.Name)
	tone := laneTone(query.LaneOf(state))
	if state == query.Held || state == query.Damaged {
		tone = term.Bad
	}
	facts := query.Facts{Now: now, Zone: time.Local, Name: m.By.Name, Shared: m.shared()}
	return item[pawl.ID]{
		value: t.ID, text: show.Name(t), also: whose(t), note: show.Remark(&facts, t),
		glyph: term.Part{Text: state.Glyph(m.Unicode), Tone: tone},
	}
}

// whose is who has a task and what its labels are, as a filter writes them.
func whose(t *pawl.Task) string {
	var words []string
	if t.Owner != "" {
		words = append(words, choice{kind: byOwner, text: t.Owner}.words())
	}
	for _, label := range t.Labels {
		words = append(words, choice{kind: byLabel, text: label}.words())
	}
	return strings.Join(words, " ")
}
