package tui

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A searching goes to a task. It finds tasks by number, by words or letters of the
// subject, by owner and labels, and by a part of the description.
type searching struct {
	pick[pawl.ID]
	tasks  []pawl.Task
	now    time.Time
	within map[pawl.ID]bool // those that have what is written in their description
	asked  string           // the text that these were found by
	asking bool
}

// leastSought is the shortest text that is searched in descriptions: a shorter one
// occurs in most of them.
const leastSought = 3

func (m *model) search() tea.Cmd {
	d := &searching{}
	d.title = "Go to a task"
	d.empty = "No tasks yet"
	d.keys = []binding{bind("go there", "Enter", "enter"), bind("choose", "↑↓", "up")}
	d.choose = d.arrive
	d.typed = d.look
	d.begin()
	return m.listing(d)
}

// list reads all tasks, what was touched last first.
func (d *searching) list(m *model) tea.Cmd {
	var tasks []pawl.Task
	now := m.boardNow()
	read := func(ctx context.Context, b query.Board, who query.Asker) (err error) {
		tasks, err = readAll(ctx, b, who, pawl.Query{})
		slices.SortStableFunc(tasks, func(a, b pawl.Task) int {
			return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID))
		})
		return err
	}
	return m.readFor(d, read, func(m *model) tea.Cmd {
		d.tasks, d.now = tasks, now
		if cmd := d.offerTasks(m); m.dialog != dialog(d) {
			return cmd // it has led somewhere
		}
		return d.look(m)
	})
}

func (d *searching) offerTasks(m *model) tea.Cmd {
	items := make([]item[pawl.ID], len(d.tasks))
	for i := range d.tasks {
		items[i] = m.taskItem(&d.tasks[i], d.now)
		items[i].stays = d.within[d.tasks[i].ID]
	}
	return d.offer(m, items)
}

// look finds the tasks that have the text in their description or notes, one look at a
// time: a board may be large.
func (d *searching) look(m *model) tea.Cmd {
	text := d.field.text()
	if d.asking || d.pending || text == d.asked {
		return nil // or later
	}
	if len(text) < leastSought {
		d.within, d.asked = nil, text
		d.offerTasks(m)
		return nil
	}
	d.asking = m.board != nil
	within := map[pawl.ID]bool{}
	read := func(ctx context.Context, b query.Board, who query.Asker) error {
		found, err := query.Of(ctx, b, who, query.TasksQuery{Query: pawl.Query{Text: text, Brief: true, Limit: pawl.MaxPage}})
		for i := range found.Page.Tasks {
			within[found.Page.Tasks[i].ID] = true
		}
		return err
	}
	return m.readFor(d, read, func(m *model) tea.Cmd {
		d.asking, d.within, d.asked = false, within, text
		d.offerTasks(m)
		return d.look(m)
	})
}

// arrive shows a task on the current screen. If the filter hides the task, arrive
// removes the filter.
func (d *searching) arrive(m *model, id pawl.ID) tea.Cmd {
	if !m.filter.on() {
		return m.arrive(id)
	}
	ctx, board, who, selection := m.ctx, m.board, m.who(), m.filter.query
	selection.IDs, selection.Limit = []pawl.ID{id}, 1
	return func() tea.Msg {
		found, err := query.Of(ctx, board, who, query.TasksQuery{Query: selection})
		return then(func(m *model) tea.Cmd {
			switch {
			case err != nil:
				m.notice = notice{text: m.refusal(err), bad: true}
				return nil
			case found.Page.Total == 0:
				m.filter = filter{}
				m.notice = notice{text: "The filter was removed, because it hid " + id.String()}
			}
			return m.arrive(id)
		})
	}
}

// arrive brings the reader to a task.
func (m *model) arrive(id pawl.ID) tea.Cmd {
	if m.where == onTimeline {
		return m.openTask(id)
	}
	if l, ok := m.screens[m.where].(*lanesScreen); ok {
		l.insist = id
	}
	return m.jumpTo(m.where, id)
}
