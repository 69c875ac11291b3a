package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// times is the timeline of a pilot.
func (p *pilot) times() *timelineScreen { return p.model.screens[onTimeline].(*timelineScreen) }

// line is the row of the screen that the reader is at.
func (p *pilot) line() string {
	for line := range strings.Lines(p.text()) {
		if strings.HasPrefix(line, "▸ ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// looksAt fails unless the row that the reader is at has a text.
func (p *pilot) looksAt(text string) {
	p.t.Helper()
	if !strings.Contains(p.line(), text) {
		p.t.Errorf("one looks at %q, not at %s:\n%s", p.line(), text, p.text())
	}
}

func TestTimeline(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.press("t")
		p.sees("No changes yet")
		for _, op := range parser() {
			p.do(me, op)
			p.sleep(7 * time.Hour)
		}
		p.do(reviewer, pawl.Update{ID: 3, Priority: new(pawl.Medium)})
		p.do(reviewer, pawl.ClaimTask{ID: 6, Lease: pawl.Duration(time.Hour)})
		p.sleep(time.Minute)
		p.do(reviewer, pawl.Renew{IDs: []pawl.ID{6}})
		p.do(reviewer, pawl.PutHold{IDs: []pawl.ID{7}, Reason: "the grammar is not settled"})
		p.goldens("timeline")
		p.size(80, 24)
		p.press("j", "j", "v")
		p.golden("timeline-fields")
	})
}

// Enter shows the task of a change, be it deleted since.
func TestTimelineOpens(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.do(reviewer, pawl.Delete{IDs: []pawl.ID{5}})
		p.press("t")
		p.sees("Today", "▸ 00:00    bob (reviewer) removed #5")
		p.press("enter")
		p.sees("#5 is not on the board")
		p.press("esc", "j", "enter")
		p.sees("#3 Write the parser", "Notes")
		p.press("esc")
		p.sees("▸ 00:00    ada noted on #3 Write the parser: The old one is in git: tag v0.")
	}, parser()...)
}

// A reader who looks at an older change keeps it in sight while others come on
// top; at the beginning they come in.
func TestTimelineFollowsTheBoard(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.size(80, 24)
		add := func(n int) {
			p.do(reviewer, plan(task(fmt.Sprintf("Task %d.", n))))
			p.sleep(gap)
		}
		p.press("t")
		for i := range 50 {
			add(i)
		}
		p.looksAt("Task 49.")
		for range 40 {
			p.press("j")
		}
		p.press("k", "k", "k", "k", "k") // not at an edge
		before := p.text()
		p.looksAt("Task 14.")
		for i := range 20 {
			add(50 + i)
		}
		body := func(text string) string { return strings.SplitN(text, "\n", 2)[1] } // without the counts
		if after := p.text(); body(after) != body(before) {
			t.Errorf("it moved:\n%s\nis now:\n%s", before, after)
		}
		p.press("home")
		p.looksAt("Task 69.")
		add(70)
		p.looksAt("Task 70.")
	})
}

// u takes the selected change back, and says why where that cannot be.
func TestTimelineUndoes(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.do(reviewer, pawl.Update{ID: 3, Subject: new("Write a parser")})
		p.do(reviewer, pawl.Update{ID: 3, Subject: new("Write the scanner")})
		p.do(me, pawl.Update{ID: 4, Priority: new(pawl.High)})
		p.press("t")
		p.press("j", "j")
		p.looksAt("was called Write the parser")
		p.press("u")
		p.sees("Since then bob (reviewer) updated #3", "was called Write a parser) (in the way)")
		if p.times().refused.set == 0 {
			t.Fatal("what was changed again was undone")
		}
		p.golden("timeline-refused")
		p.press("k")
		if p.times().refused.set != 0 {
			t.Error("the refusal stays for ever")
		}
		p.press("u")
		p.sees("ada undid what bob (reviewer) did: updated #3 Write the scanner")
		p.looksAt("(undone)  @")
		p.press("j", "u")
		p.sees("#3 Write the parser")
		if tasks, err := p.board.Get(t.Context(), 3); err != nil || tasks[0].Subject != "Write the parser" {
			t.Errorf("#3 is %q, %v", tasks[0].Subject, err)
		}
		p.golden("timeline-undone")
		p.press("home", "u") // the undo itself
		p.looksAt("(undone)  @")
		p.sees("ada redid what bob (reviewer) did: updated #3 Write a parser")
		p.seesNot("revision")
		if n := strings.Count(p.text(), "(undone)  @"); n != 2 {
			t.Errorf("%d changes are marked as undone, want one and an undo:\n%s", n, p.text())
		}
	}, parser()...)
}

// Older changes are read at the end, up to a limit.
func TestTimelineReadsOn(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		for i := range 500 {
			p.do(me, plan(task(fmt.Sprintf("Task %d.", i))))
		}
		p.press("t")
		for _, want := range []int{200, 400, 500, 500} {
			if got := len(p.times().told.history.told); got != want {
				t.Fatalf("%d changes are read, want %d", got, want)
			}
			p.press("end")
		}
		p.sees("added #1 Task 0.")
	})
}

// What is told below a change at the bottom comes in sight with it.
func TestTimelineReveals(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		for i := range 30 {
			p.do(me, pawl.Update{ID: 1, Priority: new([]pawl.Priority{pawl.Low, pawl.High}[i%2])})
		}
		p.size(60, 15)
		p.press("t")
		p.press("pgdown", "v")
		p.sees("priority: low → high")
		p.press("v", "end", "u")
		p.press("k", "u")
		p.sees("Since then ada updated #1 Set up (priority low", "→ high)  ")
		p.press("v", "home")
		p.sees("priority: low → high")
	}, plan(task("Set up")))
}

// A click selects a change and a second one opens it; a wheel scrolls, and what
// is selected stays in sight.
func TestTimelineMouse(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		for i := range 30 {
			p.do(me, plan(task(fmt.Sprintf("Task %d.", i))))
		}
		p.size(80, 24)
		p.press("t")
		click := tea.MouseClickMsg{X: 20, Y: 5, Button: tea.MouseLeft}
		p.send(click)
		p.looksAt("Task 26.")
		for range 5 {
			p.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		}
		p.sees("Task 0.")
		if p.line() == "" {
			t.Error("what is selected is out of sight")
		}
		p.sleep(time.Second)
		p.send(click, click)
		p.sleep(time.Second)
		if p.model.where != onDetail {
			t.Errorf("two clicks open nothing:\n%s", p.text())
		}
	})
}

// Who comes to the timeline sees the newest change; who comes back from a task,
// the change that led there.
func TestTimelineBegins(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.press("t", "end")
		first := p.line()
		p.press("enter", "esc")
		if p.line() != first {
			t.Errorf("one comes back to %q, from %q", p.line(), first)
		}
		p.press("b", "t")
		p.looksAt("noted on #3")
	}, parser()...)
}

// A change is not a task: what works on tasks leaves them alone here, and says so.
func TestTimelineIsHistory(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.press("t")
		for _, key := range []string{"c", "s", "d", "r", "x", "h", "e", "l", "n", "D"} {
			p.press(key)
			p.sees(key + " does nothing in the timeline; Enter opens #3")
			if p.model.dialog != nil {
				t.Errorf("%s asks for something", key)
			}
		}
		if n := len(p.times().told.history.told); n != 6 {
			t.Errorf("%d changes, want those that were there", n)
		}
	}, parser()...)
}
