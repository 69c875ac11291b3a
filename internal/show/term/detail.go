package term

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// nameWidth is the column in which the values of a detail begin: behind
// "Completed" and a gap.
const nameWidth = 11

// readable is the widest line that a text is set in: longer ones are hard to
// find the next of.
const readable = 100

// Detail draws a task in full. Its name follows lead. The task's own text is indented, so
// that no line of it can pass for one of ours. checks is what is known of its checks; nil:
// what its file says.
func (sc Screen) Detail(lead string, d *query.Detail, facts *query.Facts, checks []show.Shown) []Line {
	if checks == nil {
		checks = show.Checks(&d.Task, show.ClockOf(facts))
	}
	rows := sc.detailRows(lead, d, facts, func(p *page) { p.asked("Checks", "", checks) })
	lines := make([]Line, len(rows))
	for i, row := range rows {
		lines[i] = row.Line
	}
	return lines
}

// A DetailRow is a line of a task in full, and which other task or criterion stands in it.
type DetailRow struct {
	Line      Line
	Task      pawl.ID // zero: none
	Criterion int     // of the task, from 1; zero: none
}

// DetailRows is [Screen.Detail] for one who goes from task to task, with what is known
// here of the task's checks and what failed ones printed.
func (sc Screen) DetailRows(lead string, d *query.Detail, facts *query.Facts, checks []show.Looked) []DetailRow {
	return sc.detailRows(lead, d, facts, func(p *page) { p.looked(checks) })
}

func (sc Screen) detailRows(lead string, d *query.Detail, facts *query.Facts, checks func(*page)) []DetailRow {
	p := page{sc: sc, facts: facts}
	t := &d.Task
	for _, line := range Wrap(lead+show.Name(t), sc.Width) {
		p.add(Part{line, Title})
	}
	state := query.StateOf(t, facts.Name)
	for i, f := range show.Fields(d, show.ClockOf(facts), facts.Shared) {
		tone := Normal
		if i == 0 {
			tone, _, _ = TonesOf(t, state)
			f.Value = sc.Glyph(t, state) + " " + f.Value
		}
		p.field(f.Name, f.Value, tone)
	}
	checks(&p)
	p.criteria(t)
	if d.Parent != nil {
		p.tasks("Parent", []entry{sc.entry(d.Parent, facts, show.Remark(facts, d.Parent))})
	}
	for _, s := range show.Sections(d) {
		p.section(s)
	}
	for _, f := range show.Times(d, show.ClockOf(facts)) {
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
	facts *query.Facts
	rows  []DetailRow
}

func (p *page) add(parts ...Part) { p.about(0, parts) }

// about adds a line in which another task stands.
func (p *page) about(task pawl.ID, line Line) {
	p.rows = append(p.rows, DetailRow{Line: p.sc.Cut(line), Task: task})
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

// asked adds what must be so before the task is done, with what is known of it.
func (p *page) asked(name, note string, all []show.Shown) {
	if len(all) > 0 && note != "" {
		p.field(name, note, Normal)
		name = ""
	}
	for _, s := range all {
		tone, said := Normal, Quiet
		switch {
		case s.Sure():
			tone = Good
		case s.Is == pawl.CheckedPassed:
			tone = Quiet
		case s.Is == pawl.CheckedFailed:
			tone, said = Bad, Bad
		}
		mark := s.Mark(p.sc.Unicode) + " "
		if nameWidth+Width(mark+s.What+gap+s.Last) <= p.sc.Width {
			p.add(Part{Pad(name, nameWidth), Quiet}, Part{mark, tone}, Part{s.What + gap, Normal}, Part{s.Last, said})
		} else {
			p.hang(name, mark, s.What, tone, Normal)
			if s.Last != "" {
				p.hang("", spaces(Width(mark)), s.Last, Normal, said)
			}
		}
		name = ""
		for _, line := range s.Tail {
			p.add(Part{spaces(nameWidth+Width(mark)) + "| " + line, Quiet})
		}
	}
}

// looked adds checks with what is known of them here, and below a failed one what it
// printed.
func (p *page) looked(all []show.Looked) {
	name := "Checks"
	for i := range all {
		p.asked(name, "", []show.Shown{all[i].Line(show.ClockOf(p.facts))})
		name = ""
		if all[i].Is() != pawl.CheckedFailed {
			continue
		}
		bar := "| "
		if p.sc.Unicode {
			bar = "│ "
		}
		for _, line := range show.TailLines(all[i].Tail) {
			for _, part := range Wrap(line, max(1, p.sc.Width-nameWidth-4)) {
				p.add(Part{spaces(nameWidth + 2), Normal}, Part{bar, Bad}, Part{part, Quiet})
			}
		}
	}
}

// criteria adds the criteria of a task; each row knows which one it is.
func (p *page) criteria(t *pawl.Task) {
	all := show.Criteria(t, show.ClockOf(p.facts))
	if len(all) == 0 {
		return
	}
	p.field("Criteria", show.Ticked(t), Normal)
	for i := range all {
		from := len(p.rows)
		p.asked("", "", all[i:i+1])
		p.rows[from].Criterion = i + 1
	}
}

// hang adds a text behind a mark, set in below it.
func (p *page) hang(name, mark, text string, marked, tone Tone) {
	for _, line := range Wrap(text, p.sc.Width-nameWidth-Width(mark)) {
		p.add(Part{Pad(name, nameWidth), Quiet}, Part{mark, marked}, Part{line, tone})
		name, mark = "", spaces(Width(mark))
	}
}

func (p *page) section(s show.Section) {
	name := s.Title
	if s.Note != "" {
		p.field(name, s.Note, Normal)
		name = ""
	}
	var entries []entry
	for _, id := range s.Lost {
		n := show.MissingNode(id)
		entries = append(entries, entry{task: &n.Task, state: n.State, remark: show.GraphRemark(p.facts, &n)})
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		entries = append(entries, p.sc.entry(t, p.facts, show.Remark(p.facts, t)))
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
