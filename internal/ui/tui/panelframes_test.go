package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/todo"
)

// Where there is room for all of a text it is not cut, and what is being done
// stands below what is to do.
func TestPanelWraps(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		long := strings.Repeat("Write many more of the tests, ", 3) + "and run them"
		items := []map[string]any{
			{"content": long, "status": "completed"},
			{"content": "Fix the parser", "activeForm": "Fixing the parser", "status": "in_progress"},
			{"content": long, "status": "pending", "priority": "high"},
		}
		w.put("s1", "", items)
		w.sees("run them\n", "run them [HIGH]\n", " → Fix the parser\n   Fixing the parser\n ○ Write many more")
		w.size(60, 5)
		w.sees("…\n → Fix the parser\n   Fixing the parser\n ○ Write many more")
		w.seesNot("run them")
		w.size(60, 4)
		w.seesNot("Fixing")
		w.press("space")
		w.sees("1/3 · → Fixing the parser")
	})
}

// rich is a list with all that a list can say.
func (w *watcher) rich() {
	items := []map[string]any{
		{"content": "Read the old parser", "status": "completed", "priority": "low"},
		{"content": "Plan the new one", "status": "completed", "subtasks": []map[string]any{{"content": "a", "status": "completed"}, {"content": "b", "status": "completed"}}},
		{"content": "Write the parser with all its tests 名前と住所", "activeForm": "Writing the parser 名前と住所", "status": "in_progress", "priority": "high", "subtasks": []map[string]any{
			{"content": "Numbers", "status": "completed"}, {"content": "Strings", "status": "in_progress"}, {"content": "Comments", "status": "pending"},
		}},
		{"content": "Ask for the release key", "status": "blocked", "priority": "high"},
	}
	for i := range 14 {
		items = append(items, map[string]any{"content": fmt.Sprintf("Port file %d", i+1), "status": "pending", "subtasks": []map[string]any{{"content": "x", "status": "pending"}}})
	}
	w.put("s1", "", items)
	for i := range 7 {
		id := fmt.Sprint(i)
		w.call(id, "read_file", fmt.Sprintf(`{"path":"src/deeply/nested/folder/parse_%d.go"}`, i))
		w.ended(id, todo.Succeeded)
	}
	w.call("f", "bash", `{"command":"go test ./..."}`)
	w.ended("f", todo.Failed)
	w.call("r", "bash", `{"command":"go test -run Strings ./..."}`)
	w.sleep(12 * time.Second)
}

func TestPanelFrames(t *testing.T) {
	for _, size := range [][2]int{{20, 6}, {40, 12}, {60, 20}, {100, 30}} {
		for _, theme := range []string{"light", "dark"} {
			watchPanel(t, func(w *watcher) {
				w.rich()
				w.size(size[0], size[1])
				name := fmt.Sprintf("panel/%dx%d", size[0], size[1])
				golden(t, name+".txt", w.text())
				painted := w.panel.theme.paint(w.panel.frame(), true)
				golden(t, name+"-"+theme+".ansi", strings.ReplaceAll(painted, "\x1b", "␛")+"\n")
				must.Get(w.todos.Pause(t.Context(), todo.Key{Session: "s1"}, project, "The release key is missing, and only Ada has it: she is away until Monday"))(t)
				w.sleep(time.Second)
				golden(t, name+"-paused.txt", w.text())
				w.panel.Unicode = false
				golden(t, name+"-ascii.txt", w.text())
			}, func(o *PanelOptions) { o.Theme = theme })
		}
	}
}

