package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// A timelineRow is a row of the timeline.
type timelineRow struct {
	kind   rowKind
	change int // of the history
	text   string
}

type rowKind uint8

const (
	rowChange rowKind = iota
	rowDay            // a day begins
	rowField          // of the selected change
	rowWhy            // why that could not be undone
	rowEnd            // there is more, but not here
)

// of reports whether the row tells more of a change.
func (r timelineRow) of(change int) bool {
	return r.change == change && (r.kind == rowField || r.kind == rowWhy)
}

type timelineRows []timelineRow

// row is where a change stands; -1: nowhere.
func (rows timelineRows) row(change int) int {
	return slices.IndexFunc(rows, func(r timelineRow) bool { return r.kind == rowChange && r.change == change })
}

// timeWidth is what stands before what happened: a pointer, the time, a glyph.
const timeWidth = len("> 15:04  o ")

// lay lays the history out for a width: changes, and a row where a day begins.
// The first day stands above them.
func (s *timelineScreen) lay(m *model, width int) timelineRows {
	if s.told.history == nil {
		return nil
	}
	room := width - marked - timeWidth
	var rows timelineRows
	selected := s.selected()
	for i := range s.told.history.told {
		t := &s.told.history.told[i]
		if i > 0 {
			if name := day(m.now, t.set.At); name != day(m.now, s.told.history.told[i-1].set.At) {
				rows = append(rows, timelineRow{kind: rowDay, change: i, text: name})
			}
		}
		rows = append(rows, timelineRow{kind: rowChange, change: i})
		add := func(kind rowKind, text string) {
			for _, line := range term.Wrap(text, room) {
				rows = append(rows, timelineRow{kind, i, line})
			}
		}
		if t.set.Revision == s.refused.set {
			add(rowWhy, s.refused.why)
		}
		if i == selected && s.unfold {
			for _, line := range t.fields {
				add(rowField, line)
			}
		}
	}
	if text := s.told.history.end("pawl log"); text != "" {
		rows = append(rows, timelineRow{rowEnd, len(s.told.history.told) - 1, text})
	}
	return rows
}

// day is how a reader calls the day of a moment.
func day(now, at time.Time) string {
	at, now = at.In(time.Local), now.In(time.Local)
	date := at.Format(time.DateOnly)
	switch {
	case date == now.Format(time.DateOnly):
		return "Today"
	case date == now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "Yesterday"
	case at.Year() == now.Year():
		return at.Format("Monday 2 January")
	}
	return at.Format("Monday 2 January 2006")
}

func (s *timelineScreen) draw(m *model, width, height int) frame {
	rows := s.lay(m, width)
	if len(rows) == 0 {
		text := " No changes yet: a adds the first task"
		if s.told.history == nil && m.board != nil {
			text = ""
		}
		return frame{row(width, term.Part{Text: text, Tone: term.Quiet})}
	}
	height--
	first := rows[s.top.within(len(rows), height)]
	head := row(width, term.Part{Text: "  " + day(m.now, s.told.history.told[first.change].set.At), Tone: term.Title})
	body := s.top.draw(m.sc(width), len(rows), height, func(i, width int) []cell { return s.cells(m, rows[i], width) })
	return append(frame{head}, body...)
}

func (s *timelineScreen) cells(m *model, r timelineRow, width int) []cell {
	t := &s.told.history.told[r.change]
	about := hit{kind: hitSet, set: t.set.Revision}
	indent := strings.Repeat(" ", timeWidth)
	switch r.kind {
	case rowDay:
		return row(width, term.Part{Text: "  " + r.text, Tone: term.Title})
	case rowWhy:
		return []cell{{line: term.Line{{Text: indent + r.text, Tone: term.Bad}}, width: width, hit: about}}
	case rowField:
		return []cell{{line: term.Line{{Text: indent + r.text, Tone: term.Quiet}}, width: width, hit: about}}
	case rowEnd:
		return row(width, term.Part{Text: indent + r.text, Tone: term.Quiet})
	}
	on, lead, tone := noBack, "  ", term.Normal
	if r.change == s.selected() {
		on, lead = selected, pointer(m.Unicode)
	}
	if t.undone {
		tone = term.Quiet
	}
	clock := t.set.At.In(time.Local).Format("15:04")
	room, end := width-timeWidth-len(t.short)-2, ""
	if s.refused.later == t.set.Revision {
		end = " (in the way)"
	}
	text := t.line(m.sc(room-term.Width(end)), 0)
	line := term.Line{{Text: lead, Tone: term.Title}, {Text: fmt.Sprintf("%s  ", clock), Tone: term.Quiet}, t.mark(m.Unicode), {Text: " " + text, Tone: tone}, {Text: end, Tone: term.Bad}, {Text: "  " + t.short, Tone: term.Quiet}}
	return []cell{{line: line, width: width, on: on, hit: about}}
}
