package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A linking picks the tasks that another one waits for, or that wait for it:
//
//	── What does #5 Write the docs wait for? ──────
//	 ▸ pars
//	 ▸ [x] ◆ #2 Write the parser
//	   [ ] ○ #4 Test the parser
//	 Enter unlink  Tab mark  Shift+Tab reverse  Esc leave
type linking struct {
	pick[pawl.ID]
	id     pawl.ID
	turned bool // what waits for it
	tasks  []pawl.Task
	now    time.Time
	marked map[edge]bool // to be linked, or unlinked
}

// An edge is a link to another task: that one waits, or is waited for.
type edge struct {
	other pawl.ID
	waits bool
}

// keyTurn turns the direction.
var keyTurn = bind("reverse", "Shift+Tab", "shift+tab")

func (m *model) link(id pawl.ID) tea.Cmd {
	d := &linking{id: id, marked: map[edge]bool{}}
	d.empty = "No other task is open"
	d.own = []binding{keyMark, keyTurn}
	d.other = func(m *model, k tea.KeyPressMsg, other *pawl.ID) tea.Cmd {
		switch {
		case matches(k, keyTurn):
			d.turned = !d.turned
		case other != nil:
			d.mark(edge{*other, d.turned})
		}
		d.name(m)
		d.offerTasks(m)
		return nil
	}
	d.choose = d.apply
	d.marks = true
	d.name(m)
	d.begin()
	return m.listing(d)
}

// mark turns a link on or off, for Enter.
func (d *linking) mark(e edge) {
	if d.marked[e] {
		delete(d.marked, e)
	} else {
		d.marked[e] = true
	}
}

// name says what is asked.
func (d *linking) name(m *model) {
	d.title = "What does " + m.name(d.id) + " wait for?"
	if d.turned {
		d.title = "What waits for " + m.name(d.id) + "?"
	}
}

// draw says beside the list what Enter does with it.
func (d *linking) draw(m *model, width, height int) (frame, *tea.Position) {
	now, does := d.pick, "link"
	switch n := len(d.marked); {
	case n > 0:
		does = "save " + text.Count(n, "change", "changes")
	case d.at < len(d.found) && d.items[d.found[d.at]].on:
		does = "unlink"
	}
	now.keys = []binding{bind(does, "Enter", "enter")}
	return now.draw(m, width, height)
}

func (d *linking) list(m *model) tea.Cmd {
	var tasks []pawl.Task
	now := m.boardNow()
	read := func(ctx context.Context, b query.Board, who query.Asker) (err error) {
		tasks, err = readAll(ctx, b, who, pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Order: pawl.ByID})
		return err
	}
	return m.readFor(d, read, func(m *model) tea.Cmd {
		d.tasks, d.now = tasks, now
		return d.offerTasks(m)
	})
}

// offerTasks lists the open tasks, first those that are linked.
func (d *linking) offerTasks(m *model) tea.Cmd {
	var linked, others []item[pawl.ID]
	for i := range d.tasks {
		t := &d.tasks[i]
		if t.ID == d.id {
			continue
		}
		it := m.taskItem(t, d.now)
		is := d.linked(t, d.turned)
		it.on = is != d.marked[edge{t.ID, d.turned}]
		if is {
			linked = append(linked, it)
		} else {
			others = append(others, it)
		}
	}
	return d.offer(m, slices.Concat(linked, others))
}

// linked reports whether there is an edge to a task that waits, or is waited for.
func (d *linking) linked(t *pawl.Task, waits bool) bool {
	if waits {
		return slices.Contains(t.Blockers, d.id)
	}
	return slices.Contains(t.Blocks, d.id)
}

// apply links and unlinks what is marked, or else where the reader is.
func (d *linking) apply(m *model, other pawl.ID) tea.Cmd {
	if len(d.marked) == 0 {
		d.mark(edge{other, d.turned})
	}
	op := pawl.Update{ID: d.id, Was: &pawl.Was{}} // what is marked may be gone
	for i := range d.tasks {
		t := &d.tasks[i]
		for _, c := range []struct {
			waits     bool
			add, take *[]pawl.ID
		}{{false, &op.AddBlockedBy, &op.RemoveBlockedBy}, {true, &op.AddBlocks, &op.RemoveBlocks}} {
			switch linked := d.linked(t, c.waits); {
			case !d.marked[edge{t.ID, c.waits}]:
			case linked:
				*c.take = append(*c.take, t.ID)
			default:
				*c.add = append(*c.add, t.ID)
			}
		}
	}
	return m.do(d.id, op)
}
