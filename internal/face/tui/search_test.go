package tui

import (
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A search goes to a task by its number, by letters of its subject, by a part of
// its description, whether its card is there or not.
func TestSearch(t *testing.T) {
	var many []pawl.NewTask
	var done []pawl.ID
	for i := range 20 {
		many = append(many, task(fmt.Sprintf("Chore %c", 'a'+i)))
		done = append(done, pawl.ID(7+i))
	}
	fly(t, func(p *pilot) {
		for _, c := range []struct {
			text string
			want pawl.ID
		}{
			{"4", 4}, {"#12", 12}, {"tespar", 3}, {"parser write", 2}, {"grammar.md", 2}, {"名前", 4}, {"chore a", 7},
		} {
			p.press("/")
			p.sees("Go to a task")
			p.write(c.text)
			p.press("enter")
			if card := fmt.Sprintf("✔ %v ", c.want); c.want >= 7 {
				p.sees(card)
			}
			if at := p.model.task(); at != c.want {
				t.Errorf("%q leads to %v, want %v:\n%s", c.text, at, c.want, p.text())
			}
		}
		p.press("/")
		p.write("there is nothing like it")
		p.sees("Nothing matches", "0 of 26")
		p.press("enter", "esc")
	}, append(board, plan(many...), pawl.Complete{IDs: done})...)
}

// What the filter hides is shown, and the filter goes.
func TestSearchHidden(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("f")
		p.write("held")
		p.press("enter", "/")
		p.write("release")
		p.press("enter")
		p.sees("The filter is off, for it hid #1")
		if at := p.model.task(); at != 1 {
			t.Errorf("at %v", at)
		}
	}, board...)
}

func TestSearchFrames(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("/")
		p.write("the")
		p.frames("dialogs/search")
	}, board...)
}

// Without a board there is nothing to find, and what is written stays in its
// field instead of being taken for keys.
func TestSearchNoBoard(t *testing.T) {
	fly(t, func(p *pilot) {
		p.model.board = nil
		p.press("/")
		p.write("panel")
		p.sees("There is no task yet", "panel")
		p.press("enter", "esc")
		p.seesNot("Add a task")
	})
}
