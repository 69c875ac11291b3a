package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// find returns where a text stands on the screen.
func (p *pilot) find(text string) tea.Mouse {
	p.t.Helper()
	for y, line := range strings.Split(p.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return tea.Mouse{X: term.Width(before), Y: y, Button: tea.MouseLeft}
		}
	}
	p.t.Fatalf("the screen does not show %q:\n%s", text, p.text())
	return tea.Mouse{}
}

// click presses the mouse's button on a text.
func (p *pilot) click(text string) {
	p.t.Helper()
	at := p.find(text)
	p.send(tea.MouseClickMsg(at))
	p.send(tea.MouseReleaseMsg(at))
}

// drag takes one text to another, by way of others.
func (p *pilot) drag(text string, way ...string) {
	p.t.Helper()
	var at []tea.Mouse
	for _, text := range append([]string{text}, way...) {
		at = append(at, p.find(text))
	}
	p.send(tea.MouseClickMsg(at[0]))
	for _, to := range at[1:] {
		p.send(tea.MouseMotionMsg(to))
	}
	p.send(tea.MouseReleaseMsg(at[len(at)-1]))
	p.sleep(time.Second)
}

func TestMouse(t *testing.T) {
	fly(t, func(p *pilot) {
		at := func(id pawl.ID) {
			t.Helper()
			if got := p.model.task(); got != id {
				t.Fatalf("the reader is at %v, want %v:\n%s", got, id, p.text())
			}
		}
		at(1)
		p.click("Write the parser")
		at(2)
		if p.model.where != onLanes {
			t.Fatal("one click opens nothing")
		}
		p.sleep(time.Second)
		p.click("Write the parser")
		if p.model.where != onLanes {
			t.Fatal("two slow clicks open nothing")
		}
		p.sleep(time.Second)
		p.click("Write the parser")
		p.click("Write the parser")
		if p.model.where != onDetail {
			t.Fatal("a double click opens the card")
		}
		p.click("Blocked 1") // in the heading
		if p.model.where != onLanes {
			t.Fatal("the heading leads to the lanes")
		}
		at(4)
		p.click("Ready 3")
		p.click("Blocked 1")
		at(4)
		p.click("Ready 3")
		at(2)
		p.click("c claim")
		p.sleep(time.Second)
		p.stands(2, query.Doing)
		p.press("?")
		p.click("In progress") // behind the help
		if p.model.dialog == nil {
			t.Fatal("a click beside a dialog leaves it open")
		}
	}, plan(task("Set up"), task("Write the parser"), task("Write the emitter"), task("Ship", 1)))
}

// The mouse moves cards as the keys do.
func TestDrag(t *testing.T) {
	fly(t, func(p *pilot) {
		p.send(tea.MouseClickMsg(p.find("Set up")))
		p.send(tea.MouseMotionMsg(p.find("unblocks")))
		p.seesNot("█") // a hand is never still
		p.send(tea.MouseReleaseMsg(p.find("unblocks")))
		p.sleep(time.Second)
		p.drag("Set up", "Nobody is working")
		p.stands(1, query.Doing)
		p.drag("Set up", "Ready 0", "Done 0")
		p.stands(1, query.Finished)
		p.drag("Set up", "In progress", "Done 1") // there and back
		p.stands(1, query.Finished)
		p.drag("#2 Ship", "Set up")
		p.stands(2, query.Finished)
		p.send(tea.MouseClickMsg(p.find("Set up")))
		p.send(tea.MouseMotionMsg(p.find("In progress")))
		p.sees("█ ✔ #1 Set up", "Drop to reopen and claim")
		p.press("esc")
		p.send(tea.MouseReleaseMsg(p.find("In progress")))
		p.sleep(time.Second)
		p.stands(1, query.Finished)
	}, plan(task("Set up"), task("Ship", 1)))
}

// A wheel turns the lane under the pointer, and leaves the reader's card where it
// is, unless it would go out of sight.
func TestWheel(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(120, 24)
		turn := func(text string, button tea.MouseButton) {
			t.Helper()
			at := p.find(text)
			at.Button = button
			p.send(tea.MouseWheelMsg(at))
		}
		s := p.lanesScreen()
		p.press("left")
		turn("Ready", tea.MouseWheelDown)
		turn("Ready", tea.MouseWheelDown)
		p.sees("▲ 2")
		if s.lane != query.Blocked {
			t.Error("the wheel turns a lane, and does not go there")
		}
		for range 100 {
			turn("Blocked", tea.MouseWheelDown)
		}
		p.seesNot("▼ 1 ")
		if id := s.at.String() + " "; !strings.Contains(p.text(), id) {
			t.Errorf("%s is out of sight:\n%s", id, p.text())
		}
		for range 100 {
			turn("Blocked", tea.MouseWheelUp)
			turn("Ready", tea.MouseWheelUp)
		}
		p.seesNot("▲")
	}, sixty()...)
}

// A click on a key's name presses that key.
func TestPressOf(t *testing.T) {
	n := 0
	for _, group := range keyGroups() {
		for _, k := range group.keys {
			n++
			if name := k.key.keys[0]; !matches(pressOf(name), k.key) {
				t.Errorf("%q is pressed as %q", name, pressOf(name))
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d keys were tried", n)
	}
}
