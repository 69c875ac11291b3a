package tui

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// anyCards reports whether any task is shown or folded.
func anyCards(l *query.Lanes) bool { return l != nil && slices.Max(l.Total[:]) > 0 }

// nothing is the frame of an empty board: it says what to do next.
func (m *model) nothing(width int) frame {
	if m.filter.on() {
		return said(width, term.Part{Text: "Nothing matches " + m.filter.words()},
			term.Part{Text: "Esc shows everything again", Tone: term.Quiet})
	}
	if len(m.plans.all) > 0 {
		f := append(said(width, term.Part{Text: "No tasks here yet: press a to add the first one"}), row(width))
		for _, line := range m.plans.lines(m, width) {
			f = append(f, row(width, append(term.Line{{Text: " "}}, line...)...))
		}
		return f
	}
	return said(width, term.Part{Text: "Nothing here yet: press a to add the first task"},
		term.Part{Text: "Tasks that agents and other people add appear here.", Tone: term.Quiet})
}

// emptyLane returns the text of an empty lane. On a board without any work so far
// it names the key to begin with.
func emptyLane(m *model, lane query.Lane) string {
	total := &m.lanes.Total
	begun := total[query.Doing]+total[query.Finished] > 0
	switch {
	case m.filter.on():
		return "No matching task"
	case lane == query.Blocked:
		return "Nothing is blocked"
	case lane == query.Doing && begun:
		return "Nobody is working"
	case lane == query.Doing:
		return "Nobody is working: c claims a ready task"
	case lane == query.Finished && begun:
		return "Nothing yet"
	case lane == query.Finished:
		return "Nothing yet: d completes a task"
	case total[query.Blocked]+total[query.Doing] > 0:
		return "Nothing can be claimed now"
	}
	return "All is done: a adds a task"
}

// said is a text at the top of an otherwise empty screen.
func said(width int, parts ...term.Part) frame {
	f := frame{row(width)}
	for _, p := range parts {
		for _, line := range term.Wrap(p.Text, width-4) {
			f = append(f, row(width, term.Part{Text: strings.Repeat(" ", 2) + line, Tone: p.Tone}))
		}
	}
	return f
}
