package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// newNote asks for a remark on a task. A remark longer than a line is written in
// the reader's editor.
func (m *model) newNote(id pawl.ID) *askText {
	d := m.newAsk("note "+id.String(), "Note on "+m.name(id), longestNote, bind("add note", "Enter", "enter"), keyEditor)
	d.enter = func(m *model, text string) tea.Cmd {
		return m.carry(answerMsg{about: id, op: pawl.AddNote{ID: id, Text: text}, asked: d})
	}
	d.other = func(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
		if !matches(k, keyEditor) {
			return nil, false
		}
		m.close()
		m.keep(d.unsent())
		m.notice = notice{}
		return m.noteInEditor(id, d), true
	}
	return d
}

// keyEditor goes on with a text in the editor.
var keyEditor = bind("in your editor", "Ctrl+o", "ctrl+o")

// longestNote is how many runes of a note are written here: with four bytes each
// it is one that the board takes.
const longestNote = pawl.MaxNote / 4

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
