package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// plansOf gives a pilot the todo lists of a project, and returns what writes the
// list of a session.
func plansOf(p *pilot) func(session, list string) {
	todos := todo.New(todomem.New(), time.Now)
	p.model.Todos, p.model.Ours, p.model.Keep = todos, func(h todo.Head) bool { return h.Project == "/p" }, keptFor
	p.run((&planWatch{Live: p.model.Live}).watchPlans(p.model.ctx))
	return func(session, list string) {
		p.t.Helper()
		draft, err := todo.Decode([]byte(list), false)
		if err == nil {
			_, err = todos.Write(p.t.Context(), todo.Key{Session: session}, draft, todo.Writing{Project: "/p"})
		}
		must.Do(p.t, err)
		p.sleep(time.Second)
	}
}

// keptFor is how long a finished list shows here: no time of these stories is
// long.
const keptFor = time.Hour

const (
	planned  = `[{"content":"Read the ledger","status":"completed"},{"content":"Add tests","status":"in_progress","activeForm":"Adding tests"},{"content":"Tell the team","status":"pending"}]`
	finished = `[{"content":"Read the ledger","status":"completed"},{"content":"Add tests","status":"completed"},{"content":"Tell the team","status":"completed"}]`
)

// Two tasks of an agent's own list were "Nothing here yet".
func TestPlansWithoutTasks(t *testing.T) {
	fly(t, func(p *pilot) {
		write := plansOf(p)
		p.sleep(time.Second)
		p.sees("Nothing here yet: press a to add the first task")
		write("0f0d7052-fe5d-45d1-8b2c-cce820a2ad60", planned)
		p.golden("plans/alone")
		p.fits()
		write("0f0d7052-fe5d-45d1-8b2c-cce820a2ad60", finished)
		p.sees("3 todos, all done", "✔ Add tests")
		p.seesNot("Nothing here yet")
		p.sleep(keptFor + listsAnyway*listsEvery)
		p.sees("Nothing here yet: press a to add the first task")
	})
}

func TestPlansBesideTasks(t *testing.T) {
	fly(t, func(p *pilot) {
		write := plansOf(p)
		for n := range 3 {
			write(fmt.Sprint("s", n), planned)
		}
		write("reviewer-of-the-release-notes-in-four-languages", finished)
		p.golden("plans/beside")
		for _, size := range [][2]int{{120, 24}, {80, 16}, {60, 13}, {40, 12}, {30, 8}} {
			p.size(size[0], size[1])
			p.fits()
		}
		p.seesNot("session") // each row counts
		p.size(80, 16)
		p.golden("plans/beside-80x16")
		p.size(120, 40)
		p.press("T")
		p.golden("plans/all")
		p.fits()
		p.press("T")
		p.seesNot("Todo lists")
	}, plan(task("Set up"), task("Write code", 1)))
}

// A key for lists where there are none says so.
func TestNoPlans(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("T")
		p.sees("No session of this project has a todo list now")
		p.do(me, pawl.Complete{IDs: []pawl.ID{1}})
		p.sleep(time.Second)
	}, plan(task("Set up")))
}
