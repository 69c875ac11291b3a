package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// at brings the reader to a task.
func (p *pilot) at(id pawl.ID) { p.model.screens[p.model.where].show(p.model, id) }

// What was done already is told as such, and nothing is written.
func TestNothingChanged(t *testing.T) {
	fly(t, func(p *pilot) {
		for _, c := range []struct {
			at   pawl.ID
			key  string
			want string
		}{
			{1, "d", "#1 was completed already, by ada at "},
			{2, "c", "#2 is yours already"},
			{3, "r", "#3 is not completed, so there is nothing to reopen"},
			{3, "x", "#3 is claimed by nobody and assigned to nobody"},
		} {
			p.at(c.at)
			p.press(c.key)
			p.sees(c.want)
		}
	}, plan(task("Set up"), task("Write code"), task("Docs")), pawl.Complete{IDs: []pawl.ID{1}}, pawl.ClaimTask{ID: 2})
}

// What is refused is explained below and on the card, with the key that helps.
func TestRefusal(t *testing.T) {
	bob := pawl.Actor{Name: "bob", Session: "b"}
	fly(t, func(p *pilot) {
		p.do(bob, pawl.ClaimTask{ID: 4})
		for _, c := range []struct {
			at   pawl.ID
			key  string
			want string
		}{
			{2, "d", "#2 is blocked by #1 (not completed); Enter shows it, g the graph"},
			{3, "d", "#3 is on hold: later; h lifts the hold"},
			{4, "d", "#4 is claimed by bob; x takes it from bob"},
			{5, "c", "#5 is completed; reopen #5 first (r on it)"},
		} {
			p.at(c.at)
			p.press(c.key)
			p.sees(c.want)
			if why := p.model.why[c.at]; !strings.Contains(why, c.want) {
				t.Errorf("the card of %v says %q", c.at, why)
			}
		}
		p.press("j")
		if len(p.model.why) > 0 {
			t.Error("a refusal stays on its card after the next key")
		}
	}, plan(task("Set up"), task("Write code", 1), task("Docs"), task("Tests"), task("Old")),
		pawl.PutHold{IDs: []pawl.ID{3}, Reason: "later"}, pawl.Complete{IDs: []pawl.ID{5}})
}

// A person may step in where somebody works, but is asked before.
func TestStepIn(t *testing.T) {
	bob := pawl.Actor{Name: "bob", Session: "b"}
	fly(t, func(p *pilot) {
		p.do(bob, pawl.ClaimTask{ID: 1})
		p.at(1)
		p.press("x")
		p.sees("Release #1 Set up, which bob works on?", "y release it anyway")
		p.press("esc")
		p.sees("In progress 1", "#1 is claimed by bob")
		p.press("x")
		p.frames("dialogs/insist")
		p.size(120, 40)
		p.press("esc")
		p.press("x", "y")
		p.sees("Released #1 Set up", "In progress 0")
	}, plan(task("Set up")))
}

func TestHoldAndNote(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.at(1)
		p.press("h")
		p.sees("Why hold #1 Set up?")
		p.press("enter")
		p.sees("The text is empty")
		p.write("the key is missing")
		p.press("enter")
		p.sees("Put #1 Set up on hold: the key is missing", "Blocked 1")
		p.press("h")
		p.sees("Lifted the hold on #1 Set up", "Ready 1")

		p.press("n")
		p.write("é名 and more")
		p.press("enter")
		p.sees("Noted on #1 Set up: é名 and more")
		tasks, err := p.board.Get(t.Context(), 1)
		if err != nil || len(tasks[0].Notes) != 1 || tasks[0].Notes[0].By != "ada" {
			t.Errorf("%v, %v", tasks, err)
		}
	}, plan(task("Set up")))
}

// Who has done nothing yet has nothing to go back to.
func TestUndoNothing(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("u")
		p.sees("! There is nothing by ada to be undone; t shows the history\n")
		p.press("u")
		p.sees("! There is nothing by ada to be undone; t shows the history\n")
	})
}

// A change that a later one depends on stays, and the board says so in words,
// and does not bar the way to those before it.
func TestUndoPasses(t *testing.T) {
	carol := pawl.Actor{Name: "carol", Session: "c"}
	flyOn(t, atServer, func(p *pilot) {
		p.at(2)
		p.press("n")
		p.write("first")
		p.press("enter")
		p.at(1)
		p.press("c")
		p.do(carol, pawl.ClaimTask{ID: 1, Force: true})
		p.press("u")
		p.sees("You claimed #1 Set up, but since then carol claimed #1 Set up from ada, so that stays; u again goes further back")
		p.press("u")
		p.sees("Undone: noted on #2 Write code: first")
		p.press("u")
		p.sees("You added #1 Set up, #2 Write code, but since then carol claimed")
		p.press("u")
		p.sees("You have nothing more to undo; t shows the history")
		p.press("u")
		p.sees("You claimed #1 Set up, but") // who goes on begins again
		p.press("u")
		p.at(2)
		p.press("c", "u")
		p.sees("Undone: claimed #2 Write code")
		p.press("u")
		p.sees("You claimed #1 Set up, but") // who does something begins again, too
	}, plan(task("Set up"), task("Write code")))
}

