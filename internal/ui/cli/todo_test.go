package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/todo"
)

// project is the folder of the fixture's project, as todo lists have it.
func (d *fixture) project() string {
	d.t.Helper()
	return must.Get(project.Root(d.dir))(d.t)
}

// withTodos is a fixture with a list on which each action has something to do, and
// an earlier session.
func withTodos(t *testing.T) *fixture {
	d := newFixture(t)
	at := d.clock()
	d.clock = func() time.Time { at = at.Add(time.Second); return at }
	d.restore("s0", oneTodo{Content: "Earlier", Status: "pending"})
	d.restore("s1", oneTodo{Content: "Plan", Status: "completed"}, oneTodo{Content: "Write", Status: "in_progress"}, oneTodo{Content: "Run", Status: "pending"})
	return d
}

// TestTodoElsewhere follows the hint about each word that others use for an
// action: it must work.
func TestTodoElsewhere(t *testing.T) {
	args := map[string][]string{
		"add": {"Fix", "it"}, "start": {"3"}, "done": {"2"}, "edit": {"1", "Plan it"}, "move": {"1", "2"}, "remove": {"1"},
		"undo": {"1"}, "resume": {"s0"}, "promote": {"3"},
	}
	seen := map[string]bool{}
	for _, e := range todoAliases {
		for word := range strings.FieldsSeq(e.words) {
			if own := todoActions().find(word) != nil; own || seen[word] {
				t.Errorf("%q means something already", word)
			}
			seen[word] = true
			hint := withTodos(t).hinted(append([]string{"todo", word}, args[e.action]...)...)
			if !strings.HasPrefix(hint, "todo "+e.action) {
				t.Errorf("%s leads to pawl %s", word, hint)
			}
		}
	}
	for line, want := range map[string]string{
		"todo shw":             "todo show",
		"todo Done 2":          "todo done 2",
		"todo rm":              "help todo", // of what?
		"todo xyzzy":           "help todo",
		"todo lits --board .b": "todo show --board .b",
	} {
		if got := withTodos(t).hinted(strings.Fields(line)...); got != want {
			t.Errorf("pawl %s hints at pawl %s, want pawl %s", line, got, want)
		}
	}
}

// Each action says in its usage how many arguments it takes.
func TestTodoActions(t *testing.T) {
	for _, do := range todoActions() {
		words := strings.Fields(do.use)
		most := len(words)
		if strings.Contains(do.use, "...") || do.name == "add" || do.name == "edit" || do.name == "check" { // check says how several become one
			most = -1
		}
		least := 0
		for _, word := range words {
			if !strings.HasPrefix(word, "[") {
				least++
			}
		}
		if do.min != least || do.max != most {
			t.Errorf("todo %s takes %d to %d arguments, and its usage is %q", do.name, do.min, do.max, do.use)
		}
	}
}

// On a terminal a list has the numbers that it is changed by.
func TestTodoNumbered(t *testing.T) {
	list := todo.List{Items: []todo.Item{
		{Content: "Plan", Status: todo.Completed, Priority: todo.Medium},
		{Content: "Write\x1b[2J it", Status: todo.InProgress, Priority: todo.High, Subtasks: []todo.Subtask{
			{Content: "unit", Status: todo.Completed}, {Content: "story", Status: todo.Pending},
		}},
		{Content: "Wait", Status: todo.Pending, Priority: todo.Medium, Blocked: true},
		{Content: "Ship it to everybody", Status: todo.Pending, Priority: todo.Low, Task: 12},
	}}
	run := &todoRun{app: &app{output: output{screen: screen{term.Screen{Width: 36, Unicode: true}, true}}}}
	want := []string{
		"1    ✔  Plan",
		`2    →  Write\x1b[2J it [high]`,
		"2.1    ✔  unit",
		"2.2    ○  story",
		"3    ○  Wait (blocked)",
		"4    ○  Ship it to everybody [low] …",
	}
	if got := run.numbered(&list); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the lines are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	run.paint = true
	if got := run.numbered(&list); got[0] != "\x1b[2m"+want[0]+"\x1b[0m" || got[1] != "\x1b[33m"+want[1]+"\x1b[0m" || got[2][0] != 0x1b || got[4] != want[4] {
		t.Errorf("in colour they are %q", got)
	}
}

