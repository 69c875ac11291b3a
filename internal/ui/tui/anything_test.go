package tui

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
)

// Whatever is pressed, clicked and dragged, while others change the board and the
// terminal its size: every frame fits the terminal, and the reader of the lanes
// sees the card where he is.
func TestAnything(t *testing.T) {
	// All keys but those that leave or open an editor.
	keys := []string{
		"up", "down", "left", "right", "tab", "shift+tab", "home", "end", "pgup", "pgdown", "enter", "esc", "space", "backspace",
		"j", "k", "m", "m", "a", "c", "s", "d", "r", "x", "h", "l", "n", "u", "D", "y", "/", "f", "g", "G", "b", "t", "v", ".", "?", "ctrl+n",
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			flyOn(t, atServer, func(p *pilot) {
				r := rand.New(rand.NewPCG(seed, 1))
				for step := range 250 {
					did := p.anything(r, keys)
					p.fits()
					if p.over || t.Failed() {
						t.Fatalf("step %d, %s, over: %v\n%s", step, did, p.over, p.text())
					}
					p.seesItself(did)
				}
			}, sixty()...)
		})
	}
}

// anything does something, and says what.
func (p *pilot) anything(r *rand.Rand, keys []string) string {
	pointer := tea.Mouse{X: r.IntN(p.model.width), Y: r.IntN(p.model.height), Button: tea.MouseLeft}
	switch n := r.IntN(100); {
	case n < 70:
		key := keys[r.IntN(len(keys))]
		p.send(keyOf(p.t, key))
		return key
	case n < 78:
		p.send(tea.MouseClickMsg(pointer))
		return "click"
	case n < 84:
		p.send(tea.MouseMotionMsg(pointer))
		return "motion"
	case n < 90:
		p.send(tea.MouseReleaseMsg(pointer))
		return "release"
	case n < 93:
		pointer.Button = tea.MouseWheelUp + tea.MouseButton(r.IntN(2))
		p.send(tea.MouseWheelMsg(pointer))
		return "wheel"
	case n < 95:
		size := sizes[r.IntN(len(sizes))]
		p.send(tea.WindowSizeMsg{Width: size.width, Height: size.height})
		return "size"
	case n < 97:
		p.sleep(time.Second)
		return "sleep"
	}
	id := pawl.ID(r.IntN(70) + 1)
	op := []pawl.Op{
		pawl.ClaimTask{}, pawl.Complete{IDs: []pawl.ID{id}}, pawl.Delete{IDs: []pawl.ID{id}}, plan(task("Another")),
		pawl.Reopen{IDs: []pawl.ID{id}}, pawl.PutHold{IDs: []pawl.ID{id}, Reason: "later"},
	}[r.IntN(6)]
	p.board.Do(p.t.Context(), pawl.Request{By: bob, Op: op}) // be it refused
	p.settle()
	return fmt.Sprintf("%T by another", op)
}

// seesItself fails when the reader of the lanes is at a card that is not seen.
func (p *pilot) seesItself(after string) {
	p.t.Helper()
	s := p.lanesScreen()
	if _, _, known := find(p.model.lanes, s.at); p.model.where != onLanes || !known {
		return
	}
	f, _ := p.model.frame()
	for _, cells := range f {
		for _, c := range cells {
			if c.hit.kind == hitTask && c.hit.task == s.at || s.lift != nil && c.on == lifted {
				return
			}
		}
	}
	p.t.Fatalf("after %s %v is not seen:\n%s", after, s.at, p.text())
}

// Only what is seen is laid out.
func TestLaysOutLittle(t *testing.T) {
	m := benchModel(t, 10_000)
	s := m.screens[onLanes].(*lanesScreen)
	for _, key := range []string{"end", "home", "pgdown", "end", "up"} {
		m.Update(pressOf(key))
		w := s.window(m, m.width, m.room())
		for _, c := range w.columns {
			if len(c.cards) > m.height {
				t.Errorf("after %s %d cards of %v are laid out", key, len(c.cards), c.lane)
			}
		}
	}
	if lane, i, _ := find(m.lanes, s.at); i != len(m.lanes.Cards[lane])-2 {
		t.Errorf("the reader is at %d in %v", i, lane)
	}
}
