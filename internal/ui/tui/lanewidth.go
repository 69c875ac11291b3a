package tui

import "github.com/pawl-dev/pawl/query"

const (
	// leastLane is the narrowest lane whose cards can be read, with the gap to the
	// next.
	leastLane = 29
	// strip is the width of a lane that shows only the numbers of its cards.
	strip = 8
)

// important is the order in which lanes get room for their cards: running, next,
// blocked. Finished tasks can do without.
var important = [query.NumLanes]query.Lane{query.Doing, query.Pickable, query.Blocked, query.Finished}

// A window is the part of the lanes that is seen. Every lane has its place, from
// left to right, and stays there; if not all fit, some are strips. On a terminal too narrow for strips only the reader's lane is
// seen, under the names of all (tabs).
type window struct {
	columns []column
	tabs    bool
}

// column returns what is seen of a lane; nil: nothing.
func (w *window) column(lane query.Lane) *column {
	for i := range w.columns {
		if w.columns[i].lane == lane {
			return &w.columns[i]
		}
	}
	return nil
}

// window says what is seen at this size.
func (s *lanesScreen) window(m *model, width, height int) window {
	widths, tabs := s.widths(width)
	w := window{tabs: tabs}
	for lane, width := range widths {
		if width > 0 {
			w.columns = append(w.columns, s.column(m, query.Lane(lane), width, height, s.want(query.Lane(lane))))
		}
	}
	return w
}

// want is the item of a lane that is to be seen: the reader's; else -1.
func (s *lanesScreen) want(lane query.Lane) int {
	if lane == s.lane && !s.sought {
		return s.index[lane]
	}
	return -1
}

// own is what is seen of the reader's lane; nil: nothing.
func (s *lanesScreen) own(m *model) *column {
	widths, _ := s.widths(m.width)
	if widths[s.lane] == 0 {
		return nil
	}
	c := s.column(m, s.lane, widths[s.lane], m.room(), s.want(s.lane))
	return &c
}

// widths says how wide each lane is: of one width, as many as have room for
// their cards, the others strips. tabs: only the reader's lane is seen.
func (s *lanesScreen) widths(width int) (widths [query.NumLanes]int, tabs bool) {
	const others = query.NumLanes - 1
	if width < leastLane+others*strip {
		widths[s.focus()] = width
		return widths, true
	}
	n := query.NumLanes
	for n*leastLane+(query.NumLanes-n)*strip > width {
		n--
	}
	width -= (query.NumLanes - n) * strip
	done := 0
	for lane, wide := range s.wide(n) {
		if !wide {
			widths[lane] = strip
			continue
		}
		widths[lane] = width*(done+1)/n - width*done/n
		done++
	}
	return widths, false
}

// wide chooses n lanes: the one to which the reader went, and then by importance
// those that have cards. Changes of others, or of a card, move as little as can
// be: a lane that became empty keeps its width, and a reader who followed a card
// may be in a strip.
func (s *lanesScreen) wide(n int) (wide [query.NumLanes]bool) {
	take := func(lane query.Lane) {
		if n > 0 && !wide[lane] {
			wide[lane] = true
			n--
		}
	}
	if s.lift != nil {
		take(s.lift.to)
	}
	take(s.base)
	for _, lane := range important {
		if s.had[lane] && lane != query.Finished {
			take(lane)
		}
	}
	for _, lane := range important {
		take(lane)
	}
	return wide
}

// remember keeps which lanes have cards, or had some since the reader came to this
// lane.
func (s *lanesScreen) remember(m *model, came bool) {
	for lane := range s.had {
		s.had[lane] = s.had[lane] && !came || s.items(m, query.Lane(lane)) > 0
	}
}

// focus is the lane where the reader is, or over which a card is carried.
func (s *lanesScreen) focus() query.Lane {
	if s.lift != nil {
		return s.lift.to
	}
	return s.lane
}