// A shell is offered actions, positions with what is there, and sessions.
func TestTodoCompletion(t *testing.T) {
	d := withTodos(t)
	for line, want := range map[string]string{
		"todo re":              "remove\tremove todos from the list|resume\ttake over the todos of an earlier session, by its number in…",
		"todo done ":           "2\tWrite|3\tRun",
		"todo start ":          "1\tPlan|3\tRun",
		"todo move 1 ":         "1\tPlan|2\tWrite|3\tRun",
		"todo move 1 2 ":       "",
		"todo resume ":         "1\t1 in progress, 1 pending, 1 completed: Write|2\t1 pending: Earlier",
		"todo show ":           "",
		"todo edit 1 ":         "",
		"todo --prio":          "--priority\twith add and edit: high, medium or low",
		"todo add --priority ": "high|medium|low",
	} {
		words := strings.Split(line, " ")
		a := d.run(append([]string{"__complete"}, words...)...)
		offered := a.out[:max(0, strings.LastIndex(a.out, "\n:"))]
		if got := strings.ReplaceAll(offered, "\n", "|"); got != want || strings.Contains(a.err, "this is session") {
			t.Errorf("%q is offered %q, want %q\n%s", line, got, want, a.err)
		}
	}
}

// A list belongs to the project that its agent's folder is in, and a folder that
// is gone belongs to itself.
func TestTodoProject(t *testing.T) {
	d := newFixture(t)
	d.must("init")
	for _, dir := range []string{"src", "src/deep"} {
		must.Do(t, os.MkdirAll(filepath.Join(d.dir, dir), 0o755))
	}
	service := todo.New(d.todos, d.clock)
	for session, project := range map[string]string{"in": filepath.Join(d.dir, "src", "deep"), "gone": filepath.Join(t.TempDir(), "gone"), "none": ""} {
		must.Get(service.Edit(context.Background(), todo.Key{Session: session}, todo.Editing{Project: project}, todo.Add{Content: "x"}))(t)
	}
	if out := d.must("todo", "sessions"); !strings.Contains(out, "  in  ") || strings.Count(out, "\n") != 1 {
		t.Errorf("the lists of the project are\n%s", out)
	}
	if out := d.must("todo", "sessions", "--all"); strings.Count(out, "\n") != 3 {
		t.Errorf("all lists are\n%s", out)
	}
	d.env["PAWL_SESSION"] = ""
	if a := d.run("todo"); !strings.Contains(a.err, "this is session in, ") {
		t.Errorf("the newest list is another one: %s", a.err)
	}
}

// Old lists are taken away when somebody looks for sessions: finished ones after
// todos.keep, and open ones after three months.
func TestTodoKeep(t *testing.T) {
	d := newFixture(t)
	start := time.Now()
	d.clock = func() time.Time { return start }
	d.restore("open", oneTodo{Content: "Plan", Status: "pending"})
	d.restore("finished", oneTodo{Content: "Plan", Status: "pending"})
	d.must("todo", "done", "1", "--session", "finished")
	for _, step := range []struct {
		after time.Duration
		want  string
	}{
		{29 * 24 * time.Hour, "finished open"}, {31 * 24 * time.Hour, "open"}, {91 * 24 * time.Hour, ""},
	} {
		d.clock = func() time.Time { return start.Add(step.after) }
		var left []string
		for _, s := range d.json("todo", "sessions")["sessions"].([]any) {
			left = append(left, s.(map[string]any)["session"].(string))
		}
		if got := strings.Join(left, " "); got != step.want {
			t.Errorf("after %v there are %q, want %q", step.after, got, step.want)
		}
	}
}

// A text that could act on a terminal does not, in whatever form it is shown, and
// comes back whole from a transcript.
func TestTodoHarmless(t *testing.T) {
	const nasty = "a\u202eb\u009b2Jc"
	d := newFixture(t)
	d.must("todo", "add", nasty)
	for _, args := range [][]string{{"todo"}, {"todo", "--json"}, {"todo", "show", "--format", "markdown"}, {"todo", "show", "--format", "transcript"}, {"todo", "sessions"}, {"todo", "done", "1"}, {"todo", "undo"}} {
		if out := d.must(args...); strings.ContainsAny(out, "\u202e\u009b") || !strings.Contains(out, "202e") {
			t.Errorf("pawl %s prints %q", strings.Join(args, " "), out)
		}
	}
	d.stdin = d.must("todo", "show", "--format", "transcript")
	d.must("todo", "clear")
	d.must("todo", "resume", "--transcript", "-")
	if got := d.todoLines(); got != "[ ] "+nasty {
		t.Errorf("it came back as %q", got)
	}
}
