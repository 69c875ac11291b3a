package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// The smallest terminal that is drawn on, and one on which each row counts: the
// heading goes, and notices replace the keys.
const (
	leastWidth  = 30
	leastHeight = 8
	low         = 13
)

// small reports whether the terminal is too small for anything to be seen.
func (m *model) small() bool { return m.window.Width < leastWidth || m.window.Height < leastHeight }

// frame is the whole screen.
func (m *model) frame() (frame, *tea.Position) {
	w, h := m.window.Width, m.window.Height
	if w == 0 || h == 0 {
		return nil, nil // the terminal has not told its size yet
	}
	if m.small() {
		text := fmt.Sprintf("Pawl needs %d×%d, not %d×%d", leastWidth, leastHeight, w, h)
		return frame{row(w, term.Part{Text: text})}.high(h, w), nil
	}
	head, body, foot, cursor := m.parts()
	return append(append(head, body...), foot...), cursor
}

// parts are what the screen is made of, from top to bottom: a heading, the
// current screen, and below it a dialog, or the notice and the keys.
func (m *model) parts() (head, body, foot frame, cursor *tea.Position) {
	w, h := m.width, m.height
	if m.headed() {
		head = frame{m.heading(w)}
	}
	if m.awayRows() > 0 {
		head = append(head, m.awayRow(w))
	}
	if m.sharedRows() > 0 {
		head = append(head, m.sharedRow(w))
	}
	if m.dialog != nil {
		foot, cursor = m.dialog.draw(m, w, m.dialogRoom())
		if cursor != nil {
			cursor.Y += h - len(foot)
		}
	} else {
		foot = m.foot(w)
	}
	if rows := m.runRows(); rows > 0 && h-len(head)-len(foot) > rows {
		head = append(head, m.runStrip(rows)...)
	}
	if rows := m.planRows(); rows > 0 && h-len(head)-len(foot) > rows {
		head = append(head, m.plans.strip(m, rows)...)
	}
	middle := h - len(head) - len(foot)
	switch {
	case middle < 1: // the dialog has it all
	case m.fatal != nil:
		body = said(w, term.Part{Text: sentence(m.fatal), Tone: term.Bad})
	case m.loading():
		body = m.loadingFrame(w)
	default:
		body = m.screens[m.where].draw(m, w, middle)
	}
	return head, body.high(max(0, middle), w), foot, cursor
}

// headed reports whether there is a heading. A filter is always told.
func (m *model) headed() bool { return m.height >= low || m.filter.on() }

// room is how many rows a screen has while no dialog is open: the heading is
// above it, the notice and the keys below.
func (m *model) room() int {
	room := m.height - 1
	if m.headed() {
		room--
	}
	if m.height >= low {
		room--
	}
	return max(1, room-m.awayRows()-m.sharedRows()-m.runRows()-m.planRows())
}

// planRows is how many rows todo lists have above the lanes. Where there are no
// tasks they have the whole screen.
func (m *model) planRows() int {
	if m.where != onLanes || !anyCards(m.lanes) {
		return 0
	}
	return m.plans.rows(m.height)
}

// dialogRoom is how many rows a dialog may have. Some of the screen behind it
// stays in sight, if there is room for both.
func (m *model) dialogRoom() int {
	if m.height < low && m.headed() {
		return m.height - 1
	} else if m.height < low {
		return m.height
	}
	const behind = 6 // with the heading
	return m.height - behind
}

// heading says what the board holds, which part of it is seen, and who looks:
//
//	Pawl  payments  ○ Blocked 7  ◆ Ready 4  → In progress 2  ✔ Done 1      you are ada
//
// Where every lane is seen with its own count it does not say them again.
func (m *model) heading(width int) []cell {
	b := bar{width: width}
	b.add(hit{}, term.Part{Text: " Pawl", Tone: term.Title})
	only := ""
	if words := m.filter.words(); words != "" {
		only = "  only " + words
	}
	counts := m.counts(false)
	if b.used+wide(counts)+term.Width(only) > width {
		counts = m.counts(true)
	}
	if name := m.sc(width).Fit("  "+text.Line(m.Name), width/4); m.Name != "" && b.used+wide(counts)+term.Width(name+only) <= width {
		b.add(hit{}, term.Part{Text: name})
	}
	for _, c := range counts {
		b.add(c.hit, c.line...)
	}
	if only != "" {
		b.add(hit{kind: hitKey, key: keyFilter.keys[0]}, term.Part{Text: m.sc(width).Fit(only, width-b.used-1), Tone: term.Title})
		if m.where == onLanes && len(m.before) == 0 {
			b.add(hit{kind: hitKey, key: keyBack.keys[0]}, term.Part{Text: "  Esc shows all", Tone: term.Quiet})
		}
	}
	if synced := m.synced(); synced != "" {
		b.add(hit{}, term.Part{Text: "  " + synced, Tone: term.Quiet})
	}
	you := term.Part{Text: "you are " + m.sc(width).Fit(text.Line(m.By.Name), width/4) + " ", Tone: term.Quiet}
	if space := width - b.used - term.Width(you.Text); m.By.Name != "" && space > 2 {
		b.add(hit{}, term.Part{Text: strings.Repeat(" ", space)}, you)
	}
	return b.full()
}

