package nudge

import (
	"fmt"
	"hash/fnv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

type left struct {
	todos []*todo.Item // what it can work on: the one in progress first, then in the order of the list
	tasks []*pawl.Task // that it holds, can work on, and has not in its list as well
	waits int          // todos that are blocked
	check string       // the check that a list waits for whose todos are completed; empty: none, or nothing may run it
}

func remaining(f Facts) left {
	var l left
	items := f.List.Items
	listed := map[pawl.ID]bool{}
	for _, status := range []todo.Status{todo.InProgress, todo.Pending} {
		for i := range items {
			switch it := &items[i]; {
			case it.Status != status:
			case it.Blocked && status == todo.Pending:
				l.waits++
				listed[it.Task] = true
			default:
				l.todos = append(l.todos, it)
				listed[it.Task] = true
			}
		}
	}
	for i := range f.Owned {
		// Blocked tasks and those on hold are not for their owner to continue.
		if t := &f.Owned[i]; len(t.BlockedBy) == 0 && t.Hold == nil && !listed[t.ID] {
			l.tasks = append(l.tasks, t)
		}
	}
	if f.List.AwaitsCheck() && f.List.Check != nil && f.Check.Runs {
		l.check = line(f.List.Check.Name, maxName)
	}
	return l
}

func (l left) none() bool { return len(l.todos)+len(l.tasks) == 0 && l.check == "" }

func (l left) onlyCheck() bool { return l.check != "" && len(l.tasks) == 0 }

// current is what to go on with, in a line.
func (l left) current() string {
	switch {
	case len(l.todos) > 0:
		return line(l.todos[0].Content, maxCurrent)
	case l.check != "":
		return "the check " + l.check + " of your todo list"
	}
	return subject(l.tasks[0], maxCurrent)
}

// counts is how much there is, for a sentence: "2 todos and 1 task".
func (l left) counts() string {
	todos, tasks := count(len(l.todos), "todo"), count(len(l.tasks), "task")
	if l.check != "" { // and no todo is
		todos = "the check of the todo list"
	}
	switch {
	case len(l.tasks) == 0:
		return todos
	case len(l.todos) == 0 && l.check == "":
		return tasks
	default:
		return todos + " and " + tasks
	}
}

// sum is where the work stands. It moves when a todo or a task comes, goes,
// moves to another state or means something else, and not by their order or
// their ids: agents that number their todos give new ids with each rewrite.
func sum(f Facts) uint64 {
	var all uint64
	for i := range f.List.Items {
		it := &f.List.Items[i]
		one := sumOf("todo", it.Content, string(it.Status), fmt.Sprint(it.Blocked))
		for k := range it.Subtasks {
			one += sumOf(it.Content, it.Subtasks[k].Content, string(it.Subtasks[k].Status))
		}
		all += one
	}
	for i := range f.Owned {
		t := &f.Owned[i]
		all += sumOf("task", fmt.Sprint(t.ID, t.CreatedAt.UnixMilli(), t.OpenChildren, len(t.BlockedBy), t.Hold != nil))
	}
	all += checkSum(f)
	for i := range f.Failed {
		all += sumOf("failed", f.Failed[i].Task.String(), f.Failed[i].Check)
	}
	return all
}

func sumOf(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p)) // never fails
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

func count(n int, noun string) string { return text.Count(n, noun, noun+"s") }
