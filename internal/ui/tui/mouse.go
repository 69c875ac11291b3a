package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/query"
)

// A press is the mouse's button while it is down, and the click before.
type press struct {
	down hit       // what it went down on
	on   hit       // what was clicked last
	at   time.Time // when
}

const (
	// doubleClick is how long after a click a second one is part of it.
	doubleClick = 500 * time.Millisecond
	// notch is how many rows a wheel scrolls at a time.
	notch = 3
)

// mouse does what a click, a wheel or a drag means.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if m.small() {
		return nil
	}
	if m.dialog != nil {
		return m.mouseInDialog(msg)
	}
	h := m.shown.at(at.X, at.Y)
	l, onLanes := m.screens[m.where].(*lanesScreen)
	switch msg.(type) {
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return m.click(h)
		}
	case tea.MouseMotionMsg:
		if lane, ok := h.inLane(); ok && onLanes && at.Button == tea.MouseLeft {
			m.drag(l, lane)
		}
	case tea.MouseReleaseMsg:
		dragged := m.press.down.kind == hitTask && onLanes && l.lift != nil
		m.press.down = hit{}
		if dragged {
			return l.drop(m)
		}
	case tea.MouseWheelMsg:
		by := wheel(at.Button)
		if lane, ok := h.inLane(); ok && onLanes {
			l.wheel(m, lane, by)
		} else {
			m.screens[m.where].scroll(m, by*notch)
		}
	}
	return nil
}

// click does what a click means.
func (m *model) click(h hit) tea.Cmd {
	p := &m.press
	double := h == p.on && h.kind != hitNothing && m.now.Sub(p.at) < doubleClick
	p.down, p.on, p.at = h, h, m.now
	if double {
		p.on = hit{} // a third one is none of a pair
	}
	if h.kind == hitKey {
		return m.key(pressOf(h.key))
	}
	m.notice = notice{}
	clear(m.why)
	l := m.screens[onLanes].(*lanesScreen)
	l.lift = nil
	if h.kind == hitLane && m.where != onLanes { // in the heading
		l.click(m, h, false)
		return m.jumpTo(onLanes, 0)
	}
	return m.screens[m.where].click(m, h, double)
}

// drag carries the card that the button went down on over a lane. It is lifted
// only there, because a hand is never quite still.
func (m *model) drag(l *lanesScreen, lane query.Lane) {
	down := m.press.down
	if down.kind != hitTask || l.at != down.task || l.lift == nil && lane == l.lane {
		return
	}
	if l.lift == nil {
		l.lift = &lift{task: down.task}
	}
	l.over(int(lane))
}

// mouseInDialog gives the dialog what happens on it, and nobody else what
// happens elsewhere.
func (m *model) mouseInDialog(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseClickMsg:
		_, _, foot, _ := m.parts()
		if at.Button != tea.MouseLeft || at.Y < m.height-len(foot) {
			return nil
		}
		h := m.shown.at(at.X, at.Y)
		if d, ok := m.dialog.(interface{ goTo(at int) bool }); ok && h.kind == hitItem && d.goTo(h.item) {
			h = hit{kind: hitKey, key: "enter"}
		}
		if h.kind == hitKey {
			return m.dialog.key(m, pressOf(h.key))
		}
	case tea.MouseWheelMsg:
		code := tea.KeyDown
		if wheel(at.Button) < 0 {
			code = tea.KeyUp
		}
		return m.dialog.key(m, tea.KeyPressMsg{Code: code})
	}
	return nil
}

// wheel is which way it turns: -1 up, 1 down.
func wheel(button tea.MouseButton) int {
	return map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1}[button]
}

// inLane is the lane that something stands in.
func (h hit) inLane() (query.Lane, bool) {
	switch h.kind {
	case hitTask, hitLane:
		return h.lane, true
	case hitFold:
		return query.Finished, true
	}
	return 0, false
}

// keyCodes are the keys with a name.
var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

// pressOf is the press of a key, by its name in a binding.
func pressOf(name string) tea.KeyPressMsg {
	for prefix, mod := range map[string]tea.KeyMod{"shift+": tea.ModShift, "ctrl+": tea.ModCtrl} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			k := pressOf(rest)
			k.Mod, k.Text = mod, ""
			return k
		}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	if code, ok := keyCodes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}
