package term

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// gap is between two columns.
const gap = "  "

// leastRemark is the narrowest column of remarks that still says something.
const leastRemark = 8

// Rows lays tasks out in columns, one line for each:
//
//	◆  #4  high  Write the parser              unblocks 5           core, api
//	→ #12        Refactor auth middleware      ada, 3 min
//	○  #7        Write the emitter             waits for #4, #12    core
//
// Labels come last, where there is room for them.
func (sc Screen) Rows(tasks []pawl.Task, facts *query.Facts) []Line {
	return sc.RowsSaying(tasks, facts, func(t *pawl.Task) string { return show.Remark(facts, t) })
}

// RowsSaying is Rows with another remark about each task.
func (sc Screen) RowsSaying(tasks []pawl.Task, facts *query.Facts, remark func(*pawl.Task) string) []Line {
	entries := make([]entry, len(tasks))
	for i := range tasks {
		t := &tasks[i]
		entries[i] = sc.entry(t, facts, remark(t))
		entries[i].labels = show.Labels(t)
	}
	return sc.rows(entries)
}

// An entry is a task with what a row says about it.
type entry struct {
	task   *pawl.Task
	state  query.State
	remark string
	labels string
}

// entry is a task, with what is said about it behind how far it is shown to be done.
func (sc Screen) entry(t *pawl.Task, facts *query.Facts, remark string) entry {
	words := show.CheckedWords(t)
	if words != "" && !t.Unshown() { // else its own mark says it
		words = show.CheckMark(show.Checked(t), sc.Unicode) + " " + words
	}
	if words != "" && remark != "" {
		words += ", "
	}
	return entry{task: t, state: query.StateOf(t, facts.Name), remark: words + remark}
}

// Glyph is the mark of a task in this state. That of a completed one for which nothing
// shows that it is done is not that of one that is.
func (sc Screen) Glyph(t *pawl.Task, s query.State) string {
	if t.Unshown() {
		return show.CheckMark(pawl.CheckedFailed, sc.Unicode)
	}
	return s.Glyph(sc.Unicode)
}

func (sc Screen) rows(entries []entry) []Line {
	c := sc.columns(entries)
	lines := make([]Line, len(entries))
	for i, e := range entries {
		lines[i] = sc.row(e, c)
	}
	return lines
}

// columns are the widths that several rows share; zero leaves one out.
type columns struct {
	id, priority, subject, remark, labels int
}

func (sc Screen) columns(entries []entry) columns {
	var c columns
	for _, e := range entries {
		c.id = max(c.id, len(e.task.ID.String()))
		c.priority = max(c.priority, len(show.Priority(e.task)))
		if remark := Width(e.remark); remark > 0 {
			c.remark = max(c.remark, remark)
			c.subject = max(c.subject, Width(show.Subject(e.task)))
		}
	}
	rest := sc.Width - c.head()
	if c.subject+len(gap)+c.remark > rest {
		c.remark = min(c.remark, max(rest/3, rest-len(gap)-c.subject))
		if c.remark < leastRemark {
			c.remark = 0
		}
		c.subject = rest - len(gap) - c.remark
	}
	return c.withLabels(entries, rest)
}

// withLabels adds a column of labels if nothing else has to give way for what is
// worth reading of it.
func (c columns) withLabels(entries []entry, rest int) columns {
	subject, labels := c.subject, 0
	for _, e := range entries {
		if e.labels != "" {
			labels = max(labels, Width(e.labels))
			subject = max(subject, Width(show.Subject(e.task)))
		}
	}
	before := subject + len(gap)
	if c.remark > 0 {
		before += c.remark + len(gap)
	}
	if labels > 0 && before+min(labels, leastRemark) <= rest {
		c.subject, c.labels = subject, min(labels, rest-before)
	}
	return c
}

// head is how much comes before the subject.
func (c columns) head() int {
	n := len("o ") + c.id + len(gap)
	if c.priority > 0 {
		n += c.priority + len(gap)
	}
	return n
}

func (sc Screen) row(e entry, c columns) Line {
	mark, text, quiet := TonesOf(e.task, e.state)
	line := Line{{sc.Glyph(e.task, e.state) + " " + padLeft(e.task.ID.String(), c.id), mark}}
	if c.priority > 0 {
		tone := text
		if text == Normal && e.task.Priority == pawl.High {
			tone = Title
		}
		line = append(line, Part{gap, text}, Part{Pad(show.Priority(e.task), c.priority), tone})
	}
	line = append(line, Part{gap, text})
	subject, remark := show.Subject(e.task), sc.Fit(e.remark, c.remark)
	labels := sc.Fit(e.labels, c.labels)
	if remark == "" && labels == "" {
		line = append(line, Part{subject, text})
	} else {
		line = append(line, Part{Pad(sc.Fit(subject, c.subject), c.subject), text}, Part{gap + remark, quiet})
	}
	if labels != "" {
		between := gap
		if c.remark == 0 {
			between = ""
		}
		line = append(line, Part{spaces(c.remark-Width(remark)) + between + labels, Quiet})
	}
	return sc.Cut(line)
}

// TonesOf are the tones of a task in this state: of its glyph and number, of its
// subject, and of the remark about it.
func TonesOf(t *pawl.Task, s query.State) (mark, text, remark Tone) {
	switch {
	case t.Unshown():
		return Bad, Normal, Bad
	case t.Open() && t.Damage == "" && show.Checked(t) == pawl.CheckedFailed:
		mark, text, _ = tones(s)
		return mark, text, Bad
	}
	return tones(s)
}

// tones are those of any task in this state.
func tones(s query.State) (mark, text, remark Tone) {
	switch s {
	case query.Ready:
		return Good, Normal, Quiet
	case query.Working:
		return Busy, Normal, Quiet
	case query.Held, query.Damaged, query.Missing:
		return Bad, Normal, Bad
	}
	return Quiet, Quiet, Quiet
}
