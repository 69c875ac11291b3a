package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// release is a plan in which much hangs together, and #9 alone.
var release = plan(
	task("Set up the project"),       // 1
	task("Parse the config", 1),      // 2
	task("Write the emitter", 1),     // 3
	task("Join the halves", 2, 3),    // 4
	task("Measure Größe of 名前 🦀", 4), // 5
	task("Write the manual", 4),      // 6
	task("Tag the release", 5, 6),    // 7
	task("Choose a logo"),            // 8
	task("Water the plants"),         // 9
	task("Print stickers", 8),        // 10
)

// graph looks at the graph around a task.
func (p *pilot) graph(around pawl.ID) *graphScreen {
	p.run(p.model.jumpTo(onGraph, around))
	p.sleep(time.Second)
	return p.model.screens[onGraph].(*graphScreen)
}

// isAt fails unless the reader is at this task.
func (p *pilot) isAt(id pawl.ID) {
	p.t.Helper()
	if got := p.model.task(); got != id {
		p.t.Fatalf("the reader is at %v, want %v:\n%s", got, id, p.text())
	}
}

func TestGraphFrames(t *testing.T) {
	fly(t, func(p *pilot) {
		p.graph(3)
		p.goldens("graph/ego")
		p.press("G")
		p.goldens("graph/whole")
		p.size(80, 24)
		p.themes("graph/colours")
	}, release, pawl.Start{IDs: []pawl.ID{1}})
}

// The reader goes up and down through the tasks, and along the lines.
func TestGraphWalk(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 15)
		p.graph(4)
		p.sees("Around #4 Join the halves  7 tasks", "Longest chain: #1 → #2 → #4 → #5 → #7, 5 tasks")
		p.seesNot("#8")
		for _, c := range []struct {
			press string
			at    pawl.ID
		}{
			{"j", 5}, {"k", 4}, {"left", 3}, {"left", 1}, {"left", 1}, {"right", 2}, {"right", 4}, {"right", 5}, {"down", 6},
			{"right", 7}, {"right", 7}, {"home", 1}, {"up", 1}, {"pgdown", 7}, {"pgup", 1}, {"end", 7}, {"down", 7},
		} {
			p.press(c.press)
			p.isAt(c.at)
		}
		p.press("G")
		p.sees("Whole graph  9 tasks, 1 without edges left out", "▸ ┃", "#10 Print stickers")
		p.isAt(7)
		p.press("j", "j")
		p.isAt(10)
		p.press("g")
		p.sees("Around #10 Print stickers  2 tasks")
		p.press("k", "enter")
		if p.model.where != onDetail || p.model.task() != 8 {
			t.Errorf("Enter opens screen %d at %v", p.model.where, p.model.task())
		}
		p.press("esc")
		p.isAt(8)
		p.sees("Around #10")
	}, release)
}

// A click selects, a double one opens, the wheel scrolls.
func TestGraphMouse(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 15)
		p.graph(0)
		p.click("#5 Measure")
		p.isAt(5)
		p.sees("▸ ┃           ├─○─┐ #5 Measure")
		p.click("Longest chain")
		p.isAt(5)
		p.sleep(time.Second)
		p.click("#8 Choose")
		p.click("#8 Choose")
		p.isAt(8)
		p.sleep(gap)
		p.sees("#8 Choose a logo", "Status")
		p.press("esc")
		p.do(me, inARow(40)[0])
		p.sleep(gap)
		p.send(tea.MouseWheelMsg{X: 3, Y: 9, Button: tea.MouseWheelDown})
		p.isAt(8)
		p.sees("▲", "▼")
		p.seesNot("#1 Set up")
	}, release)
}

