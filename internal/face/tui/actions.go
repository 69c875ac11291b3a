package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// act does what a key means for the board, or for the task that the reader is
// at, on whatever screen.
func (m *model) act(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyAdd):
		m.dialog = m.newAdd()
		return nil
	case key.Matches(k, keyUndo):
		return m.undo(0)
	case key.Matches(k, keySearch):
		return m.search()
	case key.Matches(k, keyFilter):
		return m.pickFilter()
	}
	id := m.task()
	ids := []pawl.ID{id}
	var do func() tea.Cmd
	switch {
	case key.Matches(k, keyClaim):
		do = func() tea.Cmd { return m.do(id, pawl.ClaimTask{ID: id}) }
	case key.Matches(k, keyStart):
		do = func() tea.Cmd { return m.do(id, pawl.Start{IDs: ids}) }
	case key.Matches(k, keyDone):
		do = func() tea.Cmd { return m.do(id, pawl.Complete{IDs: ids}) }
	case key.Matches(k, keyReopen):
		do = func() tea.Cmd { return m.do(id, pawl.Reopen{IDs: ids}) }
	case key.Matches(k, keyRelease):
		do = func() tea.Cmd { return m.do(id, pawl.Release{IDs: ids}) }
	case key.Matches(k, keyHold):
		do = func() tea.Cmd { return m.hold(id) }
	case key.Matches(k, keyEdit):
		do = func() tea.Cmd { return m.edit(id) }
	case key.Matches(k, keyLink):
		do = func() tea.Cmd { return m.link(id) }
	case key.Matches(k, keyNote):
		do = func() tea.Cmd { m.dialog = m.newNote(id); return nil }
	case key.Matches(k, keyDelete):
		do = func() tea.Cmd { m.dialog = m.newDelete(id); return nil }
	default:
		return nil
	}
	if id == 0 {
		m.notice = notice{text: "There is no task here; a adds one"}
		return nil
	}
	return do()
}

// known is what was last read of a task; nil: nothing.
func (m *model) known(id pawl.ID) *pawl.Task {
	lane, i, ok := find(m.lanes, id)
	if !ok {
		return nil
	}
	return &m.lanes.Cards[lane][i].Task
}

// name is how a task is called, in brief.
func (m *model) name(id pawl.ID) string {
	t := m.known(id)
	if t == nil {
		return id.String()
	}
	short := pawl.Task{ID: id, Subject: view.Clip(t.Subject, longestName)}
	return view.Name(&short)
}
