package tui

import (
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// cardKeys returns the keys to name for a card. The likely next step comes first,
// so that a new reader knows how to begin.
func cardKeys(m *model, s *lanesScreen) []binding {
	if !anyCards(m.lanes) && !m.filter.on() {
		return []binding{keyAdd, keyTimeline, keyQuit}
	}
	var keys []binding
	more := []binding{keyAdd, keyUndo, keySearch, keyFilter, keyGraph, keyTimeline, keyQuit}
	if lane, i, ok := find(m.lanes, s.at); ok {
		keys = joined(m.runKeys(&m.lanes.Cards[lane][i].Task), stateKeys(m, &m.lanes.Cards[lane][i])...)
		useful := []binding{keyLink, keyEdit, keyMove, keyNote, keyHold}
		if lane == query.Finished {
			useful = []binding{keyNote, keyMove}
		}
		more = slices.Insert(more, 1, useful...)
	} else if s.onFold(m) {
		keys = []binding{bind("unfold", "Enter", "enter")}
	}
	if m.filter.on() && len(m.before) == 0 {
		more = slices.Insert(more, 0, bind("show all", "Esc", "esc"))
	}
	return joined(keys, more...)
}

// named reports whether a key is among others.
func named(keys []binding, k binding) bool {
	return slices.ContainsFunc(keys, func(o binding) bool { return o.keys[0] == k.keys[0] })
}

// stateKeys returns the keys that are useful for a card in its state.
func stateKeys(m *model, c *query.Card) []binding {
	lift := bind("lift the hold", "h", "h")
	switch c.State {
	case query.Ready:
		return []binding{keyClaim, keyStart, keyDone, keyOpen}
	case query.Taken:
		return []binding{keyOpen, keyRelease, keyNote}
	case query.Working:
		keys := []binding{keyOpen, keyNote, keyRelease}
		if c.Task.Owner == m.By.Name {
			keys = []binding{keyDone, keyRelease, keyNote, keyOpen}
		}
		if c.Task.Hold != nil {
			keys = append([]binding{lift}, keys...)
		}
		return keys
	case query.Done:
		return []binding{keyReopen, keyOpen}
	case query.Held:
		return []binding{lift, keyOpen}
	}
	return []binding{keyOpen, bind("what it waits for", "g", "g")}
}

// taskKeys returns the keys that are useful for a task on a screen that shows it
// in full, so without those that open it.
func taskKeys(m *model, t *pawl.Task) []binding {
	state := query.StateOf(t, m.By.Name)
	keys := slices.DeleteFunc(stateKeys(m, &query.Card{Task: *t, State: state}), func(k binding) bool {
		return named([]binding{keyOpen, keyGraph}, k)
	})
	more := []binding{keyLink, keyEdit, keyNote, keyHold}
	switch state {
	case query.Done:
		more = []binding{keyNote, keyEdit}
	case query.Damaged:
		more = nil
	}
	return joined(joined(m.runKeys(t), keys...), more...)
}

// joined adds more keys, each of them once.
func joined(keys []binding, more ...binding) []binding {
	for _, k := range more {
		if !named(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}
