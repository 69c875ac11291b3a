package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/view"
)

// cardKeys are the keys worth naming at a card: first what is likely to be done
// with it next, so that whoever sees the board for the first time can begin.
func cardKeys(m *model, s *lanesScreen) []key.Binding {
	if !anyCards(m.lanes) && !m.filter.on() {
		return []key.Binding{keyAdd, keyTimeline, keyQuit}
	}
	var keys []key.Binding
	more := []key.Binding{keyAdd, keyUndo, keySearch, keyFilter, keyGraph, keyTimeline, keyQuit}
	if lane, i, ok := find(m.lanes, s.at); ok {
		keys = stateKeys(m, &m.lanes.Cards[lane][i])
		more = slices.Insert(more, 1, keyLink, keyEdit, keyMove, keyNote, keyHold)
	} else if s.onFold(m) {
		keys = []key.Binding{bind("unfold", "Enter", "enter")}
	}
	for _, k := range more {
		if !named(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// named reports whether a key is among others.
func named(keys []key.Binding, k key.Binding) bool {
	return slices.ContainsFunc(keys, func(o key.Binding) bool { return o.Keys()[0] == k.Keys()[0] })
}

// stateKeys are the keys that are of use for a card in its state.
func stateKeys(m *model, c *view.Card) []key.Binding {
	switch c.State {
	case view.Ready, view.Taken:
		return []key.Binding{keyClaim, keyStart, keyDone, keyOpen}
	case view.Working:
		if c.Task.Owner == m.By.Name {
			return []key.Binding{keyDone, keyRelease, keyNote, keyOpen}
		}
		return []key.Binding{keyOpen, keyNote, keyRelease}
	case view.Done:
		return []key.Binding{keyReopen, keyOpen}
	case view.Held:
		return []key.Binding{bind("let go on", "h", "h"), keyOpen}
	}
	return []key.Binding{keyOpen, bind("what it waits for", "g", "g")}
}

func anyCards(l *view.Lanes) bool {
	if l == nil {
		return false
	}
	for _, n := range l.Total {
		if n > 0 {
			return true
		}
	}
	return false
}

// nothing is an empty board: it says what to do next.
func (m *model) nothing(width, height int) frame {
	switch {
	case m.lanes == nil && m.board != nil:
		return nil // it is being read
	case m.filter.on():
		return said(width, draw.Part{Text: "Nothing matches " + m.filter.words(), Tone: draw.Normal}, draw.Part{Text: "Esc shows everything again", Tone: draw.Quiet})
	}
	return said(width, draw.Part{Text: "Nothing here yet: press a to add the first task", Tone: draw.Normal},
		draw.Part{Text: "What agents and other people add shows up by itself.", Tone: draw.Quiet})
}

// emptyLane is what an empty lane says.
func emptyLane(m *model, lane view.Lane) string {
	switch {
	case m.filter.on():
		return "Nothing that matches"
	case lane == view.Blocked:
		return "Nothing is stuck"
	case lane == view.Doing:
		return "Nobody is at work: c claims a ready task"
	case lane == view.Finished:
		return "Nothing yet: d completes a task"
	case m.lanes.Total[view.Blocked]+m.lanes.Total[view.Doing] > 0:
		return "Nothing can be taken now"
	}
	return "All is done: a adds a task"
}
