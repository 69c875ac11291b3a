package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

const (
	panelText  = 8 // columns that a text has before its badges give way
	panelLines = 6 // rows that a todo has at most
	panelShare = 6 // one in so many rows may go to the current todo, even if others are cut off for it
)

// list is as much of the list as there is room for, with marks for what is cut
// off. Where there is more room than rows, texts have as many as they need, the
// current one first.
func (m *panel) list(room int) (f frame) {
	current := slices.IndexFunc(m.rows, isCurrent)
	wants, extra := 0, 0
	if current >= 0 {
		wants = m.wants(&m.rows[current])
		extra = min(wants, room/panelShare)
	}
	if len(m.rows)+extra <= room {
		extra = 0 // there is room for it anyway
	}
	m.window = show.Window(m.rows, room-extra, m.top)
	if extra > 0 && !slices.ContainsFunc(m.window.Rows, isCurrent) {
		m.window = show.Window(m.rows, room, m.top)
	}
	w := &m.window
	spare := room - len(w.Rows)
	if w.Marked {
		spare -= min(w.Above, 1) + min(w.Below, 1)
	}
	rows := make([]int, len(w.Rows))
	give := func(i int) {
		more := min(m.wants(&w.Rows[i]), spare)
		rows[i], spare = 1+more, spare-more
	}
	if at := slices.IndexFunc(w.Rows, isCurrent); at >= 0 {
		give(at)
	}
	mark := func(glyph string, n int) {
		if w.Marked && n > 0 {
			f = append(f, m.line(telling(term.Quiet, fmt.Sprintf("%s %d more", glyph, n))))
		}
	}
	mark(m.glyph("▲"), w.Above)
	for i := range w.Rows {
		if rows[i] == 0 {
			give(i)
		}
		for _, line := range m.row(&w.Rows[i], rows[i]) {
			f = append(f, m.line(line))
		}
	}
	mark(m.glyph("▼"), w.Below)
	return f
}

func isCurrent(r todo.Row) bool { return r.Kind == todo.ItemRow && r.Status == todo.InProgress }

// wants is how many rows more than one a row of the list has a use for.
func (m *panel) wants(r *todo.Row) int { return len(m.row(r, panelLines)) - 1 }

// active is what is being done, where that is not what the todo says anyway.
func (m *panel) active(r *todo.Row) string {
	if !isCurrent(*r) || len(m.seen.list.Items) == 0 {
		return ""
	}
	item := &m.seen.list.Items[r.Item]
	if item.ActiveForm == item.Content {
		return ""
	}
	return text.Line(strings.TrimSpace(item.ActiveForm))
}

// row is a row of the list in so many lines at most, but for calls, which have
// one.
func (m *panel) row(r *todo.Row, most int) (lines []term.Line) {
	indent := " " + strings.Repeat("  ", r.Indent)
	mark, text := term.Quiet, term.Quiet
	glyph := m.glyph("↳")
	words := r.Text
	switch {
	case r.Kind == todo.CallRow, r.Kind == todo.CallsBefore:
		most = 1
		if r.Outcome == todo.Running {
			mark, text = term.Busy, term.Normal
		}
	default:
		if glyph = m.status(r.Status); r.Kind == todo.SubtaskRow && r.Status == todo.Pending {
			glyph = m.glyph("•") // as the text of todo_read has it
		}
		switch {
		case isCurrent(*r):
			mark, text = term.Busy, term.Title
		case r.Status == todo.InProgress:
			mark, text = term.Busy, term.Normal
		case r.Status != todo.Completed && !r.Blocked:
			text = term.Normal
		}
	}
	lead := indent + glyph + " "
	below := strings.Repeat(" ", term.Width(lead))
	room := m.width - term.Width(lead)
	active := m.active(r)
	if active != "" && most > 1 {
		most--
	} else {
		active = ""
	}
	badges := m.badges(r)
	texts := term.Wrap(words, room)
	if n := len(texts); n > most || term.Width(texts[n-1]+badges.String()) > room {
		texts, badges = m.squeeze(texts, badges, room, most)
	}
	for i, t := range texts {
		line := term.Line{part(mark, lead), part(text, t)}
		if lead = below; i == len(texts)-1 {
			line = append(line, badges...)
		}
		lines = append(lines, line)
	}
	if active != "" {
		lines = append(lines, term.Line{part(term.Busy, below+m.sc().Fit(active, max(0, room)))})
	}
	return lines
}

// squeeze brings a text and its badges into so many lines: where they stand
// beside each other each has its share, the text a little before the badges.
func (m *panel) squeeze(texts []string, badges term.Line, room, most int) ([]string, term.Line) {
	if len(texts) < most && len(badges) > 0 { // the last word goes down with them
		last := texts[len(texts)-1]
		if at := strings.LastIndexByte(last, ' '); at > 0 && term.Width(last[at+1:]+badges.String()) <= room {
			return append(texts[:len(texts)-1:len(texts)-1], last[:at], last[at+1:]), badges
		}
	}
	keep := max(0, min(most, len(texts))-1)
	last := strings.Join(texts[keep:min(len(texts), keep+2)], " ")
	for len(badges) > 0 && room-term.Width(badges.String()) < min(panelText, term.Width(last)) {
		badges = badges[:len(badges)-2]
	}
	return append(texts[:keep:keep], m.sc().Fit(last, max(0, room-term.Width(badges.String())))), badges
}

// badges are what stands behind a row's text, each after a space. A call that runs says since when.
func (m *panel) badges(r *todo.Row) (all term.Line) {
	for _, text := range r.Badges(r.Status == todo.InProgress) {
		tone := term.Quiet
		switch text {
		case "[HIGH]":
			tone = term.Title
		case "(failed)", "(interrupted)":
			tone = term.Bad
		case "(running)":
			tone = term.Busy
			if !r.StartedAt.IsZero() {
				text = elapsed(m.now.Sub(r.StartedAt))
				if m.width >= panelWide {
					text = "(running " + text + ")"
				}
			}
		}
		all = append(all, part(term.Quiet, " "), part(tone, text))
	}
	return all
}

// elapsed is how long something takes so far: "12 s", "3 min 05 s", "2 h 07 min".
func elapsed(d time.Duration) string {
	s := int(max(0, d) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	}
	return fmt.Sprintf("%d h %02d min", s/3600, s/60%60)
}

// status is the glyph of a todo.
func (m *panel) status(s todo.Status) string { return show.StepState(s).Glyph(m.Unicode) }

// glyph returns a glyph, or its replacement in ASCII.
func (m *panel) glyph(unicode string) string {
	if m.Unicode {
		return unicode
	}
	return map[string]string{"▲": "^", "▼": "v", "↳": "`", "•": "-", "·": "-"}[unicode]
}
