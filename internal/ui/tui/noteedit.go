package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// noteInEditor has a note written in the reader's editor, which begins with what
// was written in the dialog.
func (m *model) noteInEditor(id pawl.ID, d *askText) tea.Cmd {
	text := fmt.Sprintf("%s\n\n%s\n# The text above becomes a note on %s.\n# If it is empty, no note is added.\n", d.field.text(), bottomMark, m.name(id))
	programs := m.Programs
	return func() tea.Msg {
		msg := noteMsg{editing: editing{id: id}, draft: d.draft}
		msg.err = msg.lay(text, programs)
		return msg
	}
}

// noteMsg says that a note is there to be written, or was written.
type noteMsg struct {
	editing
	draft   string // of the dialog
	written bool
	text    string
	err     error
}

func (msg noteMsg) update(m *model) tea.Cmd {
	drop := func() tea.Msg { msg.drop(); return nil }
	m.lent = editing{}
	text := strings.TrimSpace(aboveBottom(strings.ReplaceAll(msg.text, "\r\n", "\n")))
	switch {
	case msg.err != nil && !msg.written:
		m.notice = notice{text: m.refusal(msg.err), bad: true}
		return drop
	case msg.err != nil && msg.text == msg.given: // such as :cq in vi; what the dialog had is kept
		m.notice = notice{text: sentence(fmt.Errorf("no note was added; %s: %w", msg.editor[0], msg.err)), bad: true}
		return drop
	case msg.err != nil:
		m.notice = msg.kept("note not saved: " + msg.err.Error())
		return nil
	case !msg.written:
		return msg.open(m, func(text string, err error) tea.Msg {
			msg.written, msg.text, msg.err = true, text, err
			return msg
		})
	}
	delete(m.drafts, msg.draft)
	if text == "" {
		m.notice = notice{text: "No note was added: the text is empty"}
		return drop
	}
	note := m.do(msg.id, pawl.AddNote{ID: msg.id, Text: text})
	return func() tea.Msg {
		answer, ok := note().(answerMsg)
		if ok && answer.err != nil {
			answer.why = msg.kept("note not saved: " + answer.err.Error()).text
			return answer
		}
		msg.drop()
		return answer
	}
}
