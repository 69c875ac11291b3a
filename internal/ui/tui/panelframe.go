package tui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

// How the panel uses its room.
const (
	panelLeast    = 3  // rows; with fewer it is collapsed
	panelRoomy    = 6  // rows from which on a pause and problems have their own
	panelWide     = 40 // columns from which on things are said in words
	panelFraction = 4  // of the rows one for the reason of a pause
)

// frame is the whole panel: a heading, rows, and messages.
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
		f = m.short()
	default:
		f = m.full()
	}
	return f.high(h, w)
}

// line is a row of the panel.
func (m *panel) line(line term.Line) []cell { return row(m.width, line...) }

func part(tone term.Tone, text string) term.Part { return term.Part{Text: text, Tone: tone} }

func telling(tone term.Tone, text string) term.Line { return term.Line{part(tone, " "+text)} }

// full is the panel with as much of the list as there is room for.
func (m *panel) full() frame {
	room := m.height - 1
	foot := m.foot()
	foot = foot[:min(len(foot), room/2)]
	room -= len(foot)
	var told frame
	if len(m.seen.list.Items) == 0 {
		told = m.wrapped(term.Quiet, m.nothing(), max(1, room-len(m.rows)-1))
	}
	list := m.list(room - len(told)) // before the heading, which may say what is cut off
	f := append(frame{m.line(m.heading())}, list...)
	f = append(f, told...)
	if free := m.height - len(f) - len(foot); free > 0 && m.height >= panelRoomy {
		f = f.high(len(f)+free-1, m.width)
		f = append(f, m.line(m.keyNames()))
	}
	return append(f, foot...)
}

// foot is the messages below the list.
func (m *panel) foot() (foot frame) {
	if m.height < panelRoomy {
		return nil
	}
	if told := m.seen.list.CheckTold(m.now); told != "" && len(m.seen.list.Items) > 0 {
		tone := term.Quiet
		if m.seen.list.Standing() == pawl.CheckedFailed {
			tone = term.Bad
		}
		foot = append(foot, m.wrapped(tone, told, 2)...)
	}
	if p := m.seen.list.Pause; p != nil {
		s := p.Told(m.now)
		if m.width < panelWide {
			s = "Paused: " + text.Line(strings.TrimSpace(p.Reason))
		}
		foot = append(foot, m.wrapped(term.Bad, s, max(1, m.height/panelFraction))...)
	}
	if m.seen.note != m.read {
		foot = append(foot, m.wrapped(term.Bad, m.seen.note, 2)...)
	}
	foot = append(foot, m.wrapped(term.Bad, m.seen.problem, 2)...)
	return append(foot, m.wrapped(term.Bad, m.failed, 2)...)
}

// wrapped is a text in a few rows at most; an empty one in none.
func (m *panel) wrapped(tone term.Tone, text string, rows int) (f frame) {
	if text == "" {
		return nil
	}
	for _, line := range m.cut(text, m.width-1, rows) {
		f = append(f, m.line(telling(tone, line)))
	}
	return f
}

// cut wraps a text, and cuts it off where it needs more rows than it may have.
func (m *panel) cut(text string, width, rows int) []string {
	lines := term.Wrap(text, width)
	if len(lines) > rows {
		lines[rows-1] = m.sc().Fit(lines[rows-1]+" "+lines[rows], max(0, width))
		lines = lines[:rows]
	}
	return lines
}

// nothing is the text for a list without todos.
func (m *panel) nothing() string {
	switch {
	case m.seen.key.Session == "":
		return "No session of this project has todos yet. The panel waits for one."
	case !m.seen.end.At.IsZero():
		return m.seen.end.Told(m.now)
	case len(m.seen.agents) == 0:
		return "Session " + m.name(m.seen.key.Session, nameFull) + " has no todos yet. The panel waits for them." + m.there("Sessions with todos", m.seen.others)
	case !slices.Contains(m.seen.agents, m.seen.key.Agent):
		return "Agent " + m.name(m.seen.key.Agent, nameFull) + " has no todos yet. The panel waits for them." + m.there("Agents with todos", m.seen.agents)
	}
	return "The agent has no todos yet."
}

// there lists names that exist.
func (m *panel) there(what string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = m.name(cmp.Or(name, "main"), nameFull)
	}
	return " " + what + ": " + strings.Join(shown, ", ") + "."
}

// keyNames names the most useful keys.
func (m *panel) keyNames() term.Line {
	var l term.Line
	for _, k := range m.keys() {
		more := term.Line{part(term.Title, " "+k.written), part(term.Quiet, " "+k.does+" ")}
		if term.Width(l.String()+more.String()) > m.width {
			break
		}
		l = append(l, more...)
	}
	return l
}

// keys are those worth naming, the most useful ones first.
func (m *panel) keys() []binding {
	keys := []binding{keyHelp, keyQuit}
	if m.collapsed {
		return append([]binding{keyExpand}, keys...)
	}
	if len(m.seen.sessions) > 1 {
		keys = append(keys, keySession)
	}
	if len(m.seen.agents) > 1 {
		keys = append(keys, keyAgent)
	}
	return append(keys, keyCollapse, keySwitch)
}

// help explains the keys, as far as there is room, and says what holds now.
func (m *panel) help() frame {
	follow := "stay with this session"
	if m.seen.pinned != "" {
		follow = "follow the newest session again"
	}
	f := frame{m.line(term.Line{part(term.Title, " Keys")})}
	for _, k := range []struct{ key, does string }{
		{"j k", "scroll down, up"}, {"PgDn", "a page down"}, {"PgUp", "a page up"}, {"Esc", "to the current todo"},
		{"n", "next session"}, {"Tab", "next agent's list"}, {"f", follow}, {"Space", "one line, or all"},
		{"p", "switch off in your settings; todos then appear in the conversation"}, {"q", "quit"},
	} {
		lead := part(term.Title, " "+term.Pad(k.key, 6))
		for _, line := range m.cut(k.does, m.width-term.Width(lead.Text), 2) {
			f = append(f, m.line(term.Line{lead, part(term.Normal, line)}))
			lead = part(term.Normal, strings.Repeat(" ", term.Width(lead.Text)))
		}
	}
	return f
}

// switchedOff is all that is seen while the settings do not want the panel.
func (m *panel) switchedOff() term.Line {
	if m.failed != "" {
		return telling(term.Bad, m.failed)
	}
	command := text.Line(m.seen.wanted.Command) // it may name a session
	return telling(term.Quiet, m.fitting(
		"The panel is off: todos appear in the conversation. p switches it on, or: "+command,
		"The panel is off. p switches it on, or: "+command,
		"The panel is off: todos appear in the conversation. p switches it on",
		"The panel is off: p brings todos back from the conversation",
		"Off: todos are in the conversation. p: switch on",
		"The panel is off: p switches it on", "Off (p: on)"))
}

// fitting is the first text that fits, else the last.
func (m *panel) fitting(texts ...string) string {
	for _, text := range texts {
		if term.Width(text)+1 <= m.width {
			return text
		}
	}
	return texts[len(texts)-1]
}
