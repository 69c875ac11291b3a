package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// The columns that names of sessions and agents are cut to.
const (
	nameFull  = 40
	nameLong  = 20
	nameShort = 8
)

// heading counts the todos and says whose they are, in as many words as there
// is room for:
//
//	3 todos: 1 completed, 1 in progress, 1 pending   0b7c1f52/reviewer +1 (2 of 3)
//	✔ 1 → 1 ○ 1                          0b7c1f5…/reviewer +1
//	1/3 ▲1 ▼4  reviewer
func (m *panel) heading() term.Line {
	if m.seen.key.Session == "" {
		return term.Line{part(term.Title, " Todos")}
	}
	all := m.counts()
	least := all[len(all)-1]
	for _, try := range []struct {
		counts term.Line
		who    string
	}{
		{all[0], m.who(nameLong)}, {all[0], m.who(nameShort)},
		{all[1], m.who(nameLong)}, {all[1], m.who(nameShort)},
		{least, m.who(nameShort)}, {least, m.name(cmp.Or(m.seen.key.Agent, m.seen.key.Session), nameShort)},
	} {
		line := append(try.counts, m.aside()...)
		if space := m.width - term.Width(line.String()) - term.Width(try.who) - 1; space > 0 {
			return append(line, part(term.Quiet, strings.Repeat(" ", space)+try.who))
		}
	}
	return append(least, m.aside()...)
}

// counts says how many todos there are of each status, in words, in glyphs, and
// in as little room as can be.
func (m *panel) counts() [3]term.Line {
	h := m.seen.list.Head()
	if len(m.seen.list.Items) == 0 {
		if len(m.seen.end.Done) == 0 {
			title := term.Line{part(term.Title, " Todos")}
			return [3]term.Line{title, title, title}
		}
		h.Completed = len(m.seen.end.Done)
	}
	all := h.Completed + h.InProgress + h.Pending
	words := term.Line{part(term.Title, " "+text.Count(all, "todo", "todos"))}
	glyphs := term.Line{part(term.Normal, " ")}
	between := ": "
	for _, c := range []struct {
		n    int
		is   todo.Status
		word string
		tone term.Tone
	}{
		{h.Completed, todo.Completed, "completed", term.Quiet}, {h.InProgress, todo.InProgress, "in progress", term.Busy},
		{h.Pending, todo.Pending, "pending", term.Normal},
	} {
		words = append(words, part(term.Quiet, between), part(c.tone, fmt.Sprintf("%d %s", c.n, c.word)))
		glyphs = append(glyphs, part(c.tone, fmt.Sprintf("%s %d ", m.status(c.is), c.n)))
		between = ", "
	}
	return [3]term.Line{words, glyphs, {part(term.Title, fmt.Sprintf(" %d/%d", h.Completed, len(m.seen.list.Items)))}}
}

// aside is what the heading says because the panel is too low for a row of it:
// how many rows are cut off, and that the agent paused.
func (m *panel) aside() (line term.Line) {
	if m.window.Marked {
		return nil
	}
	if n := m.window.Above; n > 0 {
		line = append(line, part(term.Quiet, fmt.Sprintf(" %s%d", m.glyph("▲"), n)))
	}
	if n := m.window.Below; n > 0 {
		line = append(line, part(term.Quiet, fmt.Sprintf(" %s%d", m.glyph("▼"), n)))
	}
	if m.seen.list.Pause != nil && m.height < panelRoomy {
		line = append(line, part(term.Bad, " paused"))
	}
	return line
}

// who says whose list it is: "0b7c1f52/reviewer +1 (2 of 3)", a number of other
// agents that have one, and where n goes on. Names are cut to so many columns.
func (m *panel) who(columns int) string {
	who := m.name(m.seen.key.Session, columns)
	if m.seen.key.Agent != "" {
		who += "/" + m.name(m.seen.key.Agent, columns)
	}
	if n := len(m.seen.agents); n > 1 {
		who += fmt.Sprintf(" +%d", n-1)
	}
	if n := len(m.seen.sessions); n > 1 {
		if at := slices.Index(m.seen.sessions, m.seen.key.Session); at >= 0 {
			who += fmt.Sprintf(" (%d of %d)", at+1, n)
		}
	}
	if m.seen.pinned != "" && m.seen.pinned != m.Session {
		who = "only " + who
	}
	return who
}

func (m *panel) name(s string, columns int) string { return m.sc().Fit(text.Line(s), columns) }

// short is the collapsed panel: a line, and the keys if they fit.
func (m *panel) short() frame {
	f := frame{m.line(m.inShort())}
	if m.failed != "" && m.height > 1 {
		f = append(f, m.wrapped(term.Bad, m.failed, 1)...)
	}
	if m.height >= panelRoomy {
		f = append(f.high(m.height-1, m.width), m.line(m.keyNames()))
	}
	return f
}

// inShort is the list in one line: how much is done, and what is being done.
//
//	3/7 · → Writing tests
func (m *panel) inShort() term.Line {
	all := len(m.seen.list.Items)
	if all == 0 {
		return telling(term.Quiet, m.nothing())
	}
	h := m.seen.list.Head()
	line := term.Line{part(term.Title, fmt.Sprintf(" %d/%d", h.Completed, all))}
	dot := part(term.Quiet, " "+m.glyph("·")+" ")
	if m.seen.list.Pause != nil {
		line = append(line, dot, part(term.Bad, "paused"))
	}
	switch i := m.seen.list.Current(); {
	case i >= 0:
		item := &m.seen.list.Items[i]
		doing := text.Line(strings.TrimSpace(cmp.Or(item.ActiveForm, item.Content)))
		line = append(line, dot, part(term.Busy, m.status(todo.InProgress)+" "), part(term.Title, doing))
	case h.Pending > 0:
		line = append(line, dot, part(term.Quiet, fmt.Sprintf("%d pending", h.Pending)))
	}
	return line
}
