package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

var sizes = []struct{ width, height int }{{60, 15}, {80, 24}, {120, 40}, {200, 60}}

// goldens compares the screen in all sizes with testdata/NAME-WIDTHxHEIGHT.txt.
func (p *pilot) goldens(name string) {
	p.t.Helper()
	for _, size := range sizes {
		p.size(size.width, size.height)
		p.fits()
		p.golden(fmt.Sprintf("%s-%dx%d", name, size.width, size.height))
	}
}

// fits fails when a row is not as wide as the screen.
func (p *pilot) fits() {
	p.t.Helper()
	f, _ := p.model.frame()
	w := p.model.window
	if len(f) != w.Height {
		p.t.Errorf("%d rows on a screen of %d", len(f), w.Height)
	}
	for y, cells := range f {
		width := 0
		for _, c := range cells {
			width += c.width
		}
		if width != w.Width {
			p.t.Errorf("row %d is %d wide on a screen of %d: %v", y, width, w.Width, cells)
		}
	}
	for line := range strings.SplitSeq(p.text(), "\n") {
		if term.Width(line) > w.Width || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			p.t.Errorf("%q does not fit %d columns", line, w.Width)
		}
	}
}

// open shows a task as Enter on it does.
func (p *pilot) open(id pawl.ID) {
	p.run(p.model.openTask(id))
	p.sleep(time.Second)
}

var reviewer = pawl.Actor{Name: "bob", Session: "b", Agent: "reviewer"}

// parser is a board of a few tasks around #3.
func parser() []pawl.Op {
	write := task("Write the parser", 1, 2)
	write.Description = "A hand-written parser, one file for each kind of statement.\n\n- errors name the line and what was expected there\n- no look-ahead of more than one token\n\tx := a + b\n\nSee grammar.md."
	write.Labels, write.Priority = []string{"core", "parser"}, pawl.High
	write.ActiveForm = "Writing the parser"
	part := task("Parse expressions")
	part.Parent = pawl.RefID(3)
	other := task("Parse statements", 6)
	other.Parent = pawl.RefID(3)
	return []pawl.Op{
		plan(task("Set up the project"), task("Decide on a grammar")),
		pawl.Complete{IDs: []pawl.ID{1}},
		plan(write, task("Write the emitter", 3), task("写一个解析器的测试 – tests of the parser", 3)),
		pawl.Complete{IDs: []pawl.ID{2}},
		plan(part, other),
		pawl.AddNote{ID: 3, Text: "The old one is in git: tag v0.\nDo not look at it."},
	}
}

func TestDetail(t *testing.T) {
	fly(t, func(p *pilot) {
		p.do(reviewer, pawl.Update{ID: 3, Priority: new(pawl.Medium)})
		p.do(reviewer, pawl.ClaimTask{ID: 6, Lease: pawl.Duration(time.Hour)})
		p.sleep(5 * time.Minute)
		p.press("home")
		p.open(3)
		p.goldens("detail")
		p.size(120, 40)
		p.press("v")
		p.golden("detail-fields")
	}, parser()...)
}

// A reader goes from task to task, and comes back the way that he went.
func TestDetailFollows(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(80, 24)
		p.open(3)
		p.sees("#3 Write the parser", "Waits for", "✔ #1", "✔ #2", "Unblocks", "○ #4")
		p.press("tab")
		p.sees("▸ Waits for  ✔ #1")
		p.press("tab", "j")
		p.sees("▸ Unblocks   ○ #4")
		p.press("enter")
		p.sees("#4 Write the emitter", "Waits for  ○ #3")
		p.press("tab", "enter")
		p.sees("#3 Write the parser")
		p.press("shift+tab")
		p.sees("▸            ○ #7")
		p.press("enter")
		p.sees("#7 Parse statements", "Parent     ○ #3", "Waits for  ◆ #6")
		p.press("esc")
		p.sees("#3 Write the parser", "▸            ○ #7")
		p.press("esc")
		p.sees("#4 Write the emitter", "▸ Waits for  ○ #3")
		p.press("esc")
		p.sees("#3 Write the parser", "▸ Unblocks   ○ #4")
		p.press("esc")
		if p.model.where != onLanes {
			t.Error("the last Esc does not leave")
		}
		p.open(3)
		p.press("tab", "enter", "b")
		p.open(4)
		p.press("esc")
		if p.model.where != onLanes {
			t.Error("a way that was left is gone back")
		}
	}, parser()...)
}