// Who completes a task sees what becomes ready, and stays where he is; so does
// who looks on.
func TestGraphLives(t *testing.T) {
	fly(t, func(p *pilot) {
		p.graph(4)
		p.press("G", "home")
		p.sees("◆─┐ #1 Set up", "○─┐ #2 Parse", "○─┤ #3 Write")
		p.press("d")
		p.sees("✔─┐ #1 Set up", "◆─┐ #2 Parse", "◆─┤ #3 Write", "Status     ✔ completed")
		p.isAt(1)

		bob := pawl.Actor{Name: "bob", Session: "b"}
		p.press("j")
		p.do(bob, pawl.Complete{IDs: []pawl.ID{2, 3}})
		p.sleep(gap)
		p.sees("✔─┐ #2 Parse", "✔─┤ #3 Write", "◆─┐ #4 Join", "Longest chain: #4 → #5 → #7, 3 tasks")
		p.isAt(2)

		p.do(bob, plan(task("Warm up"), task("Run", 11)))
		p.sleep(gap)
		p.do(bob, pawl.Delete{IDs: []pawl.ID{2}, Force: true})
		p.sleep(gap) // the graph
		p.sleep(gap) // what stands beside it
		p.seesNot("#2 Parse")
		p.sees("#11 Warm up")
		p.isAt(3)
		p.sees("│ #3 Write the emitter")

		p.press("G") // what was done stays no longer than the reader does
		p.sees("Whole graph")
		p.press(".")
		p.sees("with completed ones", "✔─┐ #3 Write")
		p.press(".", "g", "G")
		p.seesNot("#3 Write")
		p.press("home")
		p.isAt(4)
	}, release)
}

// Ages grow even though nobody does anything, and of two ways an open one is taken.
func TestGraphAges(t *testing.T) {
	fly(t, func(p *pilot) {
		p.graph(3)
		p.press(".")
		p.sees("→─┐ #1 Sow  ada, now", "✔─┤ #2 Water  just now")
		p.sleep(3 * time.Minute)
		p.sees("→─┐ #1 Sow  ada, 3 min", "✔─┤ #2 Water  3 min ago")
		p.press("left")
		p.isAt(1)
	}, plan(task("Sow"), task("Water"), task("Reap", 1, 2)), pawl.Start{IDs: []pawl.ID{1}}, pawl.Complete{IDs: []pawl.ID{2}})
}

// A late answer does not change what the reader has gone to since.
func TestGraphLate(t *testing.T) {
	fly(t, func(p *pilot) {
		s := p.graph(4)
		read := s.read(p.model)
		p.press("G")
		p.press("j")
		p.isAt(5)
		whole := s.read(p.model)
		late, err := read(t.Context(), query.Local(p.board))
		must.Do(t, err)
		s.take(p.model, late)
		p.sees("Whole graph")
		s.stand(4, late.(*graphFound).side)
		late.(*graphFound).of = s.wants(p.model)
		s.take(p.model, late)
		p.isAt(5)
		p.sees("Whole graph", "│ #5 Measure")

		// Nor does a look that began before the task was there.
		late, err = whole(t.Context(), query.Local(p.board))
		must.Do(t, err)
		p.do(me, plan(task("Sweep"), task("Celebrate", 7)))
		for id, words := range map[pawl.ID]string{11: "Around #11 Sweep", 12: "Whole graph  10 tasks"} {
			s.turn(0, 1)
			s.show(p.model, id)
			s.take(p.model, late)
			p.run(p.model.reread())
			p.sleep(gap)
			p.sleep(gap)
			p.isAt(id)
			p.sees(words)
		}
	}, release)
}

// The reader's task stays where it is on the screen when others come and go.
func TestGraphStays(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 30)
		s := p.graph(50)
		p.press("G")
		row := func() int { return strings.Count(strings.Split(p.text(), "▸")[0], "\n") }
		before := row()
		p.do(me, pawl.Delete{IDs: []pawl.ID{10, 11, 12}, Force: true})
		p.sleep(gap)
		p.sees("97 tasks")
		p.isAt(50)
		if row() != before {
			t.Errorf("the task went from row %d to %d", before, row())
		}
		p.size(60, 15)
		before = row()
		s.scroll(p.model, 1)
		if row() != before-1 {
			t.Errorf("the wheel took the task from row %d to %d", before, row())
		}
	}, inARow(100)...)
}

