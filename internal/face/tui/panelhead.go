package tui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/view"
	"github.com/pawl-dev/pawl/todo"
)

// The columns that names of sessions and agents are cut to.
const (
	nameLong  = 20
	nameShort = 8
)

// heading counts the todos and says whose they are, in as many words as there
// is room for:
//
//	3 todos: 1 completed, 1 in progress, 1 pending   0b7c1f52/reviewer +1
//	✔ 1 → 1 ○ 1                          0b7c1f5…/reviewer +1
//	1/3 ▲1 ▼4  reviewer
func (m *panel) heading() draw.Line {
	if m.seen.key.Session == "" {
		return draw.Line{part(draw.Title, " Todos")}
	}
	all := m.counts()
	least := all[len(all)-1]
	for _, try := range []struct {
		counts draw.Line
		who    string
	}{
		{all[0], m.who(nameLong)}, {all[0], m.who(nameShort)},
		{all[1], m.who(nameLong)}, {all[1], m.who(nameShort)},
		{least, m.who(nameShort)}, {least, m.name(cmp.Or(m.seen.key.Agent, m.seen.key.Session), nameShort)},
	} {
		line := append(try.counts, m.aside()...)
		if space := m.width - draw.Width(line.String()) - draw.Width(try.who) - 1; space > 0 {
			return append(line, part(draw.Quiet, strings.Repeat(" ", space)+try.who))
		}
	}
	return append(least, m.aside()...)
}

// counts says how many todos there are of each status, in words, in glyphs, and
// in as little room as can be.
func (m *panel) counts() [3]draw.Line {
	if len(m.seen.list.Items) == 0 {
		title := draw.Line{part(draw.Title, " Todos")}
		return [3]draw.Line{title, title, title}
	}
	h := m.seen.list.Head()
	words := draw.Line{part(draw.Title, " "+view.Count(len(m.seen.list.Items), "todo", "todos"))}
	glyphs := draw.Line{part(draw.Normal, " ")}
	between := ": "
	for _, c := range []struct {
		n    int
		is   todo.Status
		word string
		tone draw.Tone
	}{
		{h.Completed, todo.Completed, "completed", draw.Quiet}, {h.InProgress, todo.InProgress, "in progress", draw.Busy},
		{h.Pending, todo.Pending, "pending", draw.Normal},
	} {
		words = append(words, part(draw.Quiet, between), part(c.tone, fmt.Sprintf("%d %s", c.n, c.word)))
		glyphs = append(glyphs, part(c.tone, fmt.Sprintf("%s %d ", m.status(c.is), c.n)))
		between = ", "
	}
	return [3]draw.Line{words, glyphs, {part(draw.Title, fmt.Sprintf(" %d/%d", h.Completed, len(m.seen.list.Items)))}}
}

// aside is what the heading says because the panel is too low for a row of it:
// how many rows are cut off, and that the agent paused.
func (m *panel) aside() (line draw.Line) {
	if m.window.Marked {
		return nil
	}
	if n := m.window.Above; n > 0 {
		line = append(line, part(draw.Quiet, fmt.Sprintf(" %s%d", m.glyph("▲"), n)))
	}
	if n := m.window.Below; n > 0 {
		line = append(line, part(draw.Quiet, fmt.Sprintf(" %s%d", m.glyph("▼"), n)))
	}
	if m.seen.list.Pause != nil && m.height < panelRoomy {
		line = append(line, part(draw.Bad, " paused"))
	}
	return line
}

// who says whose list it is: "0b7c1f52/reviewer +1", a number of other agents
// that have one. Names are cut to so many columns.
func (m *panel) who(columns int) string {
	who := m.name(m.seen.key.Session, columns)
	if m.seen.key.Agent != "" {
		who += "/" + m.name(m.seen.key.Agent, columns)
	}
	if n := len(m.seen.agents); n > 1 {
		who += fmt.Sprintf(" +%d", n-1)
	}
	if m.seen.pinned != "" && m.Session == "" {
		who = "only " + who
	}
	return who
}

func (m *panel) name(text string, columns int) string { return m.sc().Fit(view.Line(text), columns) }

// inShort is the list in one line: how much is done, and what is being done.
//
//	3/7 · → Write tests
func (m *panel) inShort() draw.Line {
	h := m.seen.list.Head()
	all := len(m.seen.list.Items)
	if all == 0 {
		return telling(draw.Quiet, m.nothing())
	}
	line := draw.Line{part(draw.Title, fmt.Sprintf(" %d/%d", h.Completed, all))}
	dot := part(draw.Quiet, " "+m.glyph("·")+" ")
	if m.seen.list.Pause != nil {
		line = append(line, dot, part(draw.Bad, "paused"))
	}
	switch {
	case h.InProgress > 0:
		line = append(line, dot, part(draw.Busy, m.status(todo.InProgress)+" "), part(draw.Title, view.Line(currentOf(&m.seen.list))))
	case h.Pending > 0:
		line = append(line, dot, part(draw.Quiet, fmt.Sprintf("%d pending", h.Pending)))
	}
	return line
}
