package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// oneTodo is a todo of a list, as tests write it.
type oneTodo struct{ Content, Status string }

// What each action says of a list with three todos, of which the second is in progress, and
// where it leads; a place that is not there is refused. todo/edit_test.go has all places.
func TestTodoSays(t *testing.T) {
	const before = "[x] Plan|[>] Write|[ ] Run"
	for line, want := range map[string]struct {
		code        int
		says, after string // empty: the list stays
	}{
		"show":              {0, "→ Write", ""},
		"add 4 At end":      {0, `Added todo 4 "At end"`, before + "|[ ] At end"},
		"add foo Bar":       {0, `Added todo 4 "foo Bar"`, before + "|[ ] foo Bar"},
		"add 0 Zero":        {3, "position 0: the list has 3 todos, so a place there goes from 1 to 4", ""},
		"add 1.last Sub":    {0, `Added subtask 1.1 "Sub"`, "[ ] Plan|  Sub|[>] Write|[ ] Run"},
		"add 1.3 Sub":       {3, "position 1.3: todo 1 has no subtasks, so a place there goes from 1.1 to 1.1", ""},
		"remove 1-9":        {3, "position 1-9: the list has 3 todos", ""},
		"remove 1.1":        {3, "position 1.1: todo 1 has no subtasks", ""},
		"remove last":       {0, `Removed todo 3 "Run"`, "[x] Plan|[>] Write"},
		"remove all":        {0, "Removed todos 1, 2 and 3", "-"},
		"start 1":           {0, `Marked todo 1 "Plan" in progress, with which todo 2 "Write" is pending again`, "[>] Plan|[ ] Write|[ ] Run"},
		"start 1.1":         {3, "position 1.1: todo 1 has no subtasks", ""},
		"undo 1-3":          {0, "Marked todos 1, 2 and 3 pending", "[ ] Plan|[ ] Write|[ ] Run"},
		"undo":              {0, "Took back what was done last: set up", "-"},
		"sessions":          {0, "Earlier", ""},
		"resume 9":          {3, "no session has the number", ""},
		"resume s0 --force": {2, "unknown flag", ""},
		"delete all":        {2, `unknown todo action "delete"`, ""},
	} {
		d := withTodos(t)
		a := d.run(append([]string{"todo"}, strings.Fields(line)...)...)
		if a.code != want.code || !strings.Contains(a.out+a.err, want.says) {
			t.Errorf("pawl todo %s: exit code %d, want %d and %q:\n%s%s", line, a.code, want.code, want.says, a.out, a.err)
		}
		if got := d.todoLines(); got != strings.TrimPrefix(cmp.Or(want.after, before), "-") {
			t.Errorf("pawl todo %s: the list is %s", line, got)
		}
	}
	// Without a list of its own a session goes on with another one's.
	d := newFixture(t)
	if a := d.run("todo", "resume", "abc"); a.code != 3 || !strings.Contains(a.err, `unknown session "abc"`) {
		t.Errorf("an unknown session: %+v", a)
	}
	if a := d.run("todo", "resume"); a.code != 3 || !strings.Contains(a.err, "no other session here has open todos") {
		t.Errorf("nothing to resume: %+v", a)
	}
	d.restore("s0", oneTodo{Content: "Earlier", Status: "pending"})
	if out := d.must("todo", "resume"); !strings.Contains(out, "Resumed the todos of session s0") || d.todoLines() != "[ ] Earlier" {
		t.Errorf("%s, and the list is %s", out, d.todoLines())
	}
}

// restore gives a session these todos.
func (d *fixture) restore(session string, todos ...oneTodo) {
	d.t.Helper()
	var items []todo.Item
	for i, s := range todos {
		items = append(items, todo.Item{ID: fmt.Sprint(i + 1), Content: s.Content, ActiveForm: s.Content, Status: todo.Status(s.Status), Priority: todo.Medium})
	}
	how := todo.Editing{Project: d.project()}
	must.Get(todo.New(d.todos, d.clock).Restore(context.Background(), todo.Key{Session: session}, how, items, "set up"))(d.t)
}

// todoLines is the list of the fixture's own session.
func (d *fixture) todoLines() string {
	d.t.Helper()
	list := must.Get(todo.New(d.todos, d.clock).Read(context.Background(), todo.Key{Session: "s1"}))(d.t)
	marks := map[todo.Status]string{todo.Pending: "[ ] ", todo.InProgress: "[>] ", todo.Completed: "[x] "}
	var lines []string
	for _, item := range list.Items {
		lines = append(lines, marks[item.Status]+item.Content)
		for _, sub := range item.Subtasks {
			lines = append(lines, "  "+sub.Content)
		}
	}
	return strings.Join(lines, "|")
}
