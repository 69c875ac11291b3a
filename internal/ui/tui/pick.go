package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// A pick has the reader choose from a list, which becomes the shorter the more
// is written above it:
//
//	── Link #5 Write the docs ──────────────── 2 of 24
//	 ▸ pars
//	 ▸ [x] ◆ #2 Write the parser
//	   [ ] ○ #4 Test the parser
//	 Enter choose  ↑↓ move  Esc leave
type pick[V any] struct {
	title  string
	field  field
	items  []item[V]
	marks  bool   // items are chosen or not
	empty  string // the text while it has no items
	keys   []binding
	choose func(m *model, v V) tea.Cmd                     // on Enter
	own    []binding                                       // keys that the list does not know
	other  func(m *model, k tea.KeyPressMsg, v *V) tea.Cmd // on one of those; v is nil where the list is empty
	leave  binding                                         // closes it
	typed  func(m *model) tea.Cmd                          // after the text has changed; nil: nothing

	pending bool // nothing was offered yet
	hurried bool // Enter was pressed before

	found []int // the items that match, the best first
	at    int   // in found
	from  pan
}

// An item is what can be picked.
type item[V any] struct {
	value V
	text  string    // what it is called, and found by
	also  string    // what else it is found by
	glyph term.Part // stands before it
	note  string    // stands behind it
	on    bool      // with marks: it is chosen
	stays bool      // is in the list whatever is written
}

const (
	// mostSought is how many runes a search takes: more than any subject has words.
	mostSought = 200
	// mostPicks is how many rows of a list are seen at once: the screen behind it
	// stays in sight.
	mostPicks = 12
	// above is how many rows are above the list: title and field.
	above = 2
)

// begin makes the pick ready to be a dialog.
func (d *pick[V]) begin() {
	d.field.most = mostSought
	if len(d.leave.keys) == 0 {
		d.leave = keyLeave
	}
	d.narrow()
}

func (d *pick[V]) expect() { d.pending = true }

// offer exchanges the items, and leaves the reader at the same one if it can. An
// Enter that did not wait for them has its turn now.
func (d *pick[V]) offer(m *model, items []item[V]) tea.Cmd {
	defer func() { d.pending, d.hurried = false, false }()
	text := ""
	if d.at < len(d.found) {
		text = d.items[d.found[d.at]].text
	}
	d.items = items
	at := d.at
	d.narrow()
	d.at = max(0, min(at, len(d.found)-1))
	if i := slices.IndexFunc(d.found, func(i int) bool { return d.items[i].text == text }); i >= 0 {
		d.at = i
	}
	d.from = d.from.to(d.at, len(d.found), d.rows(m))
	if d.hurried {
		return d.enter(m)
	}
	return nil
}

// enter chooses where the reader is.
func (d *pick[V]) enter(m *model) tea.Cmd {
	v := d.here()
	if v == nil {
		d.hurried = d.pending
		return nil
	}
	m.close()
	return d.choose(m, *v)
}

// narrow finds the items that match what is written.
func (d *pick[V]) narrow() {
	d.found, d.at, d.from = match(d.items, d.field.text()), 0, 0
}

// rows is how many rows the list has: for all there is to choose from, so that
// nothing moves while it becomes shorter.
func (d *pick[V]) rows(m *model) int {
	return max(1, min(mostPicks, len(d.items), m.dialogRoom()-above-1))
}

// here is the selected value; nil: none.
func (d *pick[V]) here() *V {
	if d.at >= len(d.found) {
		return nil
	}
	return &d.items[d.found[d.at]].value
}

func (d *pick[V]) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	by := map[string]int{"up": -1, "ctrl+p": -1, "down": 1, "ctrl+n": 1, "pgup": -d.rows(m), "pgdown": d.rows(m)}[k.String()]
	switch {
	case matches(k, keyBack):
		m.close()
		return nil
	case matches(k, keyOpen):
		return d.enter(m)
	case by != 0:
		d.at = max(0, min(d.at+by, len(d.found)-1))
		d.from = d.from.to(d.at, len(d.found), d.rows(m))
		return nil
	case matches(k, d.own...):
		return d.other(m, k, d.here())
	}
	d.hurried = false
	before := d.field.text()
	d.field.key(k)
	return d.after(m, before)
}

func (d *pick[V]) paste(m *model, text string) tea.Cmd {
	before := d.field.text()
	d.field.insert(text)
	return d.after(m, before)
}

// after does what follows from another text.
func (d *pick[V]) after(m *model, before string) tea.Cmd {
	if d.field.text() == before {
		return nil
	}
	d.narrow()
	if d.typed == nil {
		return nil
	}
	return d.typed(m)
}

// goTo brings the reader to an item of those that were found, if it is still there.
func (d *pick[V]) goTo(at int) bool {
	if at >= len(d.found) {
		return false
	}
	d.at = at
	return true
}

func (d *pick[V]) draw(m *model, width, _ int) (frame, *tea.Position) {
	count := term.Line{{Text: fmt.Sprintf("%d of %d", len(d.found), len(d.items)), Tone: term.Quiet}}
	if d.pending {
		count = nil
	}
	line, cursor := d.field.row(m, width, count)
	f := frame{titleRow(m, width, d.title), line}
	switch {
	case d.pending:
		f = append(f, row(width, term.Part{Text: "   Loading" + ellipsis(m.Unicode), Tone: term.Quiet}))
	case len(d.items) == 0:
		f = append(f, row(width, term.Part{Text: "   " + d.empty, Tone: term.Quiet}))
	case len(d.found) == 0:
		f = append(f, row(width, term.Part{Text: "   Nothing matches", Tone: term.Quiet}))
	}
	rows := d.rows(m)
	f = append(f, d.from.draw(m.sc(width), len(d.found), rows-(len(f)-above), func(i, w int) []cell { return d.cells(m, i, w) })...)
	keys := append(slices.Clone(d.keys), d.own...)
	return append(f, keyCells(width, append(keys, d.leave))), cursor
}

// cells is the row of what was found.
func (d *pick[V]) cells(m *model, i, width int) []cell {
	it := &d.items[d.found[i]]
	c := cell{width: width, hit: hit{kind: hitItem, item: i}}
	lead := "   "
	if i == d.at {
		c.on, lead = selected, " "+pointer(m.Unicode)
	}
	if d.marks {
		box := "[ ] "
		if it.on {
			box = "[x] "
		}
		lead += box
	}
	c.line = term.Line{{Text: lead}}
	if it.glyph.Text != "" {
		c.line = append(c.line, it.glyph, term.Part{Text: " "})
	}
	room := width - term.Width(c.line.String())
	note := ""
	if it.note != "" {
		note = "  " + m.sc(width).Fit(it.note, room/3)
	}
	text := m.sc(width).Fit(it.text, room-term.Width(note))
	c.line = append(c.line, term.Part{Text: text}, term.Part{Text: note, Tone: term.Quiet})
	return []cell{c}
}