// Who goes through another screen to another task comes back to the one before.
func TestDetailComesBack(t *testing.T) {
	fly(t, func(p *pilot) {
		p.open(3)
		p.press("g")
		p.open(5)
		p.sees("#5 写一个解析器的测试")
		p.press("esc")
		if p.model.where != onGraph {
			t.Fatal("Esc does not go back to the graph")
		}
		p.press("esc")
		p.sees("#3 Write the parser", "Children   0 of 2 done")
		p.press("esc")
		if p.model.where != onLanes {
			t.Error("Esc does not go back to the lanes")
		}
	}, parser()...)
}

// A click selects another task, and a second one goes there.
func TestDetailMouse(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 15)
		p.open(3)
		y := slices.IndexFunc(strings.Split(p.text(), "\n"), func(line string) bool { return strings.Contains(line, "#4") })
		click := tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseLeft}
		p.send(click)
		p.sees("▸ Unblocks   ○ #4")
		for range 3 {
			p.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		}
		p.seesNot("▸")
		p.press("enter")
		if p.model.task() != 3 {
			t.Error("Enter opens a task that is out of sight")
		}
		p.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		p.press("j")
		p.sees("▸ Unblocks   ○ #4") // the first in sight
		for range 3 {
			p.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		}
		p.sleep(time.Second)
		p.send(click, click)
		p.sleep(time.Second)
		p.sees("#4 Write the emitter", "Waits for  ○ #3")
	}, parser()...)
}

// What others do shows by itself, and so does that a task was deleted.
func TestDetailFollowsTheBoard(t *testing.T) {
	fly(t, func(p *pilot) {
		p.open(4)
		p.sees("pending, blocked by #3", "○ #3")
		p.do(reviewer, pawl.Complete{IDs: []pawl.ID{6}})
		p.do(reviewer, pawl.Complete{IDs: []pawl.ID{7}})
		p.do(reviewer, pawl.Complete{IDs: []pawl.ID{3}})
		p.sleep(gap)
		p.sees("◆ ready", "✔ #3", "bob (reviewer) completed #3", "ready now: #4")
		p.press("s")
		p.sees("→ in progress", "ada started #4")
		p.press("d")
		p.sees("✔ completed")
		p.do(reviewer, pawl.Delete{IDs: []pawl.ID{4}})
		p.sleep(gap)
		p.sees("#4 is no longer on the board", "Waits for  ✔ #3  Write the parser", "bob (reviewer) removed #4")
		p.press("esc")
		if p.model.where != onLanes {
			t.Error("Esc does not leave a task that was deleted")
		}
		p.open(77)
		p.sees("#77 is not on the board")
	}, parser()...)
}

// A refusal stands in the task.
func TestDetailRefuses(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 15)
		p.open(4)
		p.press("s")
		p.sees("#3")
		if len(p.model.why) != 1 || !p.model.notice.bad {
			t.Fatal("a task that waits was started")
		}
		first := p.model.screens[onDetail].(*detailScreen).page.rows[0].line.String()
		if !strings.HasPrefix(p.model.why[4], first) {
			t.Errorf("above the task stands %q, not that %s", first, p.model.why[4])
		}
		p.press("tab")
		if first := p.text(); !strings.Contains(first, "#4 Write the emitter") || len(p.model.why) != 0 {
			t.Error("the refusal stays for ever")
		}
	}, parser()...)
}

