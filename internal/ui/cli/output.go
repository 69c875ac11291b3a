package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// print writes data.
func (a *app) print(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }

// printJSON writes the answer of a verb called with --json.
func (a *app) printJSON(v any) error {
	if !a.asOf.IsZero() {
		v = aged(v, a.asOf)
	}
	return unprinted(wire.WriteJSON(a.out, v))
}

func (a *app) flush() error { return unprinted(a.out.Flush()) }

// unprinted tells of an answer that did not get out.
func unprinted(err error) error {
	if _, told := errors.AsType[*pawl.Error](err); told || err == nil {
		return err
	}
	return pawl.Errorf(pawl.Internal, "the output cannot be written: %w", err)
}

// tabular reports whether lists are printed in columns: on a terminal, which says
// more about tasks than the lines that programs read.
func (a *app) tabular() bool { return a.screen.on && !a.json }

// facts are what a list on a terminal says about tasks, from an answer in which
// these waited for them; nil: the lines that programs read need none.
func (a *app) facts(head query.Head, unblocks map[pawl.ID]int) *query.Facts {
	if !a.tabular() {
		return nil
	}
	return &query.Facts{Now: head.Now, Name: a.name(), Unblocks: unblocks, Shared: head.Shared}
}

// list prints tasks of an answer, in which so many waited for them, behind an indent:
// in columns on a terminal, else in lines that stay as they are.
func (a *app) list(tasks []pawl.Task, head query.Head, unblocks map[pawl.ID]int, indent string) {
	facts := a.facts(head, unblocks)
	if facts == nil {
		for i := range tasks {
			a.print("%s%s\n", indent, a.paint.task(&tasks[i], a.name(), show.ListLine(&tasks[i], head.Shared)))
		}
		return
	}
	screen := a.screen.Screen
	screen.Width -= len(indent)
	for _, line := range screen.Rows(tasks, facts) {
		a.print("%s%s\n", indent, a.paint.line(line))
	}
}

// screen is what stdout shows.
type screen struct {
	term.Screen
	on bool // it is a terminal
}

// columns are rows of cells as lines. A column is as wide as its widest cell, and at most so
// wide; on a terminal, no line is wider than it.
func (s screen) columns(rows [][]string, gap string, most int) []string {
	if len(rows) == 0 {
		return nil
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = min(max(width[i], term.Width(cell)), most)
		}
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		for i, cell := range row {
			lines[n] += term.Pad(cell, width[i]) + gap
		}
		if lines[n] = strings.TrimRight(lines[n], " "); s.on {
			lines[n] = s.Fit(lines[n], s.Width)
		}
	}
	return lines
}

// textWidth is how wide sentences are set: as the manual is, and narrower on a
// narrow terminal.
func (s screen) textWidth() int {
	if !s.on {
		return manual.Width
	}
	return min(s.Width, manual.Width)
}

// paint colours text for a terminal; false leaves it as it is.
type paint bool

// Colours, as the parameters of SGR. The terminal's own palette decides how they
// look, so that they fit light and dark.
const (
	green  = "32"
	yellow = "33"
	red    = "31"
	faint  = "2"
	bold   = "1"
)

func (p paint) as(colour, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// tones are the colours of what is drawn.
var tones = [...]string{term.Title: bold, term.Quiet: faint, term.Good: green, term.Busy: yellow, term.Bad: red}

func (p paint) line(l term.Line) string {
	var b strings.Builder
	for _, part := range l {
		if part.Tone == term.Normal {
			b.WriteString(part.Text)
		} else {
			b.WriteString(p.as(tones[part.Tone], part.Text))
		}
	}
	return b.String()
}

// task colours a line about a task: the box and the number where the task can be
// worked on, all of it where it steps back.
func (p paint) task(t *pawl.Task, name, line string) string {
	head := len(show.Mark(t)) + 1 + len(t.ID.String())
	switch query.StateOf(t, name) {
	case query.Ready:
		return p.as(green, line[:head]) + line[head:]
	case query.Working:
		return p.as(yellow, line[:head]) + line[head:]
	case query.Held, query.Damaged:
		return p.as(red, line[:head]) + line[head:]
	default:
		return p.as(faint, line)
	}
}

// nested paints the line of a task that is set in by so much behind its mark.
func (p paint) nested(t *pawl.Task, name, line, indent string) string {
	mark := len(show.Mark(t)) + 1
	if indent == "" {
		return p.task(t, name, line)
	}
	painted := p.task(t, name, line)
	if at := strings.Index(painted, line[:mark]); at >= 0 {
		mark += at
	}
	return painted[:mark] + indent + painted[mark:]
}

// withRemarks names a task with what one should know about it.
func withRemarks(t *pawl.Task, remarks []string) string {
	text := show.Name(t)
	if len(remarks) > 0 && remarks[0] != "" {
		text += " (" + strings.Join(remarks, "; ") + ")"
	}
	return text
}

// detail prints a task in full, its name behind the words of lead, with what this clone
// knows of its checks.
func (a *app) detail(ctx context.Context, lead string, d *query.Detail, facts *query.Facts) {
	checks := a.shownChecks(ctx, &d.Task, a.screen.clock(facts.Now))
	if !a.screen.on {
		head, rest, _ := strings.Cut(lead+show.DetailShowing(d, facts.Shared, checks), "\n")
		a.print("%s\n%s", a.paint.as(bold, head), rest)
		return
	}
	for _, line := range a.screen.Detail(lead, d, facts, checks) {
		a.print("%s\n", a.paint.line(line))
	}
}
