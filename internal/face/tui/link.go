package tui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// A linking picks the task that another one waits for, or that waits for it.
type linking struct {
	pick[pawl.ID]
	id     pawl.ID
	turned bool // what waits for it
	tasks  []pawl.Task
	now    time.Time
}

// keyTurn turns the direction.
var keyTurn = bind("turn it round", "Tab", "tab")

func (m *model) link(id pawl.ID) tea.Cmd {
	d := &linking{id: id}
	d.empty = "There is no other open task"
	d.keys = []key.Binding{bind("link or unlink", "Enter", "enter")}
	d.own = []key.Binding{keyTurn}
	d.other = func(m *model, _ tea.KeyPressMsg, _ *pawl.ID) tea.Cmd {
		d.turned = !d.turned
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

func (d *linking) name(m *model) {
	d.title = "What does " + m.name(d.id) + " wait for?"
	if d.turned {
		d.title = "What waits for " + m.name(d.id) + "?"
	}
}

func (d *linking) list(m *model) tea.Cmd {
	var tasks []pawl.Task
	var now time.Time
	read := func(r pawl.Reader) (err error) {
		now = r.Now()
		tasks, err = readAll(r, pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Order: pawl.ByID})
		return err
	}
	return m.readFor(d, read, func(m *model) tea.Cmd {
		d.tasks, d.now = tasks, now
		d.offerTasks(m)
		return nil
	})
}

// offerTasks lists the open tasks, first those that are linked.
func (d *linking) offerTasks(m *model) {
	var linked, others []item[pawl.ID]
	for i := range d.tasks {
		t := &d.tasks[i]
		if t.ID == d.id {
			continue
		}
		it := m.taskItem(t, d.now)
		if it.on = d.linked(t); it.on {
			linked = append(linked, it)
		} else {
			others = append(others, it)
		}
	}
	d.offer(m, slices.Concat(linked, others))
}

// linked reports whether there is an edge to a task in the direction that is
// picked from.
func (d *linking) linked(t *pawl.Task) bool {
	if d.turned {
		return slices.Contains(t.Blockers, d.id)
	}
	return slices.Contains(t.Blocks, d.id)
}

// apply links or unlinks.
func (d *linking) apply(m *model, other pawl.ID) tea.Cmd {
	op := pawl.Update{ID: d.id}
	at := slices.IndexFunc(d.tasks, func(t pawl.Task) bool { return t.ID == other })
	linked := at >= 0 && d.linked(&d.tasks[at])
	ids := []pawl.ID{other}
	switch {
	case d.turned && linked:
		op.RemoveBlocks = ids
	case d.turned:
		op.AddBlocks = ids
	case linked:
		op.RemoveBlockedBy = ids
	default:
		op.AddBlockedBy = ids
	}
	return m.do(d.id, op)
}
