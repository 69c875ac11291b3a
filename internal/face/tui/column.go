package tui

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/view"
)

// leastLane is the narrowest lane whose cards can be read, with the gap to the
// next.
const leastLane = 29

// A window is the part of the lanes that is seen.
type window struct {
	first   view.Lane
	columns []column
}

// A column is the part of a lane that is seen: its items from a first to before
// a last.
type column struct {
	lane            view.Lane
	width           int // with the gap to the next
	from, to, items int
	cards           map[int]cardText
}

func (c *column) seen() int { return c.to - c.from }

// window says what is seen at this size. As many lanes as fit are seen, among
// them the one where the reader is, or to which a card is being carried.
func (s *lanesScreen) window(m *model, width, height int) window {
	n := max(1, min(view.NumLanes, width/leastLane))
	focus := s.focus()
	first := max(min(s.first, focus), focus-min(focus, view.Lane(n-1)))
	w := window{first: min(first, view.Lane(view.NumLanes-n))}
	for i := range n {
		at := width * i / n
		lane := w.first + view.Lane(i)
		want := -1
		if lane == s.lane && !s.sought {
			want = s.index[lane]
		}
		w.columns = append(w.columns, s.column(m, lane, width*(i+1)/n-at, height, want))
	}
	return w
}

// focus is the lane that is to be seen.
func (s *lanesScreen) focus() view.Lane {
	if s.lift != nil {
		return s.lift.to
	}
	return s.lane
}

// column fills a lane: from where it was left on, and so that the item at want
// is seen, if that is one.
func (s *lanesScreen) column(m *model, lane view.Lane, width, height, want int) column {
	c := column{lane: lane, width: width, items: s.items(m, lane), cards: map[int]cardText{}}
	gap := cardGap(m)
	if lane == view.Finished {
		gap = 0
	}
	// rows is how high an item is.
	rows := func(i int) int {
		if _, ok := c.cards[i]; !ok {
			c.cards[i] = s.item(m, lane, i, width)
		}
		return len(c.cards[i].lines) + gap
	}
	height += gap - 1 - s.guest(m, lane, width) // the last needs no gap; the lane's name takes a row
	c.from, c.to = fit(c.items, s.top[lane], want, height, rows)
	return c
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
func (s *lanesScreen) item(m *model, lane view.Lane, i, width int) cardText {
	cards := m.lanes.Cards[lane]
	if i < len(cards) {
		return m.cardText(&cards[i], width-cardLead-2)
	}
	text := fmt.Sprintf("%*s%s %d more", cardIndent, "", ellipsis(m.Unicode), s.folded(m))
	return cardText{lines: []draw.Line{{{Text: text, Tone: draw.Quiet}}}, subject: 1}
}

// saying is what there is to know about the reader's card: its subject, if not
// all of it is on the card, or what to do with a lifted one.
func (s *lanesScreen) saying(m *model) string {
	lane, i, ok := find(m.lanes, s.at)
	if !ok {
		return ""
	}
	if s.lift != nil && s.lift.to == lane {
		return "Carry it to another lane; nothing happens before it is dropped"
	}
	w := s.window(m, m.width, m.room())
	if k := int(lane - w.first); k < 0 || k >= len(w.columns) || !w.columns[k].cards[i].cut {
		return ""
	}
	return view.Name(&m.lanes.Cards[lane][i].Task)
}

func ellipsis(unicode bool) string { return more(unicode, "…", "...") }

func (s *lanesScreen) draw(m *model, width, height int) frame {
	if !anyCards(m.lanes) {
		return m.nothing(width)
	}
	w := s.window(m, width, height)
	frames := make([]frame, len(w.columns))
	for i := range w.columns {
		frames[i] = s.drawColumn(m, &w, i, height)
	}
	return beside(frames...)
}

// drawColumn draws a lane: its name, its cards, and what is cut off.
func (s *lanesScreen) drawColumn(m *model, w *window, i, height int) frame {
	c := &w.columns[i]
	inner := c.width - 1
	whole := hit{kind: hitLane, lane: c.lane}
	add := func(f frame, line draw.Line, on back, h hit) frame {
		return append(f, []cell{{line: line, width: inner, on: on, hit: h}, {width: 1, hit: whole}})
	}
	f := add(nil, s.laneHead(m, w, i, inner), noBack, whole)
	guest := s.guestLines(m, c.lane, c.width)
	for _, line := range guest {
		f = add(f, line, lifted, whole)
	}
	for range m.guestGap(guest) {
		f = add(f, nil, noBack, whole)
	}
	if c.items == 0 && guest == nil {
		for _, line := range draw.Wrap(emptyLane(m, c.lane), inner-cardLead-1) {
			f = add(f, draw.Line{{Text: strings.Repeat(" ", cardLead) + line, Tone: draw.Quiet}}, noBack, whole)
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
		if k < c.to-1 && c.lane != view.Finished {
			for range cardGap(m) {
				f = add(f, nil, noBack, whole)
			}
		}
	}
	if below := c.items - c.to; below > 0 {
		for len(f) < height-1 {
			f = add(f, nil, noBack, whole)
		}
		f = f[:height-1]
		f = add(f, draw.Line{{Text: fmt.Sprintf("  %s %d", more(m.Unicode, "▼", "v"), below), Tone: draw.Quiet}}, noBack, whole)
	}
	for len(f) < height {
		f = add(f, nil, noBack, whole)
	}
	return f[:height]
}

// laneHead is a lane's name over a rule, which is heavy where the reader is:
//
//	‹ ◆ Ready 12 ━━━━━━━━━━━━ ▲ 3
func (s *lanesScreen) laneHead(m *model, w *window, i, width int) draw.Line {
	c := &w.columns[i]
	focus := c.lane == s.focus()
	tone, rule := laneTone(c.lane), more(m.Unicode, "─", "-")
	ruleTone := draw.Quiet
	if focus {
		rule, ruleTone = more(m.Unicode, "━", "="), tone
	}
	lead, end := "  ", ""
	if i == 0 && w.first > 0 {
		lead = more(m.Unicode, "‹ ", "< ")
	}
	if c.from > 0 {
		end = fmt.Sprintf(" %s %d", more(m.Unicode, "▲", "^"), c.from)
	}
	if i == len(w.columns)-1 && int(c.lane) < view.NumLanes-1 {
		end += more(m.Unicode, " ›", " >")
	}
	name := draw.Part{Text: fmt.Sprintf("%s %s %d ", laneGlyph(c.lane, m.Unicode), c.lane, m.lanes.Total[c.lane]), Tone: tone}
	if focus && tone == draw.Quiet {
		name.Tone, ruleTone = draw.Title, draw.Normal
	}
	room := width - draw.Width(lead+name.Text+end)
	return draw.Line{{Text: lead, Tone: draw.Quiet}, name, {Text: strings.Repeat(rule, max(0, room)), Tone: ruleTone}, {Text: end, Tone: draw.Quiet}}
}

func laneGlyph(l view.Lane, unicode bool) string {
	return [...]view.State{view.Blocked: view.Waiting, view.Pickable: view.Ready, view.Doing: view.Working, view.Finished: view.Done}[l].Glyph(unicode)
}

// laneTone is that of a lane's name.
func laneTone(l view.Lane) draw.Tone {
	return [...]draw.Tone{view.Blocked: draw.Quiet, view.Pickable: draw.Good, view.Doing: draw.Busy, view.Finished: draw.Quiet}[l]
}
