package tui

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// A column is the part of a lane that is seen: its items from a first to before
// a last.
type column struct {
	lane            query.Lane
	width           int // with the gap to the next
	strip           bool
	density         density
	from, to, items int
	cards           map[int]cardText
}

// A density is how close the cards of a lane stand. They stand as loosely as all
// of them have room.
type density uint8

const (
	roomy density = iota // with a free row between two cards
	dense                // without
	tight                // and their subjects take one row
)

// gap is how many rows are free between two cards.
func (d density) gap() int {
	if d == roomy {
		return 1
	}
	return 0
}

func (c *column) seen() int { return c.to - c.from }

// below is how many tasks are cut off below, those among them that were not read:
// so many are folded, for which a row stands as the last item.
func (c *column) below(folded int) int {
	switch {
	case c.to == c.items:
		return 0
	case c.lane == query.Finished && folded > 0:
		return c.items - 1 - c.to + folded
	}
	return c.items - c.to
}

// row is the row of the lane where an item that is seen begins: below the lane's
// name.
func (c *column) row(item int) int {
	row := 1
	for i := c.from; i < min(item, c.to); i++ {
		row += len(c.cards[i].lines) + c.density.gap()
	}
	return row
}

// itemAt is the item that stands in a row, or is the last one above it.
func (c *column) itemAt(row int) int {
	i := c.from
	for i+1 < c.to && c.row(i+1) <= row {
		i++
	}
	return i
}

// column fills a lane: from where it was left on, and so that the item at want
// is seen, if that is one.
func (s *lanesScreen) column(m *model, lane query.Lane, width, height, want int) column {
	c := column{lane: lane, width: width, strip: width == strip, items: s.items(m, lane)}
	first := roomy
	if c.strip || lane == query.Finished {
		first = tight // each takes a row
	}
	for c.density = first; ; c.density++ {
		c.cards = map[int]cardText{}
		gap := c.density.gap()
		// rows is how high an item is.
		rows := func(i int) int {
			if _, ok := c.cards[i]; !ok {
				c.cards[i] = s.item(m, &c, i)
			}
			return len(c.cards[i].lines) + gap
		}
		// The last item needs no gap; the lane's name takes a row.
		room := height + gap - 1 - s.guest(m, &c)
		if c.density == tight || c.items*(1+gap) <= room && allFit(c.items, room, rows) {
			c.from, c.to = fit(c.items, s.top[lane], want, room, rows)
			return c
		}
	}
}

// allFit reports whether all of n items fit.
func allFit(n, height int, rows func(i int) int) bool {
	for i := 0; i < n && height >= 0; i++ {
		height -= rows(i)
	}
	return height >= 0
}

// fit says which of n items are seen: those from top on that have room, or as
// few before or behind them as it takes to see the one at want. Where some are
// left out below, a row says so.
func fit(n, top, want, height int, rows func(i int) int) (from, to int) {
	fill := func(from int) int {
		to, used := from, 0
		for to < n && used+rows(to) <= height {
			used += rows(to)
			to++
		}
		if to < n && used == height && to > from {
			to-- // the row that says that there is more
		}
		return max(to, min(from+1, n))
	}
	// before is the first item that is seen when the last one is i.
	before := func(i int) int {
		room := height - rows(i)
		if i < n-1 {
			room--
		}
		for i > 0 && rows(i-1) <= room {
			i--
			room -= rows(i)
		}
		return i
	}
	if n == 0 {
		return 0, 0
	}
	from = min(max(0, top), n-1)
	if want >= 0 {
		from = min(from, want)
	}
	if to = fill(from); want >= to {
		from = before(want)
		to = fill(from)
	}
	if to == n { // no room is left empty below
		from = min(from, before(n-1))
	}
	return from, to
}

