package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// act handles a key that changes the board or the selected task, on any screen.
func (m *model) act(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case matches(k, keyAdd):
		m.dialog = m.newAdd()
		return nil
	case matches(k, keyUndo):
		return m.undo(0)
	case matches(k, keySearch):
		return m.search()
	case matches(k, keyFilter):
		return m.pickFilter()
	}
	if cmd, ok := m.steer(k); ok {
		return cmd
	}
	id := m.task()
	do := m.change(k, id)
	if do == nil {
		return m.explain(k)
	}
	if id == 0 {
		m.notice = notice{text: "No task is selected; a adds one"}
		return nil
	}
	return do()
}

// change returns what a key does to a task, or nil if the key changes none.
func (m *model) change(k tea.KeyPressMsg, id pawl.ID) func() tea.Cmd {
	ids := []pawl.ID{id}
	switch {
	case matches(k, keyClaim):
		return func() tea.Cmd { return m.do(id, pawl.ClaimTask{ID: id}) }
	case matches(k, keyStart):
		return func() tea.Cmd { return m.do(id, pawl.Start{IDs: ids}) }
	case matches(k, keyDone):
		return func() tea.Cmd { return m.do(id, pawl.Complete{IDs: ids}) }
	case matches(k, keyReopen):
		return func() tea.Cmd { return m.do(id, pawl.Reopen{IDs: ids}) }
	case matches(k, keyRelease):
		return func() tea.Cmd { return m.do(id, pawl.Release{IDs: ids}) }
	case matches(k, keyHold):
		return func() tea.Cmd { return m.hold(id) }
	case matches(k, keyEdit):
		return func() tea.Cmd { return m.edit(id) }
	case matches(k, keyLink):
		return func() tea.Cmd { return m.link(id) }
	case matches(k, keyNote):
		return func() tea.Cmd { m.dialog = m.newNote(id); return nil }
	case matches(k, keyDelete):
		return func() tea.Cmd { m.dialog = m.newDelete(id); return nil }
	}
	return nil
}

// explain says where a key works, or that it does nothing: without an answer the
// board would seem to hang.
func (m *model) explain(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case matches(k, keyWhole):
		m.screens[onGraph].(*graphScreen).turn(0, m.task())
		return m.jumpTo(onGraph, 0)
	case matches(k, keyMove) && m.where == onLanes:
		m.notice = notice{text: "No card is selected"}
	case matches(k, keyMove):
		m.notice = notice{text: "m moves a card between lanes; b shows the lanes"}
	case matches(k, keyFields):
		m.notice = notice{text: "v shows changed fields, in the timeline (t) and in a task (Enter)"}
	case matches(k, keyPast):
		m.notice = notice{text: ". shows completed tasks, in the graph (g)"}
	case matches(k, keyCentre):
		m.notice = notice{text: "Space centres the graph (g) on the selected task"}
	default:
		name := keyNames(binding{keys: []string{k.String()}}, m.Unicode)
		m.notice = notice{text: text.Line(text.Clip(name, longestName)) + " does nothing here; ? lists the keys"}
	}
	return nil
}

// known returns what was last read of a task, from the lanes or from the current
// screen; nil: nothing.
func (m *model) known(id pawl.ID) *pawl.Task {
	if lane, i, ok := find(m.lanes, id); ok {
		return &m.lanes.Cards[lane][i].Task
	}
	switch s := m.screens[m.where].(type) {
	case *detailScreen:
		if s.found != nil && s.found.at == id && s.found.detail != nil {
			return &s.found.detail.Task
		}
	case *graphScreen:
		if s.found == nil || s.found.graph == nil {
			return nil
		}
		if at := s.found.graph.At(id); at >= 0 {
			return &s.found.graph.Nodes[at].Task
		}
	}
	return nil
}

// name returns a task's number and short subject.
func (m *model) name(id pawl.ID) string {
	t := m.known(id)
	if t == nil {
		return id.String()
	}
	short := pawl.Task{ID: id, Subject: text.Clip(t.Subject, longestName)}
	return show.Name(&short)
}

// hold lifts the hold of a task, or asks for the reason of one.
func (m *model) hold(id pawl.ID) tea.Cmd {
	if t := m.known(id); t != nil && t.Hold != nil {
		return m.do(id, pawl.LiftHold{IDs: []pawl.ID{id}})
	}
	d := m.newAsk("hold "+id.String(), "Why hold "+m.name(id)+"?", pawl.MaxReason, bind("put on hold", "Enter", "enter"))
	d.enter = func(m *model, text string) tea.Cmd {
		return m.carry(answerMsg{about: id, op: pawl.PutHold{IDs: []pawl.ID{id}, Reason: text}, asked: d})
	}
	m.dialog = d
	return nil
}
