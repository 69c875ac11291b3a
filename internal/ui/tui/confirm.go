package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
)

// A confirm asks before an op that is hard to take back:
//
//	── Delete #3 Write the parser? ────────────────
//	 It will no longer block other tasks. u restores it.
//	 y delete  Esc leave
type confirm struct {
	title string
	text  string
	yes   binding
	do    func(m *model) tea.Cmd
}

// confirming is y, with what it does.
func confirming(does string) binding { return bind(does, "y", "y") }

func (d *confirm) draw(m *model, width, height int) (frame, *tea.Position) {
	f := frame{titleRow(m, width, d.title)}
	const others = 2 // title and keys
	lines := term.Wrap(d.text, width-2)
	for _, line := range lines[:min(len(lines), height-others)] {
		f = append(f, row(width, term.Part{Text: " " + line}))
	}
	return append(f, keyCells(width, []binding{d.yes, keyLeave})), nil
}

func (d *confirm) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	switch {
	case matches(k, d.yes):
		m.close()
		return d.do(m)
	case matches(k, keyBack), k.String() == "n":
		m.close()
	}
	return nil
}

// newDelete asks before a task is deleted.
func (m *model) newDelete(id pawl.ID) *confirm {
	return &confirm{
		title: "Delete " + m.name(id) + "?",
		text:  "It will no longer block other tasks. u restores it.",
		yes:   confirming("delete"),
		do:    func(m *model) tea.Cmd { return m.do(0, pawl.Delete{IDs: []pawl.ID{id}}) },
	}
}
