package tui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// graphScreen is to be written.
type graphScreen struct {
	at pawl.ID
}

func (s *graphScreen) read(*model) func(context.Context, *pawl.Board) (any, error) { return nil }
func (s *graphScreen) take(*model, any)                                            {}
func (s *graphScreen) draw(m *model, width, height int) frame                      { return nil }
func (s *graphScreen) key(*model, tea.KeyPressMsg) (tea.Cmd, bool)                 { return nil, false }
func (s *graphScreen) task() pawl.ID                                               { return s.at }
func (s *graphScreen) show(_ *model, id pawl.ID)                                   { s.at = id }
func (s *graphScreen) click(*model, hit, bool) tea.Cmd                             { return nil }
func (s *graphScreen) scroll(*model, int)                                          {}
func (s *graphScreen) keys(*model) []key.Binding                                   { return nil }