// Nothing is wider or higher than the terminal, whatever that is, and nothing
// that a list says acts on it.
func TestPanelSizes(t *testing.T) {
	evil := "Write\n✔ Done by me\r\n\x1b[2J\u202e\u2028 名前 👩\u200d💻 e\u0301"
	watchPanel(t, func(w *watcher) {
		check := func(what string) {
			for width := 1; width <= 110; width += 3 {
				for height := 1; height <= 40; height++ {
					w.size(width, height)
					f := w.panel.frame()
					if len(f) != height {
						t.Fatalf("%s: %d rows at %d×%d", what, len(f), width, height)
					}
					for _, line := range strings.Split(strings.TrimSuffix(plain(f), "\n"), "\n") {
						if term.Width(line) > width || strings.ContainsAny(line, "\x1b\r\u202e\u2028") {
							t.Fatalf("%s: %q at %d×%d", what, line, width, height)
						}
					}
				}
			}
		}
		check("nothing")
		w.rich()
		check("a rich list")
		w.press("space")
		check("in short")
		w.press("space", "?")
		check("help")
		w.press("?")
		w.put("s1", evil, []map[string]any{{"content": evil, "status": "in_progress", "subtasks": []map[string]any{{"content": evil, "status": "pending"}}}})
		w.press("tab")
		check("evil")
		must.Get(w.todos.Pause(t.Context(), todo.Key{Session: "s1", Agent: evil}, project, evil))(t)
		w.sleep(2 * panelEvery)
		check("evil and paused")
		must.Get(w.todos.Edit(t.Context(), todo.Key{Session: "s1", Agent: evil}, todo.Editing{Project: project}, todo.Clear{}))(t)
		w.sleep(2 * panelEvery)
		check("cleared")
		w.write("s1", "", "x Plan", "x Write tests")
		w.press("tab")
		w.size(60, 20)
		w.sees("16 open todos were left out by the agent")
		check("ended")
		w.panel.follower.want(target{session: evil})
		w.press("j")
		w.size(60, 20)
		w.sees("todos yet. The panel waits for them.")
		check("a session that is not there")
		w.press("p")
		check("off")
	})
}

// The panel says what todo_read says, in the same order: of the current todo
// every line, of the others the first.
func TestPanelSaysWhatTodoReadSays(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.rich()
		w.size(200, 100)
		list := must.Get(w.todos.Read(t.Context(), todo.Key{Session: "s1"}))(t)
		var want []string
		current := false
		for line := range strings.Lines(todo.Structured(&list, time.Now())) {
			line = strings.TrimRight(line, "\n")
			detail := strings.HasPrefix(line, "  ")
			switch {
			case strings.HasPrefix(line, "✔"), strings.HasPrefix(line, "→"), strings.HasPrefix(line, "○"):
				current = strings.HasSuffix(line, " ← current")
				want = append(want, strings.TrimSuffix(line, " ← current"))
			case detail && current:
				want = append(want, strings.Replace(line, "(running)", "(running 12 s)", 1))
			case strings.Contains(line, " tasks: "):
				want = append(want, strings.Replace(line, "tasks", "todos", 1))
			}
		}
		var got []string
		for line := range strings.Lines(w.text()) {
			line = strings.TrimPrefix(strings.TrimRight(line, " \n"), " ")
			if strings.HasPrefix(strings.TrimSpace(line), "Writing the parser") {
				continue // it is for people: an agent knows what it does
			}
			line = strings.ReplaceAll(line, " (0/1)", "") // todo_read counts what it does not list only when some of it is done
			got = append(got, strings.TrimSpace(strings.TrimSuffix(line, "s1")))
		}
		for i := range want {
			want[i] = strings.TrimSpace(want[i])
		}
		if len(want) < 20 || strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") {
			t.Errorf("the panel says\n%s\ntodo_read says\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if n := len(show.PanelRows(&list)); n+1 != len(want) {
			t.Errorf("%d rows, %d lines", n, len(want))
		}
	})
}

// The page about the panel shows it as it is.
func TestPanelPage(t *testing.T) {
	page := must.Get(os.ReadFile(filepath.Join("..", "..", "..", "docs", "panel.md")))(t)
	frame := must.Get(os.ReadFile(filepath.Join("testdata", "panel", "60x20.txt")))(t)
	if !strings.Contains(string(page), "```\n"+string(frame)+"```\n") {
		t.Errorf("docs/panel.md does not show\n%s", frame)
	}
}