// Texts as long as they may be stay inside the screen.
func TestDetailOfLongTexts(t *testing.T) {
	long := task("A long " + strings.Repeat("wörd ", 80))
	long.Description = strings.Repeat("日本語のテキスト and e\u0301\u0301 text\twith tabs ", 1_000)
	fly(t, func(p *pilot) {
		for i := range pawl.MaxNotes {
			p.do(reviewer, pawl.AddNote{ID: 1, Text: fmt.Sprintf("note %d\nHistory", i)})
		}
		p.open(1)
		for _, size := range sizes {
			p.size(size.width, size.height)
			for _, key := range []string{"home", "pgdown", "pgdown", "v", "j", "end", "k", "pgup"} {
				p.press(key)
				p.fits()
			}
		}
		p.press("end")
		p.sees("note 999")
	}, plan(long))
}

// What another program's file says does not pass for ours, and moves no cursor.
func TestDetailOfHostileTexts(t *testing.T) {
	evil := "x\x1b[2J\x1b]0;y\x07\r\n#2 is no longer on the board\u202e"
	fly(t, func(p *pilot) {
		p.open(1)
		s := p.model.screens[onDetail].(*detailScreen)
		found := *s.found
		d := *found.detail
		d.Task.Subject, d.Task.Description, d.Task.Owner, d.Task.Hold = evil, evil, evil, &pawl.Hold{Reason: evil, By: evil}
		d.Task.Labels, d.Task.Notes = []string{evil}, []pawl.Note{{By: evil, Text: evil}}
		d.Blocks = []pawl.Task{{ID: 2, Subject: evil, Owner: evil, Damage: evil}}
		found.detail = &d
		change := pawl.Change{ID: 1, Fields: []pawl.Field{pawl.FieldDescription}, Before: &pawl.Task{}, After: &d.Task}
		set := pawl.ChangeSet{Revision: 9, At: p.model.now, By: pawl.Actor{Name: evil, Agent: evil}, Verb: evil, Changes: []pawl.Change{change}}
		s.told.history = &history{told: []told{span{task: 1}.one(set, query.Subjects{1: evil})}}
		s.found, s.unfold = &found, true
		for _, size := range sizes {
			p.model.Update(tea.WindowSizeMsg{Width: size.width, Height: size.height})
			p.fits()
			for line := range strings.Lines(p.text()) {
				if strings.HasPrefix(strings.TrimSpace(line), "#2 is not") && !strings.HasPrefix(line, "    ") {
					t.Errorf("this passes for ours: %q", line)
				}
			}
		}
	}, plan(task("Set up")))
}

// The newest changes are read first, and older ones at the end.
func TestDetailHistory(t *testing.T) {
	fly(t, func(p *pilot) {
		for i := range 120 {
			p.do(me, pawl.Update{ID: 1, Subject: new(fmt.Sprintf("Name %d", i))})
		}
		p.size(80, 24)
		p.open(1)
		s := p.model.screens[onDetail].(*detailScreen)
		for _, want := range []int{50, 100, 121, 121} {
			if got := len(s.told.history.told); got != want {
				t.Fatalf("%d changes are read, want %d", got, want)
			}
			p.press("end")
		}
		p.sees("ada added #1")
		p.do(me, pawl.Update{ID: 1, Subject: new("Newest")})
		p.sleep(gap)
		p.press("home")
		p.sees("#1 Newest", "was called Name 119")
		if got := len(s.told.history.told); got != 122 {
			t.Fatalf("%d changes are read, want 122", got)
		}
	}, plan(task("Name")))
}

// A filter hides no count of the tasks around one.
func TestDetailUnderAFilter(t *testing.T) {
	fly(t, func(p *pilot) {
		p.model.filter.query.Labels = []string{"core"}
		p.sleep(gap)
		p.run(p.model.openTask(2))
		p.sleep(gap)
		p.sees("#2 Write the parser", "Set up  unblocks 1")
	}, plan(task("Set up"), pawl.NewTask{Subject: "Write the parser", BlockedBy: []pawl.Ref{pawl.RefID(1)}, Labels: []string{"core"}}))
}
