package tui

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// A slow board lets nobody look before it is told to.
type slow struct {
	pawl.Store
	open chan struct{}
}

func (s slow) View(ctx context.Context, fn func(pawl.Reader) error) error {
	select {
	case <-s.open:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.View(ctx, fn)
}

// flySlow runs a story on a board that cannot be read before read is called.
func flySlow(t *testing.T, story func(p *pilot, read func()), ops ...pawl.Op) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := slow{memory.New(), make(chan struct{})}
		board := pawl.NewBoard(s)
		p := &pilot{t: t, board: board, msgs: make(chan tea.Msg, 10_000)}
		opened := false
		read := func() {
			if !opened {
				close(s.open)
			}
			opened = true
			p.sleep(time.Second)
		}
		defer func() {
			stop()
			time.Sleep(pawl.MaxLease + time.Hour)
			board.Close()
		}()
		for _, op := range ops {
			p.do(me, op)
		}
		p.model = newModel(ctx, shows(func() query.Board { return query.Local(board) }))
		p.run(p.model.Init())
		p.size(120, 40)
		story(p, read)
	})
}

// historyOf is a board on which so many tasks were done, one a minute, and one is
// open.
func historyOf(n int) []pawl.Op {
	var ops []pawl.Op
	for i := range n {
		ops = append(ops, plan(task(fmt.Sprintf("Chore %03d", i+1))))
	}
	for i := range n {
		ops = append(ops, pawl.Complete{IDs: []pawl.ID{pawl.ID(i + 1)}})
	}
	return append(ops, plan(task("Go on")))
}

// A board that takes a moment to be read says so, and keeps what is typed: it
// was an empty board, and the keys were gone.
func TestLoading(t *testing.T) {
	flySlow(t, func(p *pilot, read func()) {
		p.sees("Loading…")
		p.seesNot("Nothing here yet")
		p.write("/012")
		p.sees("Loading…", "Typed so far: /012")
		p.press("ctrl+j") // Enter, from a terminal that was not told yet
		p.golden("early/loading")
		read()
		p.seesNot("Loading…", "Go to a task")
		p.sees("▌ ✔ #12 Chore 012", "Ready 1")
		if got := p.model.task(); got != 12 {
			t.Errorf("the reader is at %v, want #12", got)
		}
	}, historyOf(30)...)
}

// Nor is what comes before the terminal has told its size.
func TestKeysBeforeTheSize(t *testing.T) {
	flySlow(t, func(p *pilot, read func()) {
		p.model.window = tea.WindowSizeMsg{}
		p.press("/")
		read()
		p.press("1", "2")
		p.size(120, 40)
		p.press("enter")
		if got := p.model.task(); got != 12 || p.model.dialog != nil {
			t.Errorf("the reader is at %v, want #12:\n%s", got, p.text())
		}
	}, historyOf(30)...)
}

// A new task that was typed before there was anything to see is there then.
func TestLoadingKeepsANewTask(t *testing.T) {
	flySlow(t, func(p *pilot, read func()) {
		p.write("aquit smoking")
		p.press("enter")
		read()
		p.sees("Added #3 quit smoking")
		if p.over {
			t.Error("the q of a text ended the board")
		}
	}, historyOf(1)...)
}

// No key works on a task that nobody could see when it was pressed, nor does what
// was typed behind it.
func TestLoadingDropsWhatChangesATask(t *testing.T) {
	flySlow(t, func(p *pilot, read func()) {
		p.write("jda")
		read()
		p.sees("Ignored, because you typed it before the tasks were loaded: da", "Ready 1", "Done 1")
		if p.model.dialog != nil {
			t.Error("what stood behind it was taken for a key")
		}
		p.press("d")
		p.sees("Completed #2")
	}, historyOf(1)...)
}

// One may leave before anything is seen.
func TestLoadingEnds(t *testing.T) {
	for _, name := range []string{"q", "ctrl+c"} {
		flySlow(t, func(p *pilot, read func()) {
			p.press(name)
			if !p.over {
				t.Errorf("%s did not leave", name)
			}
			read()
		})
	}
}

// A search finds what was done long ago, and shows it: in its lane, or in full
// where the lane does not reach so far.
func TestSearchShowsWhatIsLongDone(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("/")
		p.write("#77")
		p.press("enter")
		p.sees("✔ #77 Chore 077")
		if got := p.model.task(); got != 77 || p.model.where != onLanes {
			t.Errorf("the reader is at %v on screen %v", got, p.model.where)
		}
		p.do(bob, plan(task("Something else"))) // and the next look leaves it there
		p.sleep(time.Second)
		p.sees("✔ #77 Chore 077", "Something else")
	}, historyOf(150)...)
}

func TestSearchOpensWhatNoLaneReaches(t *testing.T) {
	const each, times = 300, (query.MostReach + 300) / 300
	var ops []pawl.Op
	for n := range times {
		var create pawl.Create
		var done []pawl.ID
		for i := range each {
			create.Tasks = append(create.Tasks, task(fmt.Sprintf("Chore %04d", n*each+i+1)))
			done = append(done, pawl.ID(n*each+i+1))
		}
		ops = append(ops, create, pawl.Complete{IDs: done})
	}
	fly(t, func(p *pilot) {
		p.press("/")
		p.write("#77")
		p.press("enter")
		p.sees("#77 Chore 0077", "✔ completed")
		if p.model.where != onDetail {
			t.Errorf("the reader is on screen %v", p.model.where)
		}
		p.press("b") // which does not lead back there
		if p.model.where != onLanes {
			t.Errorf("the reader is on screen %v", p.model.where)
		}
	}, ops...)
}

// Enter does not have to wait for the tasks to be read.
func TestSearchInAHurry(t *testing.T) {
	fly(t, func(p *pilot) {
		p.update(keyOf(t, "/"))
		for _, k := range []string{"7", "7", "enter"} {
			p.update(keyOf(t, k))
		}
		p.sees("Loading…")
		p.sleep(time.Second)
		if got := p.model.task(); got != 77 || p.model.dialog != nil {
			t.Errorf("the reader is at %v", got)
		}
	}, historyOf(90)...)
}

// The mark below a lane counts the tasks that are there, not those that were
// read: of 150 that are done it said 5.
func TestBelowCountsWhatIsThere(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(120, 12)
		p.golden("early/below")
		p.size(120, 40)
		p.press("right", "right", "end", "enter") // 100 more of what is folded
		p.golden("early/below-unfolded")
	}, historyOf(150)...)
}
