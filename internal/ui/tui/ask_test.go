package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// Esc throws nothing away: what was written is there again.
func TestDrafts(t *testing.T) {
	fly(t, func(p *pilot) {
		for _, key := range []string{"a", "n", "h"} {
			p.press(key)
			p.write("half of " + key)
			p.press("esc")
			p.sees("Your text is kept as a draft")
		}
		p.at(2)
		p.press("n")
		p.seesNot("half of")
		p.press("esc")
		p.at(1)
		p.press("n")
		p.sees("half of n")
		p.write(" and all")
		p.press("enter")
		p.sees("Noted on #1 Set up: half of n and all")
		p.press("n")
		p.seesNot("half of n|")
		p.press("esc", "a")
		p.sees("half of a")
		p.press("ctrl+u", "esc", "a")
		p.seesNot("half of a")
	}, plan(task("Set up"), task("Write code")))
}

// A note of several lines is written in the editor, and goes on from the dialog.
func TestNoteInEditor(t *testing.T) {
	fly(t, func(p *pilot) {
		texts := p.writes(exchange("It hangs.", "It hangs.\n\nSee the log."), func(string) string { return "" }, keep)
		p.at(1)
		p.press("n")
		p.write("It hangs.")
		p.press("ctrl+o")
		p.sees("Noted on #1 Set up: It hangs.")
		p.press("n", "ctrl+o")
		p.sees("No note was added: the text is empty")
		p.press("n")
		p.write("kept")
		p.do(me, pawl.Delete{IDs: []pawl.ID{1}})
		p.press("ctrl+o")
		p.sees("Note not saved: #1 Set up was deleted by ", "; the text is kept in")
		tasks, err := p.board.Get(t.Context(), 1)
		if err == nil || len(tasks) > 0 || len(p.left()) != 1 || !strings.Contains((*texts)[0], "a note on #1 Set up") {
			t.Errorf("%v, %v, %v, %q", tasks, err, p.left(), *texts)
		}
	}, plan(task("Set up")))
}

// Lines that are pasted are tasks, if one wants that, and one change.
func TestPasteTasks(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("a")
		p.write("  first: ")
		p.press("tab")
		p.send(tea.PasteMsg{Content: "Write\r\n\n- [ ] Test\n* Ship\n 12. Rest\n- \n2nd thing\n"})
		p.frames("dialogs/several")
		p.size(120, 40)
		p.press("esc")
		p.sees("Add a task", "▸   first:")
		p.send(tea.PasteMsg{Content: "Write\nTest"})
		p.press("tab")
		p.sees("first: Write Test")
		p.press("ctrl+u")
		p.send(tea.PasteMsg{Content: "Write\n- [x] Test\nShip"})
		p.sees("Each waits for #1 Set up", "Enter add 3 tasks")
		p.press("enter")
		p.sees("Added #2 Write, #3 Test, #4 Ship", "Blocked 3")
		p.press("u")
		p.sees("Blocked 0")

		p.press("a", "tab")
		p.send(tea.PasteMsg{Content: "Write\nTest"})
		p.do(me, pawl.Delete{IDs: []pawl.ID{1}})
		p.press("enter")
		p.sees("! #1 Set up was deleted by ", "   Write", "Enter add 2 tasks")
		p.press("esc", "esc")
		p.press("a")
		p.send(tea.PasteMsg{Content: strings.Repeat("Ab ", 500) + "\n" + strings.Repeat("x\n", 599) + "end"})
		p.sees("! 1 line is cut: a subject has 500 characters at most", "! The last 101 lines are left out", "Enter add 500 tasks")
		p.seesNot("   end")
		p.press("end")
		p.sees("   end")
		p.press("esc")
		p.send(tea.PasteMsg{Content: strings.Repeat("y", 3000)})
		p.sees("! 2500 characters left out: the limit is 500", "Enter add")
		p.press("backspace")
		p.seesNot("no room")
	}, plan(task("Set up")))
}

func FuzzSubjects(f *testing.F) {
	f.Add("- [ ] Write\r\n 12. Test\n\x1b[2J\u202e\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, subject := range subjectsOf(s) {
			if subject == "" || text.Line(subject) != subject || strings.TrimSpace(subject) != subject {
				t.Errorf("%q has the subject %q", s, subject)
			}
		}
	})
}
