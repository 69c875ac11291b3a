package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

// newAdd asks for a new task. Tab chooses its relation to the selected task.
// Several pasted lines become several tasks.
func (m *model) newAdd() *askText {
	at := m.task()
	place := alone
	d := m.newAsk("add", "Add a task", pawl.MaxSubject, bind("add", "Enter", "enter"))
	if at != 0 {
		d.keys = append(d.keys, keyPlace)
		d.below = func(m *model) term.Line {
			if place == alone {
				return term.Line{{Text: "   It is independent; Tab: " + behind.words(m, "it", at), Tone: term.Quiet}}
			}
			return term.Line{{Text: "   " + text.Sentence(place.words(m, "it", at))}}
		}
		d.other = func(_ *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
			if !matches(k, keyPlace) {
				return nil, false
			}
			place = (place + 1) % numRelations
			return nil, true
		}
	}
	d.enter = func(m *model, text string) tea.Cmd {
		task := place.apply(pawl.NewTask{Subject: text}, at)
		return m.carry(answerMsg{op: pawl.Create{Tasks: []pawl.NewTask{task}}, asked: d})
	}
	d.pasted = func(m *model, text string) bool {
		subjects := subjectsOf(d.field.before + text + d.field.after)
		if len(subjects) < 2 {
			return false
		}
		m.dialog = &several{add: d, text: text, subjects: subjects, place: place, at: at}
		return true
	}
	return d
}

// keyPlace chooses how a new task relates to the selected one.
var keyPlace = bind("before, after or part of it", "Tab", "tab")

// A relation is how a new task relates to another one.
type relation uint8

const (
	alone relation = iota
	behind
	ahead
	within
	numRelations
)

// words puts the relation in words; it names the new task.
func (r relation) words(m *model, it string, at pawl.ID) string {
	switch r {
	case behind:
		return it + " waits for " + m.name(at)
	case ahead:
		return m.name(at) + " waits for " + it
	case within:
		return it + " is a part of " + m.name(at)
	}
	return it + " is independent"
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