// The task that the graph is about is deleted.
func TestGraphGone(t *testing.T) {
	fly(t, func(p *pilot) {
		p.graph(8)
		p.do(me, pawl.Delete{IDs: []pawl.ID{8}, Force: true})
		p.sleep(gap)
		p.sees("#8 is no longer on the board: this is the whole graph", "Whole graph  7 tasks")
		p.isAt(1)
		p.do(me, pawl.Delete{IDs: []pawl.ID{1, 2, 3, 4, 5, 6, 7, 9, 10}, Force: true})
		p.sleep(gap)
		p.sees("No task is open.")
		p.isAt(0)
		p.press("j", "left", "g", "enter", "d", "G", ".")
		p.sees("No tasks yet.")
		p.do(me, plan(task("Begin again")))
		p.sleep(gap)
		p.sees("No task waits for another: b shows the 1 task")
	}, release)
}

// A new task has no edges, so the whole graph does not have it; one that has
// them is gone to there.
func TestGraphShows(t *testing.T) {
	fly(t, func(p *pilot) {
		s := p.graph(0)
		p.sees("Whole graph")
		for id, words := range map[pawl.ID]string{6: "Whole graph", 9: "Around #9"} {
			s.turn(0, 1)
			s.show(p.model, id)
			p.run(p.model.reread())
			p.sleep(gap)
			p.sleep(gap)
			p.sees(words)
			p.isAt(id)
		}
	}, release)
}

// Only external edits make cycles. The graph names them, so that a person can act.
func TestGraphCycles(t *testing.T) {
	fly(t, func(p *pilot) {
		s := p.graph(0)
		var tasks []pawl.Task
		for id, by := range map[pawl.ID][]pawl.ID{1: {3}, 2: {1}, 3: {2}, 4: {4}, 5: {77}} {
			tasks = append(tasks, pawl.Task{ID: id, Subject: fmt.Sprint("Task ", id), Status: pawl.Pending, Blockers: by, BlockedBy: by})
		}
		s.take(p.model, &graphFound{of: s.wants(p.model), graph: show.NewGraph(tasks, []pawl.ID{77}, "ada")})
		p.sees("! 2 cycles: no task in it can start (l unlinks): #1, #2, #3; #4", "!─┐ #77  missing", "▸ ┃ ○─┐ #1 Task #1  waits for #3")
		p.press("end", "home", "right", "left", "left")
		p.click("#77  missing")
		p.isAt(77)
		p.press("d")
		p.sees("No task #77; the last is #10")
		p.press("enter")
		p.sees("#77 is not on the board")
	}, release)
}

// The board can begin with the graph, around a task or whole.
func TestGraphFirst(t *testing.T) {
	fly(t, func(p *pilot) {
		o := p.model.Options
		for around, words := range map[pawl.ID]string{0: "Whole graph", 4: "Around #4"} {
			o.Graph, o.Around = true, around
			p.model = newModel(p.model.ctx, o)
			p.run(p.model.Init())
			p.size(80, 24)
			p.sees(words)
		}
	}, release)
}

// A filter makes a graph of what it shows, with and without edges.
func TestGraphFilter(t *testing.T) {
	high := task("Print posters", 8)
	high.Priority = pawl.High
	lone := task("Call the printer")
	lone.Priority = pawl.High
	fly(t, func(p *pilot) {
		p.model.filter.query.Priority = &high.Priority
		p.graph(0)
		p.sees("Whole graph  2 tasks", "○ #11 Print posters  high  waits for #8", "◆ #12 Call")
		p.press("home", "d")
		p.sees("#11 is blocked by #8")
		p.press("end", "d")
		p.sees("✔ #12 Call")
		high.Priority = pawl.Low
		p.press("G")
		p.sees("No task matches. Esc on the lanes removes the filter.")
	}, release, plan(high, lone))
}

