package draw

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/view"
)

// nameWidth is the column in which the values of a detail begin: behind
// "Completed" and a gap.
const nameWidth = 11

// readable is the widest line that a text is set in: longer ones are hard to
// find the next of.
const readable = 100

// Detail draws a task in full. Its name is behind the words of lead. What the
// task says itself is indented, so that no line of it can pass for one of ours.
func (sc Screen) Detail(lead string, d *ask.Detail, facts *ask.Facts) []Line {
	rows := sc.DetailRows(lead, d, facts)
	lines := make([]Line, len(rows))
	for i, row := range rows {
		lines[i] = row.Line
	}
	return lines
}

// A DetailRow is a line of a task in full, and which other task stands in it.
type DetailRow struct {
	Line Line
	Task pawl.ID // zero: none
}

// DetailRows is [Screen.Detail] for one who goes from task to task.
func (sc Screen) DetailRows(lead string, d *ask.Detail, facts *ask.Facts) []DetailRow {
	p := page{sc: sc, facts: facts}
	t := &d.Task
	for _, line := range Wrap(lead+say.Name(t), sc.Width) {
		p.add(Part{line, Title})
	}
	state := ask.StateOf(t, facts.Name)
	for i, f := range say.Fields(d, say.ClockOf(facts), facts.Shared) {
		tone := Normal
		if i == 0 {
			tone, _, _ = tones(state)
			f.Value = state.Glyph(sc.Unicode) + " " + f.Value
		}
		p.field(f.Name, f.Value, tone)
	}
	if d.Parent != nil {
		p.tasks("Parent", []entry{{d.Parent, ask.StateOf(d.Parent, facts.Name), say.Remark(facts, d.Parent), ""}})
	}
	for _, s := range say.Sections(d) {
		p.section(s)
	}
	for _, f := range say.Times(d, say.ClockOf(facts)) {
		p.field(f.Name, f.Value+", "+text.Ago(facts.Now, f.At), Normal)
	}
	if t.Description != "" {
		p.add()
		p.add(Part{"Description", Quiet})
		p.text(t.Description, 2)
	}
	if len(t.Notes) > 0 {
		p.add()
		p.add(Part{"Notes", Quiet})
	}
	for _, n := range t.Notes {
		p.add(Part{"  " + text.Line(n.By), Normal}, Part{when(facts.Now, n.At), Quiet})
		p.text(n.Text, 4)
	}
	return p.rows
}

func when(now, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return ", " + text.Ago(now, at)
}

// A page is a detail being drawn.
type page struct {
	sc    Screen
	facts *ask.Facts
	rows  []DetailRow
}

func (p *page) add(parts ...Part) { p.about(0, parts) }

// about adds a line in which another task stands.
func (p *page) about(task pawl.ID, line Line) {
	p.rows = append(p.rows, DetailRow{p.sc.Cut(line), task})
}

// field adds a name and its value, in as many lines as that takes.
func (p *page) field(name, value string, tone Tone) {
	for _, line := range Wrap(value, p.sc.Width-nameWidth) {
		p.add(Part{Pad(name, nameWidth), Quiet}, Part{line, tone})
		name = ""
	}
}

// tasks adds tasks beside a name.
func (p *page) tasks(name string, entries []entry) {
	inner := p.sc
	inner.Width -= nameWidth
	for i, line := range inner.rows(entries) {
		p.about(entries[i].task.ID, append(Line{{Pad(name, nameWidth), Quiet}}, line...))
		name = ""
	}
}

func (p *page) section(s say.Section) {
	name := s.Title
	if s.Note != "" {
		p.field(name, s.Note, Normal)
		name = ""
	}
	var entries []entry
	for _, id := range s.Lost {
		n := view.MissingNode(id)
		entries = append(entries, entry{&n.Task, n.State, view.GraphRemark(p.facts, &n), ""})
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		entries = append(entries, entry{t, ask.StateOf(t, p.facts.Name), say.Remark(p.facts, t), ""})
	}
	p.tasks(name, entries)
	if s.More > 0 {
		p.add(Part{spaces(nameWidth) + fmt.Sprintf("and %d more", s.More), Quiet})
	}
}

// text adds a task's own words.
func (p *page) text(s string, indent int) {
	for _, line := range Wrap(strings.TrimRight(text.Lines(s), "\n"), min(p.sc.Width, readable)-indent) {
		p.add(Part{spaces(indent) + line, Normal})
	}
}
