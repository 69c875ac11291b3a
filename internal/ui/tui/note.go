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
		e := editing{id: id}
		err := e.lay(text, programs)
		return then(func(m *model) tea.Cmd {
			if err != nil {
				m.notice = notice{text: m.refusal(err), bad: true}
				return e.drop
			}
			return e.open(m, func(text string, err error) tea.Cmd { return m.noteWritten(e, d.draft, text, err) })
		})
	}
}

// noteWritten adds the note that the editor has left, which began as a draft of the dialog.
func (m *model) noteWritten(e editing, draft, text string, err error) tea.Cmd {
	switch {
	case err != nil && text == e.given: // such as :cq in vi; what the dialog had is kept
		m.notice = notice{text: sentence(fmt.Errorf("no note was added; %s: %w", e.editor[0], err)), bad: true}
		return e.drop
	case err != nil:
		m.notice = e.kept("note not saved: " + err.Error())
		return nil
	}
	delete(m.drafts, draft)
	text = strings.TrimSpace(aboveBottom(strings.ReplaceAll(text, "\r\n", "\n")))
	if text == "" {
		m.notice = notice{text: "No note was added: the text is empty"}
		return e.drop
	}
	note := m.do(e.id, pawl.AddNote{ID: e.id, Text: text})
	return func() tea.Msg {
		answer, ok := note().(answerMsg)
		if ok && answer.err != nil {
			answer.why = e.kept("note not saved: " + answer.err.Error()).text
			return answer
		}
		e.drop()
		return answer
	}
}
