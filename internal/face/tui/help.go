package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/draw"
)

// help explains the keys.
type help struct{}

func newHelp() *help { return &help{} }

func (*help) draw(m *model, width, height int) (frame, *tea.Position) {
	return frame{row(width, draw.Part{Text: " help", Tone: draw.Title})}, nil
}

func (*help) key(m *model, _ tea.KeyPressMsg) tea.Cmd { m.close(); return nil }
func (*help) paste(*model, string) tea.Cmd            { return nil }
func (*help) click(m *model, _ hit) tea.Cmd           { m.close(); return nil }