// item is an item of a lane, line by line: a card, or the row that unfolds.
func (s *lanesScreen) item(m *model, c *column, i int) cardText {
	cards := m.lanes.Cards[c.lane]
	one := func(text string, tone term.Tone) cardText {
		return cardText{lines: []term.Line{m.sc(c.width - cardLead - 1).Cut(term.Line{{Text: text, Tone: tone}})}, subject: 1}
	}
	switch {
	case c.strip && i < len(cards):
		t := &cards[i].Task
		if t.Unshown() {
			return one(show.CheckMark(pawl.CheckedFailed, m.Unicode)+strings.TrimPrefix(t.ID.String(), "#"), term.Bad)
		}
		mark, _, _ := term.TonesOf(t, cards[i].State)
		return one(t.ID.String(), mark)
	case c.strip:
		return one(fmt.Sprintf("…%d", s.folded(m)), term.Quiet)
	case i < len(cards):
		return m.cardText(&cards[i], c.width-cardLead-2, c.density)
	}
	return one(fmt.Sprintf("%*s%s %d more", cardIndent, "", ellipsis(m.Unicode), s.folded(m)), term.Quiet)
}

// saying returns the line below the lanes: the selected task's subject, if its
// card cuts it off, or what to do with a lifted card.
func (s *lanesScreen) saying(m *model) string {
	lane, i, ok := find(m.lanes, s.at)
	if !ok {
		return ""
	}
	if s.lift != nil && s.lift.to == lane {
		return "Move it to another lane; nothing changes until you drop it"
	}
	if c := s.own(m); s.lift != nil || lane != s.lane || c == nil || !c.cards[i].cut && !c.strip {
		return ""
	}
	return show.Name(&m.lanes.Cards[lane][i].Task)
}

func ellipsis(unicode bool) string { return more(unicode, "…", "...") }

func (s *lanesScreen) draw(m *model, width, height int) frame {
	if !anyCards(m.lanes) {
		return m.nothing(width)
	}
	w := s.window(m, width, height)
	frames := make([]frame, len(w.columns))
	for i := range w.columns {
		frames[i] = s.drawColumn(m, &w.columns[i], height)
	}
	f := beside(frames...)
	if w.tabs {
		f[0] = s.tabs(m, &w.columns[0])
	}
	return f
}

// drawColumn draws a lane: its name, its cards, and what is cut off.
func (s *lanesScreen) drawColumn(m *model, c *column, height int) frame {
	inner := c.width - 1
	whole := hit{kind: hitLane, lane: c.lane}
	add := func(f frame, line term.Line, on back, h hit) frame {
		return append(f, []cell{{line: line, width: inner, on: on, hit: h}, {width: 1, hit: whole}})
	}
	f := add(nil, s.laneHead(m, c, inner), noBack, whole)
	guest := s.guestLines(m, c.lane, c.width)
	for _, line := range guest {
		f = add(f, line, lifted, whole)
	}
	if guest != nil {
		for range c.density.gap() {
			f = add(f, nil, noBack, whole)
		}
	}
	if c.items == 0 && guest == nil && !c.strip {
		for _, line := range term.Wrap(emptyLane(m, c.lane), inner-cardLead-1) {
			f = add(f, term.Line{{Text: strings.Repeat(" ", cardLead) + line, Tone: term.Quiet}}, noBack, whole)
		}
	}
	for k := c.from; k < c.to; k++ {
		h := hit{kind: hitFold}
		look := s.look(m, c.lane, k)
		if cards := m.lanes.Cards[c.lane]; k < len(cards) {
			h = hit{kind: hitTask, task: cards[k].Task.ID, lane: c.lane}
		}
		for _, line := range look.dress(c.cards[k]) {
			f = add(f, line, look.on, h)
		}
		if k < c.to-1 {
			for range c.density.gap() {
				f = add(f, nil, noBack, whole)
			}
		}
	}
	if below := c.below(s.folded(m)); below > 0 {
		for len(f) < height-1 {
			f = add(f, nil, noBack, whole)
		}
		f = f[:height-1]
		f = add(f, term.Line{{Text: fmt.Sprintf("  %s %d", more(m.Unicode, "▼", "v"), below), Tone: term.Quiet}}, noBack, whole)
	}
	for len(f) < height {
		f = add(f, nil, noBack, whole)
	}
	return f[:height]
}
