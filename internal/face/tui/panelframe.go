package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/view"
	"github.com/pawl-dev/pawl/todo"
)

// What the panel makes of its room.
const (
	panelLeast    = 3  // rows; with fewer it is collapsed
	panelRoomy    = 6  // rows from which on a pause and problems have their own
	panelWide     = 40 // columns from which on things are said in words
	panelText     = 8  // columns that a text has before its badges give way
	panelFraction = 4  // of the rows one for the reason of a pause
)

// frame is the whole panel: a heading, rows, and what there is to say.
func (m *panel) frame() frame {
	w, h := m.width, m.height
	if w == 0 || h == 0 {
		return nil // the terminal has not told its size yet
	}
	var f frame
	switch {
	case m.seen == nil:
	case !m.seen.wanted.On:
		f = frame{m.line(m.switchedOff())}
	case m.helping:
		f = m.help()
	case m.collapsed || h < panelLeast:
		f = frame{m.line(m.inShort())}
	default:
		f = m.full()
	}
	return f.high(h, w)
}

// line is a row of the panel.
func (m *panel) line(line draw.Line) []cell { return row(m.width, line...) }

func part(tone draw.Tone, text string) draw.Part { return draw.Part{Text: text, Tone: tone} }

func telling(tone draw.Tone, text string) draw.Line { return draw.Line{part(tone, " "+text)} }

// full is the panel with as much of the list as there is room for.
func (m *panel) full() frame {
	w, room := m.sc(), m.height-1
	var foot frame
	tell := func(tone draw.Tone, text string, rows int) {
		if text == "" || m.height < panelRoomy {
			return
		}
		lines := draw.Wrap(text, w.Width-1)
		if len(lines) > rows {
			lines[rows-1] = w.Fit(lines[rows-1]+" "+lines[rows], w.Width-1)
			lines = lines[:rows]
		}
		for _, line := range lines {
			foot = append(foot, m.line(telling(tone, line)))
		}
	}
	if p := m.seen.list.Pause; p != nil {
		text := p.Told(m.now)
		if m.width < panelWide {
			text = "Paused: " + view.Line(strings.TrimSpace(p.Reason))
		}
		tell(draw.Bad, text, max(1, m.height/panelFraction))
	}
	if m.seen.note != m.read {
		tell(draw.Bad, m.seen.note, 2)
	}
	tell(draw.Bad, m.seen.problem, 2)
	tell(draw.Bad, m.failed, 2)
	foot = foot[:min(len(foot), room/2)]
	room -= len(foot)

	m.window = view.Window(m.rows, room, m.top)
	f := frame{m.line(m.heading())}
	mark := func(glyph string, n int) {
		if m.window.Marked && n > 0 {
			f = append(f, m.line(telling(draw.Quiet, fmt.Sprintf("%s %d more", glyph, n))))
		}
	}
	mark(m.glyph("▲"), m.window.Above)
	for i := range m.window.Rows {
		f = append(f, m.line(m.row(&m.window.Rows[i])))
	}
	mark(m.glyph("▼"), m.window.Below)
	if len(m.rows) == 0 {
		f = append(f, m.line(telling(draw.Quiet, m.nothing())))
	}
	if free := m.height - len(f) - len(foot); free > 0 && m.height >= panelRoomy {
		f = f.high(len(f)+free-1, m.width)
		f = append(f, m.line(m.keyNames()))
	}
	return append(f, foot...)
}

// nothing is said where there is nothing to do.
func (m *panel) nothing() string {
	switch {
	case m.seen.key.Session == "":
		return "No session here has todos yet: this waits for one."
	case m.seen.past:
		return "All done."
	}
	return "The agent has no todos yet."
}

// keyNames names the most useful keys.
func (m *panel) keyNames() draw.Line {
	var l draw.Line
	for _, k := range []struct{ key, does string }{{"?", "help"}, {"q", "quit"}, {"Space", "collapse"}, {"p", "off"}, {"Tab", "agent"}} {
		if k.key == "Tab" && len(m.seen.agents) < 2 {
			continue
		}
		more := draw.Line{part(draw.Title, " "+k.key), part(draw.Quiet, " "+k.does+" ")}
		if draw.Width(l.String()+more.String()) > m.width {
			break
		}
		l = append(l, more...)
	}
	return l
}