// counts are the cells of the heading that say how many tasks there are, in
// brief without the lanes' names.
func (m *model) counts(brief bool) []cell {
	if m.lanes == nil {
		return nil
	}
	b := bar{width: 1 << 16} // all of them: whether they have room is for the heading to say
	if m.where == onLanes {
		all := 0
		for _, n := range m.lanes.Total {
			all += n
		}
		if all > 0 {
			done := fmt.Sprintf("  %d of %s done", m.lanes.Total[query.Finished], text.Count(all, "task", "tasks"))
			if m.lanes.Archived > 0 {
				done += fmt.Sprintf(", %d archived", m.lanes.Archived)
			}
			b.add(hit{}, term.Part{Text: done, Tone: term.Quiet})
		}
		return b.cells
	}
	for lane := range query.Lane(query.NumLanes) {
		name := lane.String() + " "
		if brief {
			name = ""
		}
		b.add(hit{kind: hitLane, lane: lane},
			term.Part{Text: fmt.Sprintf("  %s %s%d", laneGlyph(lane, m.Unicode), name, m.lanes.Total[lane]), Tone: laneTone(lane)})
	}
	return b.cells
}

// wide is how wide cells are together.
func wide(cells []cell) (n int) {
	for _, c := range cells {
		n += c.width
	}
	return n
}

// A bar is a row that is put together from the left, as far as there is room.
type bar struct {
	width, used int
	cells       []cell
}

// add adds a cell, and reports false where it has no room.
func (b *bar) add(h hit, parts ...term.Part) bool {
	w := term.Width(term.Line(parts).String())
	if b.used+w > b.width {
		return false
	}
	b.cells = append(b.cells, cell{line: parts, width: w, hit: h})
	b.used += w
	return true
}

func (b *bar) full() []cell { return append(b.cells, cell{width: b.width - b.used}) }

// mostSaid is how many lines a notice has at most.
const mostSaid = 4

// foot is the notice and the keys. A notice longer than a line replaces the keys,
// and may take rows of the screen, because a refusal ends with the advice.
func (m *model) foot(width int) frame {
	lead, tone := " ", term.Normal
	if m.notice.bad {
		lead, tone = " ! ", term.Bad
	}
	lines := term.Wrap(m.notice.text, width-len(lead)-1)
	switch {
	case m.height < low && m.notice.text != "":
		return frame{m.saying(width)}
	case m.height < low:
		return frame{m.keyLine(width)}
	case len(lines) < 2:
		return frame{m.saying(width), m.keyLine(width)}
	}
	if len(lines) > mostSaid {
		lines[mostSaid-1] = strings.Join(lines[mostSaid-1:], " ")
		lines = lines[:mostSaid]
	}
	var f frame
	for _, line := range lines {
		f = append(f, row(width, term.Part{Text: lead + line, Tone: tone}))
		lead = strings.Repeat(" ", len(lead))
	}
	return f
}

// saying is the line for the notice, or without one for the selected card.
func (m *model) saying(width int) []cell {
	switch l, ok := m.screens[m.where].(*lanesScreen); {
	case m.notice.bad:
		return row(width, term.Part{Text: " ! " + m.notice.text, Tone: term.Bad})
	case m.notice.text != "":
		return row(width, term.Part{Text: " " + m.notice.text})
	case ok:
		return row(width, term.Part{Text: " " + l.saying(m), Tone: term.Quiet})
	}
	return row(width)
}

// keyLine names the useful keys, as many as fit, and always the one for help.
func (m *model) keyLine(width int) []cell {
	return keyCells(width, slices.Concat(m.screens[m.where].keys(m), []binding{keyHelp}))
}

// keyLine is a key and what it does.
func keyLine(k binding) term.Line {
	return term.Line{{Text: k.written, Tone: term.Title}, {Text: " " + k.does + "  ", Tone: term.Quiet}}
}
