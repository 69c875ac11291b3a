package tui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// lanesScreen is to be written.
type lanesScreen struct {
	at   pawl.ID
	done int // how many cards of what is done are wanted
}

func (s *lanesScreen) read(*model) func(context.Context, *pawl.Board) (any, error) { return nil }
func (s *lanesScreen) take(*model, any)                                            {}
func (s *lanesScreen) draw(m *model, width, height int) frame                      { return nil }
func (s *lanesScreen) key(*model, tea.KeyPressMsg) (tea.Cmd, bool)                 { return nil, false }
func (s *lanesScreen) task() pawl.ID                                               { return s.at }
func (s *lanesScreen) show(_ *model, id pawl.ID)                                   { s.at = id }
func (s *lanesScreen) click(*model, hit, bool) tea.Cmd                             { return nil }
func (s *lanesScreen) scroll(*model, int)                                          {}
func (s *lanesScreen) keys(*model) []key.Binding                                   { return nil }
