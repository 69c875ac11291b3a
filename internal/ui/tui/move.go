package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A lift is a card that has been picked up. It is carried over the lanes, and
// where it is dropped says what is done with it: nothing happens before.
type lift struct {
	task pawl.ID
	to   query.Lane // over which it is
}

var (
	keyCarry = bind("move", "←→", "left", "right")
	keyDrop  = bind("drop", "Enter", "enter", "m")
	keyPut   = bind("cancel", "Esc", "esc")
)

func liftKeys() []binding { return []binding{keyCarry, keyDrop, keyPut} }

// carry does what a key means while a card is lifted: nothing, for most.
func (s *lanesScreen) carry(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case matches(k, keyHelp):
		return nil, false
	case matches(k, keyDrop):
		return s.drop(m), true
	case matches(k, keyPut, keyQuit):
		s.lift = nil
		s.stay(m)
	case matches(k, keyLeft, keyPrev):
		s.over(int(s.lift.to) - 1)
	case matches(k, keyRight, keyNext):
		s.over(int(s.lift.to) + 1)
	case matches(k, keyUp, keyDown, keyHome, keyEnd, keyPgUp, keyPgDn):
		m.notice = notice{text: "Cards are sorted by priority, then by how many tasks wait for them (e edits the priority)"}
	}
	return nil, true
}

// over carries the lifted card over a lane, if there is such a lane.
func (s *lanesScreen) over(lane int) {
	if lane >= 0 && lane < query.NumLanes {
		s.lift.to = query.Lane(lane)
	}
}

// drop does what gets the lifted card where it is dropped.
func (s *lanesScreen) drop(m *model) tea.Cmd {
	to, card := s.lift.to, s.lifted(m)
	s.lift = nil
	s.stay(m)
	if card == nil || to == query.LaneOf(card.State) {
		return nil
	}
	mv := moveTo(card, to)
	if mv.op == nil {
		m.notice = notice{text: fmt.Sprintf("%s cannot be dropped on %v: %s", m.name(card.Task.ID), to, mv.why), bad: true}
		m.refuse(card.Task.ID, text.Sentence(mv.why))
		return nil
	}
	return m.do(card.Task.ID, mv.op)
}

// lifted is the card that is being carried; nil: it has gone.
func (s *lanesScreen) lifted(m *model) *query.Card {
	if s.lift == nil {
		return nil
	}
	lane, i, ok := find(m.lanes, s.lift.task)
	if !ok {
		return nil
	}
	return &m.lanes.Cards[lane][i]
}

// A move is what it takes to get a card into a lane.
type move struct {
	op   pawl.Op
	does string // in a word or two: "claim it"
	why  string // why no op does that
}

// moveTo says what gets a card into a lane. Whether the board lets it is for the
// board to say.
func moveTo(c *query.Card, to query.Lane) move {
	id := c.Task.ID
	ids := []pawl.ID{id}
	switch to {
	case query.Finished:
		return move{op: pawl.Complete{IDs: ids}, does: "complete it"}
	case query.Doing:
		if c.State == query.Done {
			return move{op: pawl.All{Ops: []pawl.Op{pawl.Reopen{IDs: ids}, pawl.ClaimTask{ID: id}}}, does: "reopen and claim it"}
		}
		return move{op: pawl.ClaimTask{ID: id}, does: "claim it"}
	case query.Pickable:
		switch c.State {
		case query.Done:
			return move{op: pawl.Reopen{IDs: ids}, does: "reopen it"}
		case query.Working:
			return move{op: pawl.Release{IDs: ids}, does: "release it"}
		case query.Held:
			return move{op: pawl.LiftHold{IDs: ids}, does: "lift its hold"}
		case query.Damaged:
			return move{why: "its file cannot be read: pawl doctor explains"}
		}
		return move{why: "it waits for other tasks, and is ready when they are done (g shows them, l unlinks)"}
	}
	switch c.State {
	case query.Done:
		return move{why: "a completed task waits for nothing; r reopens it, then l adds dependencies"}
	case query.Working:
		return move{why: "it is claimed; x releases it, then l adds dependencies, or h puts it on hold"}
	case query.Damaged:
		return move{why: "its file cannot be read: pawl doctor explains"}
	}
	return move{why: "only an open dependency blocks a task: l adds one, or h puts it on hold"}
}

// guest is how many rows the lifted card takes on top of a lane that is not its
// own.
func (s *lanesScreen) guest(m *model, c *column) int {
	if lines := s.guestLines(m, c.lane, c.width); lines != nil {
		return len(lines) + c.density.gap()
	}
	return 0
}

// guestLines are the lifted card over a lane that is not its own: what it is,
// and what dropping it there does.
func (s *lanesScreen) guestLines(m *model, lane query.Lane, width int) []term.Line {
	card := s.lifted(m)
	if card == nil || s.lift.to != lane || s.lift.to == s.lane {
		return nil
	}
	b := cardBuilder{m: m, width: width - cardLead - 2 - cardIndent, density: dense}
	b.subject(card, term.Busy, term.Title, "")
	if mv := moveTo(card, lane); mv.op != nil {
		b.wrap("Drop to "+mv.does, term.Busy, mostReason)
	} else {
		b.wrap("Not here: "+mv.why, term.Bad, mostReason)
	}
	return look{bar: liftBar(m.Unicode)}.dress(b.cardText)
}
