package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/draw"
)

// newAdd asks for a new task. Tab chooses how it stands to the one that the
// reader is at.
func (m *model) newAdd() *ask {
	at := m.task()
	place := alone
	d := &ask{title: "Add a task", field: newField(pawl.MaxSubject, ""), keys: []key.Binding{bind("add", "Enter", "enter")}}
	if at != 0 {
		d.keys = append(d.keys, keyPlace)
		d.below = func(m *model) draw.Line {
			if place == alone {
				return draw.Line{{Text: "   " + place.words(m, at), Tone: draw.Quiet}}
			}
			return draw.Line{{Text: "   " + place.words(m, at)}}
		}
		d.other = func(_ *model, k tea.KeyPressMsg) bool {
			if !key.Matches(k, keyPlace) {
				return false
			}
			place = (place + 1) % numRelations
			return true
		}
	}
	d.enter = func(m *model, text string) tea.Cmd {
		task := place.apply(pawl.NewTask{Subject: text}, at)
		return m.carry(answerMsg{op: pawl.Create{Tasks: []pawl.NewTask{task}}, asked: d})
	}
	return d
}

// keyPlace says how a new task stands to the one that the reader is at.
var keyPlace = bind("before, after or part of it", "Tab", "tab")

// A relation is how a new task stands to another one.
type relation uint8

const (
	alone relation = iota
	behind
	ahead
	within
	numRelations
)

func (r relation) words(m *model, at pawl.ID) string {
	switch r {
	case behind:
		return "It waits for " + m.name(at)
	case ahead:
		return m.name(at) + " waits for it"
	case within:
		return "It is a part of " + m.name(at)
	}
	return "It stands alone; Tab: it waits for " + m.name(at)
}

// apply relates a new task to another one.
func (r relation) apply(t pawl.NewTask, at pawl.ID) pawl.NewTask {
	switch r {
	case behind:
		t.BlockedBy = []pawl.Ref{pawl.RefID(at)}
	case ahead:
		t.Blocks = []pawl.Ref{pawl.RefID(at)}
	case within:
		t.Parent = pawl.RefID(at)
	}
	return t
}
