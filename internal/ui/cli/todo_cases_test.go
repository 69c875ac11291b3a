package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/todo"
)

// slashCase is how the /todo command of LLxprt Code answers, which people may
// come from. testdata/slash.json has what it was seen to do (at f80a695): the
// line, the list before and after it, and the message.
type slashCase struct {
	ID    string
	Line  string
	Todos []slashTodo
	Saved bool // four lists of other sessions were kept in files
	Fails bool
	Says  string
	After []slashTodo // nil: as before
}

type slashTodo struct {
	Content, Status string
	Subtasks        []struct{ Content string }
}

// ours says what Pawl makes of each case: which command line of pawl it is, what
// its answer holds, and where it is to end otherwise, why.
var ours = map[string]struct {
	line    string
	code    int
	says    string
	differs string // why the list is another one afterwards, or the call succeeds and theirs fails
	after   string // then
}{
	"slash-command-002": {"show", 0, "→ Parent task", "", ""},
	"slash-command-006": {"add 4 At end", 0, `Added todo 4 "At end"`, "", ""},
	"slash-command-008": {"add 0 Zero", 3, "position 0: the list has 3 todos, so a place there goes from 1 to 4", "", ""},
	"slash-command-009": {"add foo Bar", 0, `Added todo 4 "foo Bar"`, "a position may be left out, so foo is a word of the text", "[ ] Task 1|[>] Task 2|[x] Task 3|[ ] foo Bar"},
	"slash-command-010": {"add 1.1 Sub", 0, `Added subtask 1.1 "Sub"`, "", ""},
	"slash-command-011": {"add 1.last Sub", 0, `Added subtask 1.1 "Sub"`, "", ""},
	"slash-command-012": {"add 1.0 Sub", 3, "position 1.0: todo 1 has no subtasks, so a place there goes from 1.1 to 1.1", "", ""},
	"slash-command-013": {"add 1.3 Sub", 3, "position 1.3: todo 1 has no subtasks, so a place there goes from 1.1 to 1.1", "", ""},
	"slash-command-021": {"remove 1-9", 3, "position 1-9: the list has 3 todos", "", ""},
	"slash-command-022": {"remove all", 0, "Removed todos 1, 2 and 3", "", ""},
	"slash-command-025": {"remove 1.1", 3, "position 1.1: todo 1 has no subtasks", "", ""},
	"slash-command-026": {"remove last", 0, `Removed todo 3 "Task 3"`, "last is a position everywhere", "[ ] Task 1|[>] Task 2"},
	"slash-command-028": {"start 1", 0, `Marked todo 1 "Task 1" in progress, with which todo 2 "Task 2" is pending again`, "only one todo is in progress", "[>] Task 1|[ ] Task 2|[x] Task 3"},
	"slash-command-030": {"start 99", 3, "position 99: the list has 3 todos", "", ""},
	"slash-command-031": {"start 1.1", 3, "position 1.1: todo 1 has no subtasks", "", ""}, // with one it starts: subtasks have a status
	"slash-command-037": {"undo 1-3", 0, "Marked todos 1, 2 and 3 pending", "", ""},
	"slash-command-039": {"undo 99", 3, "position 99: the list has 3 todos", "", ""},
	"slash-command-040": {"undo", 0, "Took back what was done last: set up", "undo without a position takes back the last change", ""},
	"slash-command-041": {"sessions", 0, "no todo lists in this project", "", ""},
	"slash-command-042": {"resume 1", 3, `unknown session "1"`, "what could not be loaded is an error", ""},
	"slash-command-043": {"resume abc", 3, `unknown session "abc"`, "", ""},
	"slash-command-044": {"resume", 3, "no other session here has open todos", "without a number it is the newest with open todos", ""},
	"slash-command-046": {"delete all", 2, "hint: pawl help todo", "lists of sessions are taken away by age, and never by hand", ""},
	"slash-command-049": {"resume 1", 0, "Resumed the todos of session a", "", ""},
	"slash-command-051": {"resume 3", 3, "no session has the number", "a broken file is set aside before anybody can choose it, so it has no number", ""},
	"slash-command-052": {"resume 4", 3, "no session has the number", "a list with nothing in it is not kept, so it has no number", ""},
	"slash-command-054": {"delete 9", 2, "hint: pawl help todo", "lists of sessions are taken away by age, and never by hand", ""},
	"slash-command-056": {"delete 2-9", 2, "hint: pawl help todo", "lists of sessions are taken away by age, and never by hand", ""},
	"slash-command-057": {"delete 3", 2, "hint: pawl help todo", "lists of sessions are taken away by age, and never by hand", ""},
}

