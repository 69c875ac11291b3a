package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

var bob = pawl.Actor{Name: "bob", Session: "b"}

// The reader's card takes the reader along when it goes to another lane, and
// leaves its neighbour when it goes away.
func TestLanesFollowTheCard(t *testing.T) {
	fly(t, func(p *pilot) {
		at := func(id pawl.ID, lane view.Lane) {
			t.Helper()
			if s := p.model.screens[onLanes].(*lanesScreen); s.at != id || s.lane != lane {
				t.Fatalf("the reader is at %v in %v, want %v in %v:\n%s", s.at, s.lane, id, lane, p.text())
			}
		}
		at(1, view.Pickable)
		p.press("j")
		at(2, view.Pickable)
		p.sees("▌ ◆ #2 Write the parser")
		p.do(bob, pawl.ClaimTask{ID: 2})
		p.sleep(time.Second)
		at(2, view.Doing)
		p.do(bob, pawl.Complete{IDs: []pawl.ID{2}})
		p.sleep(time.Second)
		at(2, view.Finished)
		p.press("left", "left")
		at(3, view.Pickable)
		p.do(bob, pawl.Delete{IDs: []pawl.ID{3}})
		p.sleep(time.Second)
		at(4, view.Pickable)
		p.do(bob, pawl.Delete{IDs: []pawl.ID{4}})
		p.sleep(time.Second)
		at(1, view.Pickable)
		p.press("left")
		at(0, view.Blocked)
		p.sees("Nothing is stuck")
		p.press("right")
		p.do(bob, pawl.Delete{IDs: []pawl.ID{1}})
		p.sleep(time.Second)
		at(2, view.Finished) // no card is left in the lane
	}, plan(task("Set up"), task("Write the parser"), task("Write the emitter"), task("Ship")))
}

// An empty board says what to do next.
func TestNothingHere(t *testing.T) {
	fly(t, func(p *pilot) { p.sees("Nothing here yet: press a to add the first task") })
}

// What is done is folded, and unfolds.
func TestUnfold(t *testing.T) {
	var all []pawl.NewTask
	var ids []pawl.ID
	for i := range 44 {
		all = append(all, task(fmt.Sprintf("Task %d", i+1)))
		ids = append(ids, pawl.ID(i+1))
	}
	fly(t, func(p *pilot) {
		p.press("right", "right", "end")
		p.sees("Done 44", "… 34 more")
		p.press("enter")
		p.seesNot("… 34 more")
		p.press("end")
		p.sees("▲")
		if s := p.model.screens[onLanes].(*lanesScreen); s.at == 0 || s.index[view.Finished] != 43 {
			t.Errorf("the reader is at %v, %d", s.at, s.index[view.Finished])
		}
	}, plan(all...), pawl.Complete{IDs: ids})
}

// What is looked for and folded is unfolded; what is nowhere leaves the reader
// where there is something.
func TestShowUnfolds(t *testing.T) {
	ops := sixty()
	fly(t, func(p *pilot) {
		p.sees("… 4 more")
		s := p.lanesScreen()
		seek := func(id pawl.ID) {
			s.show(p.model, id)
			p.run(p.model.reread())
			for range 3 { // two looks may follow one another
				p.sleep(time.Second)
			}
		}
		seek(1)
		if s.at != 1 || s.lane != view.Finished {
			t.Errorf("the reader is at %v in %v", s.at, s.lane)
		}
		p.seesNot("… 4 more")
		seek(999)
		if s.at == 0 || s.at == 999 {
			t.Errorf("the reader is at %v", s.at)
		}
	}, ops...)
}

// What comes in above does not move what the reader looks at in another lane.
func TestLanesStayWhereTheyAre(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(80, 24)
		s := p.lanesScreen()
		p.press("end", "left")
		top := p.model.lanes.Cards[view.Pickable][s.top[view.Pickable]].Task.ID
		urgent := task("Urgent")
		urgent.Priority = pawl.High
		p.do(bob, plan(urgent, urgent, urgent))
		p.sleep(time.Second)
		if now := p.model.lanes.Cards[view.Pickable][s.top[view.Pickable]].Task.ID; now != top {
			t.Errorf("the lane began with %v, and begins with %v", top, now)
		}
		p.press("right", "home")
		p.do(bob, plan(urgent))
		p.sleep(time.Second)
		p.sees("#64 Urgent") // but a lane seen from its first card stays so, if there is room
	}, sixty()...)
}

// Ages grow although nothing happens.
func TestAgesGrow(t *testing.T) {
	fly(t, func(p *pilot) {
		p.do(bob, pawl.ClaimTask{ID: 1})
		p.sleep(time.Second)
		p.sees("bob, now")
		p.sleep(5*time.Minute + tickEvery)
		p.sees("bob, 5 min")
	}, plan(task("Set up")))
}
