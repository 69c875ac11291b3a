package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A link is made and taken away by the same keys, in both directions, and a
// cycle is refused with its path.
func TestLink(t *testing.T) {
	fly(t, func(p *pilot) {
		p.at(3)
		p.press("l")
		p.sees("What does #3 Docs wait for?", "[ ] ◆ #1 Set up", "2 of 2")
		p.write("code")
		p.sees("1 of 2")
		p.press("enter")
		p.sees("Updated #3 Docs (waits for #2)", "Blocked 1")
		p.press("l")
		p.sees("[x] ◆ #2 Write code")
		p.press("shift+tab")
		p.sees("What waits for #3 Docs?", "[ ] ◆ #2 Write code")
		p.press("down", "enter")
		p.sees("This would close a cycle: #3 → #2 → #3", "leave out one of these edges")
		if p.model.why[3] == "" {
			t.Error("the card does not say why")
		}
		p.press("l")
		p.write("#2")
		p.press("enter")
		p.sees("Updated #3 Docs (no longer waits for #2)", "Blocked 0")
		p.press("l", "shift+tab", "enter")
		p.sees("Updated #1 Set up (waits for #3)")
		p.press("l", "shift+tab")
		p.sees("[x] ○ #1 Set up")
		p.press("enter")
		p.sees("Updated #1 Set up (no longer waits for #3)")
	}, plan(task("Set up"), task("Write code"), task("Docs")))
}

// Several links are made and taken away as one change, in both directions.
func TestLinkSeveral(t *testing.T) {
	fly(t, func(p *pilot) {
		p.at(4)
		p.press("l")
		p.sees("[ ] ◆ #1 Set up", "Enter link ")
		p.press("tab", "down", "tab")
		p.sees("[x] ◆ #1 Set up", "[x] ◆ #2 Write code", "Enter save 2 changes")
		p.do(me, plan(task("New")))
		p.sleep(gap)
		p.sees("[x] ◆ #1 Set up", "[ ] ◆ #6 New")
		p.press("shift+tab", "down", "down", "tab")
		p.sees("[ ] ◆ #1 Set up", "[x] ◆ #5 Tests", "Enter save 3 changes")
		p.press("enter")
		p.sees("Blocked 2")
		p.press("u")
		p.sees("Blocked 0")
		p.press("l", "tab", "tab", "enter") // nothing is marked then
		p.sees("Updated #4 Docs (waits for #1)")
		p.press("l")
		p.sees("Enter unlink ")
		p.press("esc")
		p.press("l", "tab", "esc", "l")
		p.sees("[x] ◆ #1 Set up")
	}, plan(task("Set up"), task("Write code"), task("Other"), task("Docs"), task("Tests")))
}

// Tasks that others add in between are offered too.
func TestLinkFollows(t *testing.T) {
	fly(t, func(p *pilot) {
		p.at(1)
		p.press("l")
		p.sees("No other task is open")
		p.do(me, plan(task("Write code")))
		p.sleep(gap)
		p.sees("[ ] ◆ #2 Write code")
	}, plan(task("Set up")))
}

// The way out of a dialog is named wherever it is drawn.
func TestNarrowDialogs(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(34, 9)
		for _, key := range []string{"l", "a", "n", "f", "/"} {
			p.at(1)
			p.press(key)
			p.sees("Enter ", "Esc ")
			p.press("esc")
		}
	}, board...)
}

func TestLinkFrames(t *testing.T) {
	fly(t, func(p *pilot) {
		p.at(2)
		p.press("l")
		p.frames("dialogs/link")
	}, board...)
}

// A dialog is used with the mouse as well.
func TestLinkMouse(t *testing.T) {
	fly(t, func(p *pilot) {
		p.at(1)
		p.press("l")
		p.clickOn("reverse")
		p.sees("What waits for #1 Set up?")
		p.clickOn("#3 Docs")
		p.sees("Updated #3 Docs (waits for #1)")
	}, plan(task("Set up"), task("Write code"), task("Docs")))
}

// clickOn clicks on the last place where a text stands, in which nothing is wide.
func (p *pilot) clickOn(text string) {
	p.t.Helper()
	lines := strings.Split(p.text(), "\n")
	for y := len(lines) - 1; y >= 0; y-- {
		if before, _, ok := strings.Cut(lines[y], text); ok {
			p.send(tea.MouseClickMsg{X: len([]rune(before)), Y: y, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: len([]rune(before)), Y: y, Button: tea.MouseLeft})
			p.sleep(gap)
			return
		}
	}
	p.t.Fatalf("there is no %q to click on:\n%s", text, p.text())
}