// A hold is lifted where its card is not in sight, too.
func TestLiftHidden(t *testing.T) {
	for _, key := range []string{"enter", "g"} {
		flyOn(t, atServer, func(p *pilot) {
			p.model.filter.query.Labels = []string{"core"}
			p.at(5)
			p.press(key)
			p.at(5)
			p.press("h")
			p.sees("Lifted the hold on #5 Ask for the key")
		}, board...)
	}
}

func TestDelete(t *testing.T) {
	fly(t, func(p *pilot) {
		p.at(1)
		p.press("D")
		p.sees("Delete #1 Set up?", "u restores it")
		p.press("n")
		p.sees("Ready 1")
		p.press("D", "y")
		p.sees("Removed #1 Set up", "Nothing here yet")
		p.press("u")
		p.sees("Undone: removed #1 Set up", "Ready 1")
	}, plan(task("Set up")))
}

// A refusal gives back what was written.
func TestAskAgain(t *testing.T) {
	fly(t, func(p *pilot) {
		p.at(1)
		p.press("n")
		p.write("found it")
		p.do(me, pawl.Delete{IDs: []pawl.ID{1}})
		p.press("enter")
		p.sees("#1 Set up was deleted by ", "found it")
	}, plan(task("Set up")))
}

// A key that means nothing where one is says so, and where it means something.
func TestElsewhere(t *testing.T) {
	fly(t, func(p *pilot) {
		for _, c := range []struct{ keys, want string }{
			{"b v", "in the timeline (t)"}, {"b .", "in the graph (g)"}, {"b space", "centres the graph (g)"}, {"t m", "b shows the lanes"},
			{"t tab", "Tab does nothing here; ? lists the keys"}, {"b ctrl+x", "Ctrl+x does nothing here"}, {"b Z", "Z does nothing here"},
			{"g tab", "Tab does nothing here"}, {"b G", "#2 Write the parser"},
		} {
			p.press(strings.Fields(c.keys)...)
			p.sees(c.want)
		}
		if g := p.model.screens[onGraph].(*graphScreen); p.model.where != onGraph || g.around != 0 {
			t.Errorf("G leads to %v, around %v", p.model.where, g.around)
		}
	}, board...)
}

func TestNoTask(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("d")
		p.sees("No task is selected; a adds one")
		p.press("u")
		p.sees("There is nothing by ada to be undone")
	})
}

// The step that helps is in sight on a narrow terminal, too.
func TestLongRefusal(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 15)
		p.do(pawl.Actor{Name: "bob", Session: "terminal-47f2"}, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(10 * time.Minute)})
		p.at(1)
		p.press("d")
		p.sees("! #1 is claimed by bob until", "x takes it from\n   bob\n")
		p.press("k")
		p.sees("? help")
	}, plan(task("Set up")))
}

// A text of more than two lines is shown whole, and the card stays in sight.
func TestLongAnswer(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 15)
		p.press("end", "m", "left", "enter")
		p.sees("! #9 Write the parser of the language cannot be dropped", "Blocked: only an open dependency", "or h puts it on hold\n", "▌ ◆ #9 Write the parser")
	}, plan(task("Set up"), task("b"), task("c"), task("d"), task("e"), task("f"), task("g"), task("h"), task("Write the parser of the language")))
}

// The first task makes the board, and its place is told.
func TestFirstTask(t *testing.T) {
	fly(t, func(p *pilot) {
		m := newModel(p.model.ctx, p.model.Options)
		made := false
		m.Open = func(_ context.Context, write bool) (query.Board, string, error) {
			if !write && !made {
				return nil, "", nil
			}
			made = true
			return query.Local(p.board), "made a board in here/.tasks", nil
		}
		m.Await = func(ctx context.Context) (query.Board, error) { <-ctx.Done(); return nil, nil }
		p.model = m
		p.run(m.Init())
		p.size(120, 40)
		p.press("u")
		p.sees("the project has no board yet")
		p.press("a")
		p.write("Set up")
		p.press("enter")
		p.sees("Added #1 Set up; made a board in here/.tasks", "Ready 1")
	})
}

func TestDialogFrames(t *testing.T) {
	fly(t, func(p *pilot) {
		p.at(4)
		for _, d := range []struct{ name, key, text string }{
			{"add", "a", "Prüfe die 名前 of everything that was translated so far and tell everybody about it"},
			{"note", "n", "seen"},
			{"hold", "h", ""},
			{"delete", "D", ""},
		} {
			p.press(d.key)
			p.write(d.text)
			p.frames("dialogs/" + d.name)
			p.press("esc")
		}
	}, board...)
}
