package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A detailPage is a task in full, laid out in rows. It is not laid out
// again for each key: it depends only on pageOf.
type detailPage struct {
	of    pageOf
	left  int // how wide the task is
	rows  []pageRow
	links []link // from top to bottom
}

// pageOf is all that a page depends on.
type pageOf struct {
	found   *detailRead
	history *history
	at      pawl.ID
	why     string
	width   int
	unicode bool
	unfold  bool
	now     time.Time
	shared  *share.Status
	runs    *runSeen
}

// A pageRow is a row of the page: the task, and beside it what happened to it.
type pageRow struct {
	line, past term.Line
	link       link
}

// A link is another task in a page, or a criterion of the task itself. A task can stand
// in it more than once.
type link struct {
	task      pawl.ID // zero: none
	nth       int
	criterion int // from 1; zero: none
}

const (
	// besideFrom is the width of a terminal from which on history stands beside
	// the task instead of below it.
	besideFrom = 120
	// widestPage is how much of the width a task takes at most: a line of text is
	// no longer.
	widestPage = 100
	// between is what is free between a task and the history beside it.
	between = 3
	// whenWidth is the column of a history's ages: "47 min" and a gap.
	whenWidth = 8
)

// row is where a link stands; -1: nowhere.
func (p *detailPage) row(l link) int {
	if l == (link{}) {
		return -1
	}
	return slices.IndexFunc(p.rows, func(r pageRow) bool { return r.link == l })
}

// lay lays the task out for a width, if it has changed.
func (s *detailScreen) lay(m *model, width int) *detailPage {
	of := pageOf{found: s.found, history: s.history(), at: s.at, why: m.why[s.at], width: width, unicode: m.Unicode, unfold: s.unfold, now: m.now.Truncate(tickEvery), shared: m.shared(), runs: m.runSeen}
	if s.page.of != of {
		s.page = of.lay(m.By.Name)
	}
	return &s.page
}

// history is that of the task; nil: it has not been read yet.
func (s *detailScreen) history() *history {
	if s.told.of.task != s.at {
		return nil
	}
	return s.told.history
}

func (of pageOf) lay(name string) detailPage {
	p := detailPage{of: of}
	inner := of.width - marked - term.Width(pointer(of.unicode))
	if of.found == nil || of.found.at != of.at {
		p.left, p.rows = inner, []pageRow{{line: term.Line{{Text: of.at.String(), Tone: term.Title}}}}
		return p
	}
	left, right := inner, inner-2
	if of.beside() {
		left = min(widestPage, (inner-between)*3/5)
		right = inner - between - left
	}
	p.left = left
	p.say(of.why, left, term.Bad)
	p.task(of.screen(left), name)
	p.attempts(of.screen(left))
	past := of.past(right)
	if of.beside() {
		for len(p.rows) < len(past) {
			p.rows = append(p.rows, pageRow{})
		}
		for i := range past {
			p.rows[i].past = past[i]
		}
		return p
	}
	p.rows = append(p.rows, pageRow{})
	for i, line := range past {
		if i > 0 {
			line = append(term.Line{{Text: "  "}}, line...)
		}
		p.rows = append(p.rows, pageRow{line: line})
	}
	return p
}

func (of pageOf) beside() bool { return of.width >= besideFrom }

func (of pageOf) screen(width int) term.Screen { return term.Screen{Width: width, Unicode: of.unicode} }

// say adds a sentence of ours.
func (p *detailPage) say(text string, width int, tone term.Tone) {
	if text == "" {
		return
	}
	for _, line := range term.Wrap(text, width) {
		p.rows = append(p.rows, pageRow{line: term.Line{{Text: line, Tone: tone}}})
	}
}

// task adds the task itself.
func (p *detailPage) task(sc term.Screen, name string) {
	found := p.of.found
	switch {
	case found.gone && found.detail == nil: // perhaps it never was
		p.say(found.at.String()+" is not on the board", sc.Width, term.Bad)
	case found.gone:
		p.say(found.at.String()+" is no longer on the board", sc.Width, term.Bad)
	}
	if found.detail == nil {
		return
	}
	facts := query.Facts{Now: p.of.now, Zone: time.Local, Name: name, Unblocks: found.unblocks, Shared: p.of.shared}
	times := map[pawl.ID]int{}
	for _, row := range sc.DetailRows("", found.detail, &facts, found.checks) {
		out := pageRow{line: row.Line}
		if row.Task != 0 {
			out.link = link{task: row.Task, nth: times[row.Task]}
			times[row.Task]++
		}
		if out.link.criterion = row.Criterion; out.link != (link{}) {
			p.links = append(p.links, out.link)
		}
		p.rows = append(p.rows, out)
	}
}

// past is what happened to the task, a line or more for each change:
//
//	3 min   → ada claimed #12
//	2 h       bob updated #12 (waits for #4)
func (of pageOf) past(width int) []term.Line {
	lines := []term.Line{{{Text: "History", Tone: term.Quiet}}}
	h := of.history
	if h == nil {
		return lines
	}
	add := func(parts ...term.Part) { lines = append(lines, of.screen(width).Cut(parts)) }
	const indent = whenWidth + 2
	for i := range h.told {
		t := &h.told[i]
		tone := term.Normal
		if t.undone {
			tone = term.Quiet
		}
		when := term.Part{Text: term.Pad(text.Age(of.now.Sub(t.set.At)), whenWidth), Tone: term.Quiet}
		mark := t.mark(of.unicode)
		for _, line := range term.Wrap(t.line(of.screen(2*(width-indent)), of.at), width-indent) {
			add(when, mark, term.Part{Text: " " + line, Tone: tone})
			when, mark = term.Part{Text: strings.Repeat(" ", whenWidth)}, term.Part{Text: " "}
		}
		if of.unfold {
			for _, field := range t.fields {
				for _, line := range term.Wrap(field, width-indent) {
					add(term.Part{Text: strings.Repeat(" ", indent) + line, Tone: term.Quiet})
				}
			}
		}
	}
	if text := h.end(fmt.Sprintf("pawl log %d", int64(of.at))); text != "" {
		add(term.Part{Text: text, Tone: term.Quiet})
	}
	return lines
}

func (s *detailScreen) draw(m *model, width, height int) frame {
	p := s.lay(m, width)
	return s.top.draw(m.sc(width), len(p.rows), height, func(i, width int) []cell {
		row, on, lead := &p.rows[i], noBack, "  "
		var h hit
		if row.link != (link{}) {
			if h = (hit{kind: hitTask, task: row.link.task}); row.link.criterion != 0 {
				h = hit{kind: hitCriterion, item: row.link.criterion}
			}
			if row.link == s.link {
				on, lead = selected, pointer(m.Unicode)
			}
		}
		line := append(term.Line{{Text: lead, Tone: term.Title}}, row.line...)
		left := term.Width(lead) + p.left
		return []cell{{line: line, width: left, on: on, hit: h}, {width: min(between, width-left)}, {line: row.past, width: max(0, width-left-between)}}
	})
}
