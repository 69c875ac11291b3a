package tui

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

func (p *pilot) lanesScreen() *lanesScreen { return p.model.screens[onLanes].(*lanesScreen) }

// stands fails unless a task of the board itself is in a lane.
func (p *pilot) stands(id pawl.ID, lane query.Lane) {
	p.t.Helper()
	must.Do(p.t, p.board.View(p.t.Context(), func(r pawl.Reader) error {
		tasks, err := r.Get(id)
		if err == nil && query.LaneOf(query.StateOf(&tasks[0], me.Name)) != lane {
			p.t.Fatalf("%v is %v, want it in %v:\n%s", id, tasks[0].Status, lane, p.text())
		}
		return err
	}))
}

// Where a card is dropped says what is done with it, and the reader stays with it.
func TestMove(t *testing.T) {
	fly(t, func(p *pilot) {
		move := func(from, to query.Lane, keys ...string) {
			t.Helper()
			p.stands(1, from)
			p.press(keys...)
			p.stands(1, to)
			if s := p.lanesScreen(); s.at != 1 || s.lane != to || s.lift != nil {
				t.Fatalf("the reader is at %v in %v:\n%s", s.at, s.lane, p.text())
			}
		}
		p.press("m", "right")
		p.sees("█ ◆ #1 Set up", "Drop to claim it")
		p.press("esc")
		p.seesNot("█")
		move(query.Pickable, query.Pickable, "m", "right", "left", "enter")
		move(query.Pickable, query.Doing, "m", "right", "enter")
		move(query.Doing, query.Pickable, "m", "left", "m")
		move(query.Pickable, query.Finished, "m", "tab", "tab", "enter")
		p.sees("ready now: #2 Write") // what waited for it
		move(query.Finished, query.Pickable, "m", "left", "left", "enter")
		move(query.Pickable, query.Finished, "m", "right", "right", "right", "enter")
		move(query.Finished, query.Doing, "m", "left", "enter")
		move(query.Doing, query.Finished, "m", "right", "enter")
	}, plan(task("Set up"), task("Write", 1)))
}

// What cannot be says why on the card, until the next key.
func TestMoveRefused(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("left", "m", "right", "right")
		p.sees("Drop to claim it")
		p.press("enter")
		p.stands(2, query.Blocked)
		p.sees("! #2 is blocked by #1")
		p.press("m", "right")
		p.sees("Not here: it waits for")
		p.press("enter")
		p.sees(" ! #2 Write cannot be dropped on Ready: it waits for other tasks, and is ready when they are done (g shows")
		p.press("up")
		p.seesNot("t waits for others")
		p.press("m", "down")
		p.sees("by priority")
		p.press("esc", "right", "m", "left", "enter")
		p.stands(1, query.Pickable)
		p.sees(" ! #1 Set up cannot be dropped on Blocked: only an open dependency blocks a task: l adds one, or h puts it on hold")
		p.press("h")
		p.write("later")
		p.press("enter")
		p.stands(1, query.Blocked)
		p.press("m", "right", "enter")
		p.stands(1, query.Pickable)
	}, plan(task("Set up"), task("Write", 1)))
}

// A card that goes away under the hand is dropped, and one that somebody else
// moves stays in it.
func TestMoveWhatOthersMove(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("m", "right", "right")
		p.do(bob, pawl.ClaimTask{ID: 1})
		p.sleep(time.Second)
		p.sees("█ → #1 Set up", "Drop to complete it")
		p.do(bob, pawl.Delete{IDs: []pawl.ID{1}})
		p.sleep(time.Second)
		p.seesNot("█")
		p.sees("#1 is no longer here")
		if p.lanesScreen().lift != nil {
			t.Error("a card that has gone is still lifted")
		}
		p.press("m", "?")
		if p.model.dialog == nil {
			t.Error("there is no help while a card is lifted")
		}
	}, plan(task("Set up"), task("Write")))
}

// The board says something about every place that a card can be carried to.
func TestMoveTo(t *testing.T) {
	for state := range query.Missing {
		c := &query.Card{Task: pawl.Task{ID: 1}, State: state}
		for lane := range query.Lane(query.NumLanes) {
			mv := moveTo(c, lane)
			if (mv.op == nil) == (mv.why == "") || (mv.op == nil) != (mv.does == "") {
				t.Errorf("%v to %v: %+v", state, lane, mv)
			}
		}
	}
}

// benchModel looks at a board with so many cards in lanes.
func benchModel(b testing.TB, n int) *model {
	b.Helper()
	m := newModel(context.Background(), Options{Terminal: Terminal{Unicode: true, Theme: "dark", Now: time.Now}, Live: show.Live{By: me}})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	l := &query.Lanes{Facts: query.Facts{Now: time.Now(), Name: me.Name}}
	for i := range n {
		state := []query.State{query.Waiting, query.Ready, query.Working, query.Done}[i%4]
		lane := query.LaneOf(state)
		l.Cards[lane] = append(l.Cards[lane], query.Card{State: state, Task: pawl.Task{
			ID: pawl.ID(i + 1), Subject: "Write the parser for the new, more lenient grammar of the query language",
			ActiveForm: "Writing the parser", Owner: "ada", Labels: []string{"core", "api"},
		}})
		l.Total[lane]++
	}
	m.lanes = l
	m.screens[onLanes].take(m, nil)
	return m
}
