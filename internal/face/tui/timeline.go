package tui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// timelineScreen is to be written.
type timelineScreen struct {
	at pawl.ID
}

func (s *timelineScreen) read(*model) func(context.Context, *pawl.Board) (any, error) { return nil }
func (s *timelineScreen) take(*model, any)                                            {}
func (s *timelineScreen) draw(m *model, width, height int) frame                      { return nil }
func (s *timelineScreen) key(*model, tea.KeyPressMsg) (tea.Cmd, bool)                 { return nil, false }
func (s *timelineScreen) task() pawl.ID                                               { return s.at }
func (s *timelineScreen) show(_ *model, id pawl.ID)                                   { s.at = id }
func (s *timelineScreen) click(*model, hit, bool) tea.Cmd                             { return nil }
func (s *timelineScreen) scroll(*model, int)                                          {}
func (s *timelineScreen) keys(*model) []key.Binding                                   { return nil }