// TestSlashCases plays what LLxprt Code's /todo was seen to do. What ends
// otherwise here has a reason.
func TestSlashCases(t *testing.T) {
	var cases []slashCase
	if err := json.Unmarshal([]byte(read(t, "testdata/slash.json")), &cases); err != nil || len(cases) != len(ours) {
		t.Fatalf("%d cases, and %d answers to them: %v", len(cases), len(ours), err)
	}
	for _, c := range cases {
		t.Run(c.ID+" "+c.Line, func(t *testing.T) {
			our, known := ours[c.ID]
			if !known {
				t.Fatal("what Pawl makes of it is not said")
			}
			d := newFixture(t)
			if c.Saved {
				d.restore("b", slashTodo{Content: "Legacy task", Status: "completed"}, slashTodo{Content: "Next", Status: "pending"})
				d.restore("a", slashTodo{Content: "Done", Status: "completed"}, slashTodo{Content: "Active", Status: "in_progress"}, slashTodo{Content: "Waiting", Status: "pending"})
			}
			if len(c.Todos) > 0 {
				d.restore("s1", c.Todos...)
			}
			before := d.todoLines()
			a := d.run(append([]string{"todo"}, strings.Fields(our.line)...)...)
			if a.code != our.code || !strings.Contains(a.out+a.err, our.says) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", a.code, our.code, our.says, a.out, a.err)
			}
			if c.Fails != (a.code != 0) && our.differs == "" {
				t.Errorf("theirs fails: %v, and says %s; that ours ends with %d has no reason", c.Fails, c.Says, a.code)
			}
			want := before
			switch {
			case our.after != "":
				want = our.after
			case c.After != nil && our.differs == "":
				want = slashLines(c.After)
			case our.line == "undo":
				want = ""
			}
			if got := d.todoLines(); got != want {
				t.Errorf("the list is %s, want %s", got, want)
			}
		})
	}
}

func slashLines(todos []slashTodo) string {
	marks := map[string]string{"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
	var lines []string
	for _, item := range todos {
		lines = append(lines, marks[item.Status]+" "+item.Content)
		for _, sub := range item.Subtasks {
			lines = append(lines, "  "+sub.Content)
		}
	}
	return strings.Join(lines, "|")
}

// restore gives a session these todos.
func (d *fixture) restore(session string, todos ...slashTodo) {
	d.t.Helper()
	var items []todo.Item
	for i, s := range todos {
		item := todo.Item{ID: fmt.Sprint(i + 1), Content: s.Content, ActiveForm: s.Content, Status: todo.Status(s.Status), Priority: todo.Medium}
		for j, sub := range s.Subtasks {
			item.Subtasks = append(item.Subtasks, todo.Subtask{ID: fmt.Sprintf("%d.%d", i+1, j+1), Content: sub.Content, Status: todo.Pending})
		}
		items = append(items, item)
	}
	how := todo.Editing{Project: d.project()}
	if _, err := todo.New(d.todos, d.clock).Restore(context.Background(), todo.Key{Session: session}, how, items, "set up"); err != nil {
		d.t.Fatal(err)
	}
}

// todoLines is the list of the fixture's own session.
func (d *fixture) todoLines() string {
	d.t.Helper()
	list, err := todo.New(d.todos, d.clock).Read(context.Background(), todo.Key{Session: "s1"})
	if err != nil {
		d.t.Fatal(err)
	}
	var todos []slashTodo
	for _, item := range list.Items {
		s := slashTodo{Content: item.Content, Status: string(item.Status)}
		for _, sub := range item.Subtasks {
			s.Subtasks = append(s.Subtasks, struct{ Content string }{sub.Content})
		}
		todos = append(todos, s)
	}
	return slashLines(todos)
}
