package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A lanesScreen shows the board as columns of cards. The reader is at a card, or
// at the row below those that are done, which unfolds more of them, or in an
// empty lane. A card that the reader moves takes the reader along; one that
// somebody else moves leaves its neighbour.
type lanesScreen struct {
	at     pawl.ID
	lane   query.Lane
	base   query.Lane              // the lane to which the reader went, and did not follow a card
	index  [query.NumLanes]int     // in each lane, where the reader is or was
	top    [query.NumLanes]int     // the first card seen
	topped [query.NumLanes]pawl.ID // and which it is, zero: the first of all
	had    [query.NumLanes]bool    // which lanes have had cards since the reader came to this one
	eye    int                     // the row from which the reader set off to the side; zero: none
	done   int                     // how many cards of what is done are wanted
	sought bool                    // at has no card yet; a look is on its way
	insist pawl.ID                 // is shown in full if it is not among the cards; zero: none
	began  bool                    // the reader has been put somewhere
	follow pawl.ID                 // the card with which the reader is doing something
	left   left                    // the card that went away last
	lift   *lift                   // nil: no card is being moved
}

// unfolded is how many more completed tasks one key shows.
const unfolded = 100

func newLanesScreen() *lanesScreen { return &lanesScreen{lane: query.Pickable, base: query.Pickable} }

func (s *lanesScreen) read(*model) func(context.Context, query.Board) (any, error) { return nil }

// take finds the reader's card again on a board that has changed.
func (s *lanesScreen) take(m *model, _ any) {
	s.keepTops(m)
	switch lane, i, ok := find(m.lanes, s.at); {
	case ok && lane != s.lane && !s.goesAlong():
		s.leave(m, &m.lanes.Cards[lane][i])
	case ok:
		if s.sought || !s.began {
			s.come(m, lane)
		}
		s.lane, s.index[lane], s.sought = lane, i, false
		if lane == query.Finished {
			s.done = max(s.done, i+1) // so that it stays
		}
	case s.sought && m.feed.stale:
		return // a look that knows of it is on its way
	case !s.began, s.at != 0 && s.items(m, s.lane) == 0: // a filter may have taken all of a lane
		s.come(m, firstLane(m.lanes))
	}
	s.remember(m, false)
	s.began, s.sought = s.began || anyCards(m.lanes), false
	s.stay(m)
	if s.lift != nil && s.lift.task != s.at {
		m.notice = notice{text: fmt.Sprintf("%v is no longer here", s.lift.task)}
		s.lift = nil
	}
}

// beyond is the task that the reader asked for and that has no card, because it
// was done too long ago; zero: none.
func (s *lanesScreen) beyond(m *model) pawl.ID {
	id := s.insist
	if id == 0 || s.sought {
		return 0
	}
	s.insist = 0
	if _, _, ok := find(m.lanes, id); ok || m.where != onLanes {
		return 0
	}
	return id
}

// keepTops lets every lane begin with the card that it began with, whatever came
// in above it, unless that was the first.
func (s *lanesScreen) keepTops(m *model) {
	for lane := range query.Lane(query.NumLanes) {
		if id := s.topped[lane]; id != 0 {
			if in, i, ok := find(m.lanes, id); ok && in == lane {
				s.top[lane] = i
			}
		}
	}
}

// firstLane is where a reader begins: with what can be done.
func firstLane(l *query.Lanes) query.Lane {
	for _, lane := range []query.Lane{query.Pickable, query.Doing, query.Blocked, query.Finished} {
		if len(l.Cards[lane]) > 0 {
			return lane
		}
	}
	return query.Pickable
}

// find says where a card is.
func find(l *query.Lanes, id pawl.ID) (query.Lane, int, bool) {
	if l == nil || id == 0 {
		return 0, 0, false
	}
	for lane := range l.Cards {
		for i := range l.Cards[lane] {
			if l.Cards[lane][i].Task.ID == id {
				return query.Lane(lane), i, true
			}
		}
	}
	return 0, 0, false
}

// folded is how many of those that are done were not read.
func (s *lanesScreen) folded(m *model) int {
	if m.lanes == nil {
		return 0
	}
	return m.lanes.Total[query.Finished] - len(m.lanes.Cards[query.Finished])
}

// items is how many places of a lane the reader can be at.
func (s *lanesScreen) items(m *model, lane query.Lane) int {
	if m.lanes == nil {
		return 0
	}
	n := len(m.lanes.Cards[lane])
	if lane == query.Finished && s.folded(m) > 0 {
		n++
	}
	return n
}