// help explains the keys.
func (m *panel) help() frame {
	f := frame{m.line(draw.Line{part(draw.Title, " Keys")})}
	for _, k := range []struct{ key, does string }{
		{"j k", "a row down, up"}, {"PgDn", "a page down"}, {"PgUp", "a page up"}, {"Esc", "to the current todo"},
		{"Space", "collapse"}, {"Tab", "next agent's list"}, {"f", "stay or follow"}, {"p", "switch off or on"}, {"q", "quit"},
	} {
		f = append(f, m.line(draw.Line{part(draw.Title, " "+draw.Pad(k.key, 6)), part(draw.Normal, k.does)}))
	}
	return f
}

// switchedOff is all that is seen while the settings do not want the panel.
func (m *panel) switchedOff() draw.Line {
	if m.failed != "" {
		return telling(draw.Bad, m.failed)
	}
	long := "The panel is off. p switches it on, or: " + m.seen.wanted.Command
	return telling(draw.Quiet, m.fitting(long, "The panel is off: p switches it on", "Off: p is on"))
}

// fitting is the first text that fits, else the last.
func (m *panel) fitting(texts ...string) string {
	for _, text := range texts {
		if draw.Width(text)+1 <= m.width {
			return text
		}
	}
	return texts[len(texts)-1]
}

// row is a line of the list.
func (m *panel) row(r *todo.Row) draw.Line {
	indent := " " + strings.Repeat("  ", r.Indent)
	mark, text := draw.Quiet, draw.Quiet
	glyph := m.glyph("↳")
	words := r.Text
	switch {
	case r.Kind == todo.CallsBefore:
		words = fmt.Sprintf("...%d more tool calls...", r.Times)
	case r.Kind == todo.CallRow:
		if r.Outcome == todo.Running {
			mark, text = draw.Busy, draw.Normal
		}
	default:
		glyph = m.status(r.Status)
		if r.Kind == todo.SubtaskRow && r.Status == todo.Pending {
			glyph = m.glyph("•")
		}
		switch {
		case r.Status == todo.InProgress && r.Kind == todo.ItemRow:
			mark, text = draw.Busy, draw.Title
		case r.Status == todo.InProgress:
			mark, text = draw.Busy, draw.Normal
		case r.Status != todo.Completed && !r.Blocked:
			text = draw.Normal
		}
	}
	lead := indent + glyph + " "
	badges := m.badges(r)
	room := m.width - draw.Width(lead)
	width := func() (n int) {
		for _, b := range badges {
			n += 1 + draw.Width(b.Text)
		}
		return n
	}
	for len(badges) > 0 && room-width() < min(panelText, draw.Width(words)) {
		badges = badges[:len(badges)-1]
	}
	line := draw.Line{part(mark, lead), part(text, m.sc().Fit(words, max(0, room-width())))}
	for _, b := range badges {
		line = append(line, part(draw.Quiet, " "), b)
	}
	return line
}

// badges are what stands behind a row's text. A call that runs says since when.
func (m *panel) badges(r *todo.Row) (all draw.Line) {
	for _, text := range r.Badges(r.Status == todo.InProgress) {
		tone := draw.Quiet
		switch text {
		case "[HIGH]":
			tone = draw.Title
		case "(failed)", "(interrupted)":
			tone = draw.Bad
		case "(running)":
			tone = draw.Busy
			if !r.StartedAt.IsZero() {
				text = elapsed(m.now.Sub(r.StartedAt))
				if m.width >= panelWide {
					text = "(running " + text + ")"
				}
			}
		}
		all = append(all, part(tone, text))
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
func (m *panel) status(s todo.Status) string {
	state := view.Waiting
	switch s {
	case todo.Completed:
		state = view.Done
	case todo.InProgress:
		state = view.Working
	}
	return state.Glyph(m.Unicode)
}

// glyph is a glyph, or what stands for it where there is only ASCII.
func (m *panel) glyph(unicode string) string {
	if m.Unicode {
		return unicode
	}
	return map[string]string{"▲": "^", "▼": "v", "↳": "`", "•": "-", "·": "-"}[unicode]
}