// A graph that is too large is not drawn, and what is near a task is.
func TestGraphTooLarge(t *testing.T) {
	fly(t, func(p *pilot) {
		p.graph(0)
		p.sees("more than 2000 tasks")
		p.press("j", "end", "pgdown", "left")
		p.graph(1000)
		p.sleep(gap)
		p.sees("17 tasks, at most 8 steps away", "#992", "#1008")
		p.seesNot("#1009")
	}, inARow(mostGraph+1)...)
}

// inARow are so many tasks, each of which waits for the one before.
func inARow(n int) (ops []pawl.Op) {
	var tasks []pawl.NewTask
	for i := range n {
		t := task(fmt.Sprintf("Step %d", i+1))
		if i > 0 {
			t = task(t.Subject, pawl.ID(i))
		}
		if tasks = append(tasks, t); len(tasks) == pawl.MaxBatch || i == n-1 {
			ops = append(ops, plan(tasks...))
			tasks = nil
		}
	}
	return ops
}

// A graph that is higher than the screen scrolls, with the reader's task or, by
// the wheel, without it.
func TestGraphScrolls(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 15)
		s := p.graph(1)
		p.press("G", "home")
		p.sees("Longest chain: #1 → #2 → #3 → … → #99 → #100, 100 tasks", "Layer 1", "▼")
		p.press("pgdown", "pgdown")
		at := p.model.task()
		p.sees(fmt.Sprintf("▸ ┃   ○  %v", at), "▲")
		p.press("end")
		p.isAt(100)
		p.sees("Step 100", "▲")
		s.scroll(p.model, -1000)
		p.isAt(100)
		p.sees("#1  Step 1\n", "▼")
		p.seesNot("Step 100")
		p.press("up")
		p.sees("▸ ┃   ○  #99")
		s.scroll(p.model, 1000)
		p.sees("#100  Step 100")
		p.size(60, 40)
		p.size(130, 15)
		p.sees("Step 99")
	}, inARow(100)...)
}

// A task stands beside the graph where that leaves room for the lines.
func TestGraphBeside(t *testing.T) {
	fly(t, func(p *pilot) {
		p.graph(30)
		p.seesNot("Layer", "│ #30 Step 30")
		p.sees("└○ #30 Step 30")
		p.size(200, 60)
		p.seesNot("Layer")
		p.sees("│ #30 Step 30", "○ #30 Step 30")
		p.size(60, 15)
		p.sees("Layer 30")
		p.press("home", "space", "d", "u")
	}, inARow(30)...)
}

// Whatever stands in tasks, nothing is wider or higher than the screen.
func TestGraphHostile(t *testing.T) {
	fly(t, func(p *pilot) {
		s := p.graph(0)
		var tasks []pawl.Task
		for i, subject := range []string{
			"\x1b[2Jclear \u202e evil \r\a", strings.Repeat("名", 300), "e\u0301\u0301 " + strings.Repeat("🦀", 40), "\u0301", "two\nlines",
		} {
			tasks = append(tasks, pawl.Task{ID: pawl.ID(i + 1), Subject: subject, Status: pawl.Pending, Blockers: []pawl.ID{pawl.ID(i)}})
		}
		f := &graphFound{graph: show.NewGraph(tasks, nil, "ada"), side: side{detail: &query.Detail{Task: tasks[0]}, id: 1}, at: 1}
		for _, size := range [][2]int{{60, 15}, {80, 24}, {119, 20}, {120, 15}, {200, 60}, {59, 15}} {
			p.size(size[0], size[1])
			for _, around := range []pawl.ID{0, 1, 2, 3, 4, 5} {
				s.turn(around, max(1, around))
				f.of, p.model.why[2] = s.wants(p.model), strings.Repeat("no ", 100)
				s.take(p.model, f)
				p.fits()
				if strings.ContainsAny(p.text(), "\x1b\u202e\r\a") {
					t.Errorf("%v: %q", size, p.text())
				}
			}
		}
	})
}
