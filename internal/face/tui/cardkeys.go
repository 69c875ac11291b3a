package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// cardKeys returns the keys to name for a card. The likely next step comes first,
// so that a new reader knows how to begin.
func cardKeys(m *model, s *lanesScreen) []key.Binding {
	if !anyCards(m.lanes) && !m.filter.on() {
		return []key.Binding{keyAdd, keyTimeline, keyQuit}
	}
	var keys []key.Binding
	more := []key.Binding{keyAdd, keyUndo, keySearch, keyFilter, keyGraph, keyTimeline, keyQuit}
	if lane, i, ok := find(m.lanes, s.at); ok {
		keys = stateKeys(m, &m.lanes.Cards[lane][i])
		useful := []key.Binding{keyLink, keyEdit, keyMove, keyNote, keyHold}
		if lane == ask.Finished {
			useful = []key.Binding{keyNote, keyMove}
		}
		more = slices.Insert(more, 1, useful...)
	} else if s.onFold(m) {
		keys = []key.Binding{bind("unfold", "Enter", "enter")}
	}
	if m.filter.on() && len(m.before) == 0 {
		more = slices.Insert(more, 0, bind("show all", "Esc", "esc"))
	}
	return joined(keys, more...)
}

// named reports whether a key is among others.
func named(keys []key.Binding, k key.Binding) bool {
	return slices.ContainsFunc(keys, func(o key.Binding) bool { return o.Keys()[0] == k.Keys()[0] })
}

// stateKeys returns the keys that are useful for a card in its state.
func stateKeys(m *model, c *ask.Card) []key.Binding {
	lift := bind("lift the hold", "h", "h")
	switch c.State {
	case ask.Ready:
		return []key.Binding{keyClaim, keyStart, keyDone, keyOpen}
	case ask.Taken:
		return []key.Binding{keyOpen, keyRelease, keyNote}
	case ask.Working:
		keys := []key.Binding{keyOpen, keyNote, keyRelease}
		if c.Task.Owner == m.By.Name {
			keys = []key.Binding{keyDone, keyRelease, keyNote, keyOpen}
		}
		if c.Task.Hold != nil {
			keys = append([]key.Binding{lift}, keys...)
		}
		return keys
	case ask.Done:
		return []key.Binding{keyReopen, keyOpen}
	case ask.Held:
		return []key.Binding{lift, keyOpen}
	}
	return []key.Binding{keyOpen, bind("what it waits for", "g", "g")}
}

// taskKeys returns the keys that are useful for a task on a screen that shows it
// in full, so without those that open it.
func taskKeys(m *model, t *pawl.Task) []key.Binding {
	state := ask.StateOf(t, m.By.Name)
	keys := slices.DeleteFunc(stateKeys(m, &ask.Card{Task: *t, State: state}), func(k key.Binding) bool {
		return named([]key.Binding{keyOpen, keyGraph}, k)
	})
	more := []key.Binding{keyLink, keyEdit, keyNote, keyHold}
	switch state {
	case ask.Done:
		more = []key.Binding{keyNote, keyEdit}
	case ask.Damaged:
		more = nil
	}
	return joined(keys, more...)
}

// joined adds more keys, each of them once.
func joined(keys []key.Binding, more ...key.Binding) []key.Binding {
	for _, k := range more {
		if !named(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}
