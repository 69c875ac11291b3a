package tui

import (
	tea "charm.land/bubbletea/v2"
)

// A press is the mouse's button while it is down, and the click before.
type press struct{}

// mouse does what a click, a wheel or a drag means.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd { return nil }
