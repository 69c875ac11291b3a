package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

var bob = pawl.Actor{Name: "bob", Session: "b"}

// What others move or delete leaves the reader in the lane, at its neighbour;
// what the reader moves takes the reader along.
func TestLanesKeepTheirReader(t *testing.T) {
	fly(t, func(p *pilot) {
		at := func(id pawl.ID, lane query.Lane) {
			t.Helper()
			if s := p.model.screens[onLanes].(*lanesScreen); s.at != id || s.lane != lane {
				t.Fatalf("the reader is at %v in %v, want %v in %v:\n%s", s.at, s.lane, id, lane, p.text())
			}
		}
		at(1, query.Pickable)
		p.press("j")
		at(2, query.Pickable)
		p.sees("▌ ◆ #2 Write the parser")
		p.do(bob, pawl.ClaimTask{ID: 2})
		p.sleep(time.Second)
		at(3, query.Pickable)
		p.sees("#2 Write the parser is in progress now, claimed by bob")
		p.sleep(time.Second)
		p.press("c")
		at(3, query.Doing)
		p.press("d")
		at(3, query.Finished)
		p.press("u")
		at(3, query.Doing)
		p.do(bob, pawl.Complete{IDs: []pawl.ID{2}}) // not the one where the reader is
		p.sleep(time.Second)
		at(3, query.Doing)
		p.press("left")
		at(1, query.Pickable)
		p.press("down")
		p.do(bob, pawl.Delete{IDs: []pawl.ID{4}})
		p.sleep(time.Second)
		at(1, query.Pickable)
		p.do(bob, pawl.ClaimTask{ID: 1})
		p.sleep(time.Second)
		at(0, query.Pickable) // nothing else moves, though nothing is left here
		p.do(bob, plan(task("Come later")))
		p.sleep(time.Second)
		at(5, query.Pickable)
		p.press("left")
		at(0, query.Blocked)
		p.sees("Nothing is blocked")
		p.press("right")
		p.do(bob, pawl.Delete{IDs: []pawl.ID{5}})
		p.sleep(time.Second)
		at(3, query.Doing) // no card is left in the lane
	}, plan(task("Set up"), task("Write the parser"), task("Write the emitter"), task("Ship")))
}

// A key that was on its way when the card went away does nothing to the one that
// took its place.
func TestKeyTooSoon(t *testing.T) {
	fly(t, func(p *pilot) {
		p.do(bob, pawl.ClaimTask{ID: 1})
		p.sleep(2 * gap)
		p.press("d")
		p.stands(2, query.Pickable)
		p.sees("#1 just left this lane; press d again for #2 Write the parser")
		p.press("d")
		p.stands(2, query.Finished)
	}, plan(task("Set up"), task("Write the parser"), task("Ship")))
}

// Where there is no room for the cards of all lanes, nothing moves but what the
// reader moves: lanes have room by importance, and become wide when the reader
// goes there.
func TestLanesKeepTheirWidth(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(100, 30)
		head := func(want ...string) {
			t.Helper()
			got := strings.FieldsFunc(strings.Split(p.text(), "\n")[1], func(r rune) bool { return r == '─' || r == '━' })
			for i := range got {
				got[i] = strings.TrimSpace(got[i])
			}
			if got = slices.DeleteFunc(got, func(s string) bool { return s == "" }); !slices.Equal(got, want) {
				t.Fatalf("the lanes are %q, want %q:\n%s", got, want, p.text())
			}
		}
		head("○ Blocked 1", "◆ Ready 3", "→ In progress 0", "✔ 0")
		p.press("d")
		head("○ Blocked 0", "◆ Ready 3", "→ In progress 0", "✔ 1")
		p.sees("▌ #1")
		p.press("right")
		p.press("left")
		head("○ Blocked 0", "◆ Ready 3", "→ In progress 0", "✔ 1")
		p.press("c")
		p.do(bob, pawl.Complete{IDs: []pawl.ID{2}})
		p.sleep(time.Second)
		p.press("right", "right")
		head("○ 0", "◆ Ready 2", "→ In progress 0", "✔ Done 2")
		p.size(80, 24)
		head("○ 0", "◆ Ready 2", "→ 0", "✔ Done 2")
		p.press("left", "left")
		head("○ 0", "◆ Ready 2", "→ In progress 0", "✔ 2")
		p.size(40, 10)
		p.sees(" ○ 0 [◆ Ready 2] → 0  ✔ 2")
		p.click("✔ 2")
		p.sees(" ○ 0  ◆ 2  → 0 [✔ Done 2]", "✔ #1 Set up")
	}, plan(task("Set up"), task("Two"), task("Three"), task("Four", 1)))
}

// To the side, the reader's eyes stay in their row.
func TestLanesBeside(t *testing.T) {
	fly(t, func(p *pilot) {
		at := func(want pawl.ID) {
			t.Helper()
			p.sleep(time.Second)
			if s := p.lanesScreen(); s.at != want {
				t.Fatalf("the reader is at %v, want %v:\n%s", s.at, want, p.text())
			}
		}
		at(1)
		p.press("down", "down")
		at(3)
		p.press("left")
		at(7) // as far down as there are cards
		p.press("right")
		at(3)
		p.press("up", "up", "left")
		at(6)
		p.press("right", "right", "left")
		at(1)
	}, plan(task("One"), task("Two"), task("Three"), task("Four"), task("Five"), task("Six", 1), task("Seven", 2)))
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
		if s := p.model.screens[onLanes].(*lanesScreen); s.at == 0 || s.index[query.Finished] != 43 {
			t.Errorf("the reader is at %v, %d", s.at, s.index[query.Finished])
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
		if s.at != 1 || s.lane != query.Finished {
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
		top := p.model.lanes.Cards[query.Pickable][s.top[query.Pickable]].Task.ID
		urgent := task("Urgent")
		urgent.Priority = pawl.High
		p.do(bob, plan(urgent, urgent, urgent))
		p.sleep(time.Second)
		if now := p.model.lanes.Cards[query.Pickable][s.top[query.Pickable]].Task.ID; now != top {
			t.Errorf("the lane began with %v, and begins with %v", top, now)
		}
		p.press("right", "home")
		p.do(bob, plan(urgent))
		p.sleep(time.Second)
		p.sees("#64 Urgent") // but a lane seen from its first card stays so, if there is room
	}, sixty()...)
}

// Ages grow even though nothing happens.
func TestAgesGrow(t *testing.T) {
	fly(t, func(p *pilot) {
		p.do(bob, pawl.ClaimTask{ID: 1})
		p.sleep(time.Second)
		p.sees("bob, now")
		p.sleep(5*time.Minute + tickEvery)
		p.sees("bob, 5 min")
	}, plan(task("Set up")))
}
