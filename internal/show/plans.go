package show

import (
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// A Plan is the todo list of a session as it stands beside a board's tasks.
type Plan struct {
	todo.Key
	At       time.Time // when it changed last; of a finished one, when that was
	Finished bool      // all of it was done
	Paused   bool      // its agent has asked not to be continued
	Items    []todo.Item
}

// Plans are the todo lists that stand beside a board's tasks: those that run,
// then the one that was finished last.
func Plans(r *todo.Recent) []Plan {
	plans := make([]Plan, 0, len(r.Running)+1)
	for i := range r.Running {
		l := &r.Running[i]
		plans = append(plans, Plan{Key: l.Key, At: l.UpdatedAt, Paused: l.Pause != nil, Items: l.Items})
	}
	if f := r.Finished; f != nil {
		plans = append(plans, Plan{Key: f.Key, At: f.At, Finished: true, Items: f.Items})
	}
	return plans
}

// Who names the session whose plan it is, and the subagent:
//
//	session 712164bd
//	session 712164bd/reviewer
func (p *Plan) Who() string {
	who := "session " + ShortSession(p.Session)
	if p.Agent != "" {
		who += "/" + ShortSession(p.Agent)
	}
	return who
}

// Done counts the todos that are completed.
func (p *Plan) Done() int {
	n := 0
	for i := range p.Items {
		if !p.Items[i].Open() {
			n++
		}
	}
	return n
}

// How says how far the plan is, at now:
//
//	1 of 3 done, changed 2 min ago
//	2 todos, all done 5 min ago
func (p *Plan) How(now time.Time) string {
	if p.Finished {
		return text.Count(len(p.Items), "todo", "todos") + ", all done " + text.Ago(now, p.At)
	}
	how := fmt.Sprintf("%d of %d done, changed %s", p.Done(), len(p.Items), text.Ago(now, p.At))
	if p.Paused {
		how += ", paused"
	}
	return how
}

// Current is the todo that is in progress, else the first open one, else the
// last.
func (p *Plan) Current() *todo.Item {
	at := slices.IndexFunc(p.Items, func(i todo.Item) bool { return i.Status == todo.InProgress })
	if at < 0 {
		at = slices.IndexFunc(p.Items, func(i todo.Item) bool { return i.Open() })
	}
	if at < 0 {
		at = len(p.Items) - 1
	}
	return &p.Items[at]
}

// Window is at most so many of the plan's todos, in their order: with what is
// open from the current one on, and before it what was done last.
func (p *Plan) Window(most int) (items []todo.Item, above, below int) {
	at := slices.IndexFunc(p.Items, func(i todo.Item) bool { return i.Open() })
	if at < 0 {
		at = len(p.Items)
	}
	if p.Finished {
		at = 0
	}
	above = max(0, min(at-1, len(p.Items)-most))
	items = p.Items[above:min(above+most, len(p.Items))]
	return items, above, len(p.Items) - above - len(items)
}

// Step says what is to be done, or is being done.
func Step(i *todo.Item) string {
	if i.Status == todo.InProgress && i.ActiveForm != "" {
		return text.Line(i.ActiveForm)
	}
	return text.Line(i.Content)
}

// StepState is the state of a todo with a status, as tasks have it. A pending one
// waits for its turn.
func StepState(is todo.Status) query.State {
	switch is {
	case todo.InProgress:
		return query.Working
	case todo.Completed:
		return query.Done
	}
	return query.Waiting
}

// Lines is a plan at now, with at most so many of its todos:
//
//	session 712164bd: 1 of 3 done, changed 2 min ago
//	  [x] Write parser
//	  [>] Adding tests
//	  [ ] Write docs
func (p *Plan) Lines(most int, now time.Time) []string {
	lines := []string{p.Who() + ": " + p.How(now)}
	items, above, below := p.Window(most)
	for i := range items {
		lines = append(lines, "  "+Mark(&pawl.Task{Status: pawl.Status(items[i].Status)})+" "+Step(&items[i]))
	}
	if more := above + below; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return lines
}
