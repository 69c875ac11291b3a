package tui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// detailScreen is to be written.
type detailScreen struct {
	at pawl.ID
}

func (s *detailScreen) read(*model) func(context.Context, *pawl.Board) (any, error) { return nil }
func (s *detailScreen) take(*model, any)                                            {}
func (s *detailScreen) draw(m *model, width, height int) frame                      { return nil }
func (s *detailScreen) key(*model, tea.KeyPressMsg) (tea.Cmd, bool)                 { return nil, false }
func (s *detailScreen) task() pawl.ID                                               { return s.at }
func (s *detailScreen) show(_ *model, id pawl.ID)                                   { s.at = id }
func (s *detailScreen) click(*model, hit, bool) tea.Cmd                             { return nil }
func (s *detailScreen) scroll(*model, int)                                          {}
func (s *detailScreen) keys(*model) []key.Binding                                   { return nil }
