package tui

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// What was said in passing goes by itself: on a board where others work it soon
// is no longer true. A refusal stays, until a key or until the task is another
// one.
func TestNoticesFade(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("c")
		p.sees("Claimed #1")
		for range 2 {
			p.sleep(tickEvery)
		}
		p.seesNot("Claimed #1")

		p.do(bob, pawl.ClaimTask{ID: 2})
		p.press("g", "G")
		for p.model.task() != 2 {
			p.press("j")
		}
		p.press("d")
		if p.model.why[2] == "" {
			t.Fatal("completing bob's task was not refused")
		}
		for range 3 {
			p.sleep(tickEvery)
		}
		if p.model.why[2] == "" {
			t.Error("the refusal is gone while it is true")
		}
		p.do(bob, pawl.Release{IDs: []pawl.ID{2}})
		p.sleep(time.Second)
		if why := p.model.why[2]; why != "" {
			t.Errorf("bob gave the task back, and it says: %s", why)
		}
	}, plan(task("Set up"), task("Write code"), task("Test", 1, 2)))
}

// Where nothing happens nobody looks, whatever is seen and however little there
// is of it.
func TestLooksAtChangesOnly(t *testing.T) {
	for name, ops := range map[string][]pawl.Op{
		"empty":   nil,
		"alone":   {plan(task("Set up"))},
		"done":    {plan(task("Set up")), pawl.Complete{IDs: []pawl.ID{1}}},
		"some":    {plan(task("Set up"), task("Write code", 1))},
		"blocked": {plan(task("Set up")), pawl.PutHold{IDs: []pawl.ID{1}, Reason: "later"}},
	} {
		t.Run(name, func(t *testing.T) {
			fly(t, func(p *pilot) {
				for _, keys := range [][]string{{"b"}, {"g"}, {"G"}, {"."}, {"enter"}, {"t"}, {"b", "/"}, {"esc", "f", "tab"}, {"enter", "g", "G"}} {
					p.press(keys...)
					before := p.model.feed.last
					p.sleep(time.Minute)
					if now := p.model.feed.last; !now.Equal(before) {
						t.Errorf("after %v somebody looked again, %v later", keys, now.Sub(before))
					}
				}
			}, ops...)
		})
	}
}

// A board that could not be read is looked at again, though nothing changes.
func TestLooksAgainAfterAnError(t *testing.T) {
	fly(t, func(p *pilot) {
		store := &unreadable{Store: memory.New(), times: 3}
		p.model.board = query.Local(pawl.NewBoard(store))
		defer p.model.board.Close()
		p.press("t")
		p.sees("The disk is away")
		for range store.times + 1 {
			p.sleep(pawl.WatchInterval)
		}
		p.sees("Blocked 0", "Ready 0")
		before := p.model.feed.last
		p.sleep(time.Minute)
		if !p.model.feed.last.Equal(before) {
			t.Error("it is looked at for ever")
		}
	}, plan(task("Set up")))
}

// An unreadable store cannot be read for some times.
type unreadable struct {
	pawl.Store
	times int
}

func (s *unreadable) View(ctx context.Context, fn func(pawl.Reader) error) error {
	if s.times > 0 {
		s.times--
		return errors.New("the disk is away")
	}
	return s.Store.View(ctx, fn)
}

// The lanes are home: nothing lies behind them, and Esc leads there from
// wherever one began.
func TestEscLeadsHome(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("t", "enter", "b")
		if p.press("esc"); p.model.where != onLanes {
			t.Errorf("Esc at home led to screen %d", p.model.where)
		}
		p.press("g", "enter")
		for _, want := range []which{onGraph, onLanes, onLanes} {
			if p.press("esc"); p.model.where != want {
				t.Errorf("Esc led to screen %d, want %d", p.model.where, want)
			}
		}
		p.model.where = onGraph // as one begins with pawl board 1
		if p.press("esc"); p.model.where != onLanes {
			t.Errorf("Esc led to screen %d", p.model.where)
		}
	}, plan(task("Set up"), task("Write code", 1)))
}

// A shell's ctrl+z works here, too.
func TestSuspend(t *testing.T) {
	fly(t, func(p *pilot) {
		for _, open := range []string{"esc", "a"} { // without and with a dialog
			p.press(open)
			_, cmd := p.model.Update(keyOf(t, "ctrl+z"))
			if cmd == nil {
				t.Fatal("ctrl+z does nothing")
			}
			if _, ok := cmd().(tea.SuspendMsg); !ok {
				t.Errorf("ctrl+z is %T", cmd())
			}
		}
	})
}