// stay puts the reader where lane and index say, as far as there is such a
// place.
func (s *lanesScreen) stay(m *model) {
	i := max(0, min(s.index[s.lane], s.items(m, s.lane)-1))
	s.index[s.lane], s.at = i, 0
	if m.lanes != nil && i < len(m.lanes.Cards[s.lane]) {
		s.at = m.lanes.Cards[s.lane][i].Task.ID
	}
	if c := s.own(m); c != nil { // a card may be carried far from it
		s.rest(m, s.lane, c.from)
	}
}

// rest keeps from where on a lane is seen.
func (s *lanesScreen) rest(m *model, lane query.Lane, top int) {
	s.top[lane], s.topped[lane] = top, 0
	if top > 0 && top < len(m.lanes.Cards[lane]) {
		s.topped[lane] = m.lanes.Cards[lane][top].Task.ID
	}
}

// to moves the reader to another place.
func (s *lanesScreen) to(m *model, lane query.Lane, i int) {
	s.come(m, lane)
	s.index[lane], s.sought, s.eye = i, false, 0
	s.stay(m)
}

// come puts the reader into a lane, which gets room for its cards.
func (s *lanesScreen) come(m *model, lane query.Lane) {
	if lane != s.base {
		s.base = lane
		s.remember(m, true)
	}
	s.lane = lane
}

func (s *lanesScreen) key(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if s.lift != nil {
		return s.carry(m, k)
	}
	if to, ok := stepped(k, s.index[s.lane], s.items(m, s.lane)-1, s.own(m).seen()); ok {
		s.to(m, s.lane, to)
		return nil, true
	}
	switch {
	case matches(k, keyLeft, keyPrev):
		s.beside(m, -1)
		return nil, true
	case matches(k, keyRight, keyNext):
		s.beside(m, +1)
		return nil, true
	case matches(k, keyOpen) && s.onFold(m):
		return s.unfold(m), true
	case matches(k, keyMove) && s.at != 0:
		s.lift = &lift{task: s.at, to: s.lane}
		return nil, true
	default:
		return nil, s.tooSoon(m, k)
	}
}

// beside goes to the lane to the left or to the right, to what stands there in
// the row where the reader's eyes are.
func (s *lanesScreen) beside(m *model, step int) {
	lane := int(s.lane) + step
	if lane < 0 || lane >= query.NumLanes {
		return
	}
	eye := s.eye
	if eye == 0 {
		eye = s.own(m).row(s.index[s.lane])
	}
	s.come(m, query.Lane(lane))
	widths, _ := s.widths(m.width)
	c := s.column(m, s.lane, widths[s.lane], m.room(), -1)
	s.to(m, s.lane, c.itemAt(eye))
	s.eye = eye
}

// onFold reports whether the reader is at the row that unfolds.
func (s *lanesScreen) onFold(m *model) bool {
	return s.lane == query.Finished && s.folded(m) > 0 && s.index[s.lane] == len(m.lanes.Cards[s.lane])
}

func (s *lanesScreen) unfold(m *model) tea.Cmd {
	s.done = len(m.lanes.Cards[query.Finished]) + unfolded
	return m.reread()
}

func (s *lanesScreen) task() pawl.ID { return s.at }

func (s *lanesScreen) show(m *model, id pawl.ID) {
	if lane, i, ok := find(m.lanes, id); ok {
		s.to(m, lane, i)
		return
	}
	s.at, s.sought, s.began = id, true, true
}

func (s *lanesScreen) click(m *model, h hit, double bool) tea.Cmd {
	switch h.kind {
	case hitTask:
		s.show(m, h.task)
		if double {
			return m.openTask(h.task)
		}
	case hitLane:
		s.to(m, h.lane, s.index[h.lane])
	case hitFold:
		s.to(m, query.Finished, len(m.lanes.Cards[query.Finished]))
		return s.unfold(m)
	}
	return nil
}

func (s *lanesScreen) scroll(m *model, rows int) { s.wheel(m, s.lane, rows) }

// wheel scrolls one lane by so many cards. Its reader stays in sight.
func (s *lanesScreen) wheel(m *model, lane query.Lane, cards int) {
	w := s.window(m, m.width, m.room())
	c := w.column(lane)
	if m.lanes == nil || c == nil || cards > 0 && c.to >= c.items {
		return
	}
	s.rest(m, lane, max(0, min(c.from+cards, c.items-1)))
	if lane != s.lane {
		return
	}
	// Without a reader, who would hold it back, the lane is where it was scrolled to.
	*c = s.column(m, lane, c.width, m.room(), -1)
	s.to(m, lane, max(c.from, min(s.index[lane], c.to-1)))
}

func (s *lanesScreen) keys(m *model) []binding {
	if s.lift != nil {
		return liftKeys()
	}
	return cardKeys(m, s)
}
