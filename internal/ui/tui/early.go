package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// early is what the reader typed while the board was loading. The model applies
// it once the board is loaded.
type early []tea.Msg

// mostEarly limits early input: more is an accident.
const mostEarly = 500

// loading reports whether the board is still being opened or read for the first
// time.
func (m *model) loading() bool { return m.lanes == nil && !m.absent && m.fatal == nil }

// later keeps input while the board is loading, or before the terminal has told
// its size. It reports false for input to handle now: leaving, and input to a
// dialog.
func (m *model) later(msg tea.Msg) bool {
	sized := m.window.Width > 0
	if !m.loading() && sized || m.dialog != nil || sized && m.small() {
		return false
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case k.String() == "ctrl+c" || k.String() == "ctrl+z":
			return false
		case matches(k, keyQuit) && (len(m.early) == 0 || m.notice.bad):
			return false
		case k.String() == "ctrl+j": // how a terminal sends Enter until the program has set it up
			msg = tea.KeyPressMsg{Code: tea.KeyEnter}
		}
	}
	if len(m.early) < mostEarly {
		m.early = append(m.early, msg)
	}
	return true
}

// replay applies the early input. It stops at the first key that would change a
// task, because the reader could not see that task yet, and says so.
func (m *model) replay() tea.Cmd {
	if len(m.early) == 0 || m.loading() || m.window.Width == 0 {
		return nil
	}
	typed := m.early
	m.early = nil
	var cmds []tea.Cmd
	for i, msg := range typed {
		if k, ok := msg.(tea.KeyPressMsg); ok && m.dialog == nil && (m.change(k, 0) != nil || matches(k, keyUndo, keyMove)) {
			m.notice = notice{text: "Ignored, because you typed it before the tasks were loaded: " + typed[i:].words(), bad: true}
			break
		}
		_, cmd := m.Update(msg)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// words spells what was typed.
func (e early) words() string {
	var b strings.Builder
	for _, msg := range e {
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			if msg.Text != "" {
				b.WriteString(msg.Text)
			} else {
				b.WriteString(" " + msg.String() + " ")
			}
		case tea.PasteMsg:
			b.WriteString(msg.Content)
		}
	}
	return strings.TrimSpace(b.String())
}

// loadingFrame is shown instead of the board while it loads.
func (m *model) loadingFrame(width int) frame {
	parts := []term.Part{{Text: "Loading" + ellipsis(m.Unicode)}}
	if len(m.early) > 0 {
		parts = append(parts, term.Part{Text: "Typed so far: " + m.sc(width-20).Fit(m.early.words(), width-20), Tone: term.Quiet})
	}
	return said(width, parts...)
}
