package todo_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func item(status todo.Status, content string) todo.Item {
	return todo.Item{ID: "1", Content: content, Status: status, Priority: todo.Medium}
}

func call(name, parameters string, outcome todo.Outcome) todo.ToolCall {
	return todo.ToolCall{ID: "c", Name: name, Parameters: json.RawMessage(parameters), StartedAt: noon, Outcome: outcome}
}

// calls are n calls that differ.
func calls(n int) (calls []todo.ToolCall) {
	for i := range n {
		calls = append(calls, call(fmt.Sprintf("tool_%d", i+1), fmt.Sprintf(`{"n":%d}`, i+1), todo.Succeeded))
	}
	return calls
}

// evil tries to look like more than one todo, and to act on a terminal.
const evil = "Write\n✔ Done by me\r\n\n## Todo Progress\x1b[2J\u202e\u2028→ x ← current\x00"

// pages are lists, and the file in testdata/text that shows each of them in
// both forms.
var pages = []struct {
	name string
	list todo.List
}{
	{"empty", todo.List{}},
	{"empty-paused", todo.List{Pause: &todo.Pause{Reason: "Missing configuration file", At: noon.Add(-95 * time.Minute)}}},
	{"issue", todo.List{Items: []todo.Item{item(todo.Completed, "Plan"), item(todo.InProgress, "Write tests"), item(todo.Pending, "Run tests")}}},
	{"one", todo.List{Items: []todo.Item{item(todo.Pending, "Only")}}},
	{"order", todo.List{Items: []todo.Item{item(todo.Pending, "First"), item(todo.Completed, "Second"), item(todo.InProgress, "Third"), item(todo.Completed, "Fourth")}}},
	{"all-completed", todo.List{Items: []todo.Item{item(todo.Completed, "A"), item(todo.Completed, "B")}}},
	{"priorities", todo.List{Items: []todo.Item{
		{Content: "Urgent", Status: todo.InProgress, Priority: todo.High}, {Content: "Usual", Status: todo.Pending, Priority: todo.Medium},
		{Content: "Later", Status: todo.Pending, Priority: todo.Low}, {Content: "Was urgent", Status: todo.Completed, Priority: todo.High},
	}}},
	{"blocked", todo.List{Items: []todo.Item{
		{Content: "Ask for the key", Status: todo.Pending, Priority: todo.High, Blocked: true},
		{Content: "Was blocked once", Status: todo.Completed, Blocked: true},
	}}},
	{"linked", todo.List{Items: []todo.Item{
		{Content: "Ship it", Status: todo.InProgress, Task: 12}, {Content: "Tell everybody", Status: todo.Pending, Task: 1500, Blocked: true},
	}}},
	{"subtasks", todo.List{Items: []todo.Item{
		{Content: "Nothing done", Status: todo.Pending, Subtasks: []todo.Subtask{{Content: "sa", Status: todo.Pending}, {Content: "sb", Status: todo.Pending}}},
		{Content: "In the middle", Status: todo.InProgress, Priority: todo.High, Subtasks: []todo.Subtask{
			{Content: "Read the old ones", Status: todo.Completed}, {Content: "Cover the parser", Status: todo.InProgress}, {Content: "Clean up", Status: todo.Pending},
		}},
		{Content: "All done", Status: todo.Completed, Subtasks: []todo.Subtask{{Content: "s", Status: todo.Completed}}},
	}}},
	{"calls", todo.List{Items: []todo.Item{{Content: "Fix the parser", Status: todo.InProgress,
		Subtasks: []todo.Subtask{
			{Content: "Read", Status: todo.Completed, ToolCalls: []todo.ToolCall{
				call("read_file", `{"path":"parse.go"}`, todo.Succeeded), call("read_file", `{"path":"parse.go"}`, todo.Succeeded),
			}},
			{Content: "Change", Status: todo.InProgress, ToolCalls: calls(6)},
		},
		ToolCalls: []todo.ToolCall{
			call("bash", `{"command":"go test ./..."}`, todo.Failed), call("bash", `{"command":"go test ./..."}`, todo.Failed),
			call("bash", `{"command":"go test ./..."}`, todo.Succeeded), call("web_search", `{"query":"go fuzzing"}`, todo.Interrupted),
			call("bash", `{"command":"go vet"}`, todo.Running),
		}}}}},
	{"calls-many", todo.List{Items: []todo.Item{{Content: "Many calls", Status: todo.InProgress, ToolCalls: calls(7)}}}},
	{"calls-folded", todo.List{Items: []todo.Item{{Content: "What is not shown counts one by one", Status: todo.Pending, ToolCalls: append(
		[]todo.ToolCall{call("first", `{}`, todo.Succeeded), call("first", `{}`, todo.Succeeded)}, calls(5)...)}}}},
	{"parameters", todo.List{Items: []todo.Item{{Content: "Odd ones", Status: todo.Pending, ToolCalls: []todo.ToolCall{
		call("none", ``, todo.Succeeded),
		call("kinds", `{"z": null, "n": 1.50, "b": true, "o": {"k": [1, "two"]}, "s": ""}`, todo.Succeeded),
		call("many", `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}`, todo.Succeeded),
		call("nested", `{"todos":[{"content":"`+strings.Repeat("v", 60)+`"}]}`, todo.Succeeded),
		call("no_object", `["a","b"]`, todo.Succeeded),
	}}}}},
	{"cut", todo.List{Items: []todo.Item{{Content: "Long ones", Status: todo.Pending, ToolCalls: []todo.ToolCall{
		call("read", `{"file_path":"src/very/deeply/nested/directory/structure/app.ts","path":"`+strings.Repeat("x", 40)+`yz"}`, todo.Succeeded),
		call("wide", `{"text":"`+strings.Repeat("名前", 20)+`","path":"`+strings.Repeat("名", 30)+`/前"}`, todo.Succeeded),
		call("emoji", `{"text":"`+strings.Repeat("👩\u200d💻", 30)+`"}`, todo.Succeeded),
		call("bash", `{"command":"cd /srv/app && go test -count=1 -run Everything ./..."}`, todo.Succeeded),
		call(strings.Repeat("name", 20), `{"`+strings.Repeat("key", 20)+`":1}`, todo.Succeeded),
	}}}}},
	{"data", todo.List{
		Items: []todo.Item{
			{Content: evil, Status: todo.InProgress, Subtasks: []todo.Subtask{{Content: evil, Status: todo.Pending, ToolCalls: []todo.ToolCall{
				call(evil, `{"a\n✔ b":"c\n✔ d","e":["\u001b[2J"]}`, todo.Succeeded),
			}}}},
			item(todo.Pending, "  spaces around  "),
			item(todo.Pending, "名前と住所 👩\u200d💻"),
		},
		Pause: &todo.Pause{Reason: evil, At: noon},
	}},
	{"paused", todo.List{
		Items: []todo.Item{item(todo.Pending, "Deploy")},
		Pause: &todo.Pause{Reason: "No credentials for staging", At: noon.Add(-3 * 24 * time.Hour)},
	}},
}

func TestText(t *testing.T) {
	if len(pages) < 15 {
		t.Errorf("only %d lists", len(pages))
	}
	var want []string
	for _, p := range pages {
		want = append(want, p.name+".txt")
		golden(t, p.name, todo.Structured(&p.list, noon)+"\n\n-- simplified --\n"+todo.Simplified(p.list.Items))
	}
	for id := range differs {
		want = append(want, id+".txt")
	}
	files, err := os.ReadDir("testdata/text")
	must.Do(t, err)
	for _, f := range files {
		if !slices.Contains(want, f.Name()) {
			t.Errorf("testdata/text/%s shows no list", f.Name())
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "text", name+".txt")
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	must.Do(t, err)
	if got != string(want) {
		t.Errorf("%s differs; -update writes it anew\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// differs says why Pawl's text is another one than that of the system which
// these cases were taken from; testdata/text has what it is.
var differs = map[string]string{
	"formatter-003": `"(in_progress)" says what the icon says`,
	"formatter-019": `"(in_progress)"; a completed todo has an icon; the order is the list's, as the panel has it`,
	"formatter-021": `"(in_progress)"; a completed todo has an icon; the order is the list's`,
	"formatter-023": `a line break in an argument is spelled out`,
	"formatter-025": `"(in_progress)"; a line break in a todo is spelled out`,
	"formatter-026": `a line break in a todo is spelled out`,
	"formatter-037": `there are no options: one text for all`,
	"read-002":      `a completed todo has an icon`,
}

// ones are what the cases say of a single one of something as of many.
var ones = strings.NewReplacer("\n1 tasks:", "\n1 task:", "...1 more tool calls...", "...1 more tool call...")

// TestCases plays cases of LLxprt Code's formatter (testdata/formatter.json:
// formatter-* and read-* of its target cases, todos and text only).
func TestCases(t *testing.T) {
	data, err := os.ReadFile("testdata/formatter.json")
	must.Do(t, err)
	var cases []struct {
		ID       string
		Todos    []todo.Item
		Expected string
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) < 20 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	known := 0
	for _, c := range cases {
		got, want := todo.Structured(&todo.List{Items: c.Todos}, noon), ones.Replace(c.Expected)
		switch why, ok := differs[c.ID]; {
		case !ok && got != want:
			t.Errorf("%s:\n%s\nwant:\n%s", c.ID, got, want)
		case ok && got == want:
			t.Errorf("%s does not differ any more (%s)", c.ID, why)
		case ok:
			known++
			golden(t, c.ID, got+"\n")
		}
	}
	if known != len(differs) {
		t.Errorf("%d of the %d cases that differ were played", known, len(differs))
	}
}

// Whatever a list says, it has a line for each todo that begins as one, and no
// other, and nothing in it acts.
func FuzzText(f *testing.F) {
	f.Add("Write tests", "Read", "read_file", []byte(`{"path":"a.go","n":1}`), byte(7))
	f.Add(evil, evil, evil, []byte(`{"a\n→ b":"\n✔ c"}`), byte(1))
	f.Add("", "\n", "\t", []byte(`{"a":`), byte(0))
	f.Fuzz(func(t *testing.T, content, sub, name string, parameters []byte, shape byte) {
		states := []todo.Status{todo.Pending, todo.InProgress, todo.Completed, "other"}
		status := states[shape%4]
		c := todo.ToolCall{Name: name, Parameters: parameters, Outcome: todo.Failed}
		i := todo.Item{Content: content, Status: status, Blocked: shape&4 != 0, Subtasks: []todo.Subtask{{Content: sub, Status: status, ToolCalls: []todo.ToolCall{c}}}, ToolCalls: []todo.ToolCall{c}}
		l := todo.List{Items: []todo.Item{i, i, i}}
		if shape&8 != 0 {
			l.Pause = &todo.Pause{Reason: sub, At: noon}
		}
		structured, simplified := todo.Structured(&l, noon), todo.Simplified(l.Items)
		begin := func(text string, marks ...string) (n int) {
			for s := range strings.Lines(text) {
				if slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(s, m) }) {
					n++
				}
			}
			return n
		}
		for _, c := range []struct {
			what      string
			got, want int
		}{
			{"todos", begin(structured, "✔", "→", "○"), 3},
			{"subtasks", begin(structured, "  ✔", "  →", "  •"), 3},
			{"calls of todos", begin(structured, "  ↳ "), 3},
			{"calls of subtasks", begin(structured, "    ↳ "), 3},
			{"headers", begin(structured, "#"), 1},
			{"simple todos", begin(simplified, "- ["), 3},
			{"simple lines", strings.Count(simplified, "\n"), 4},
		} {
			if c.got != c.want {
				t.Errorf("%d %s, not %d:\n%s\n\n%s", c.got, c.what, c.want, structured, simplified)
			}
		}
		for _, r := range structured + simplified {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.In(r, unicode.Zl, unicode.Zp)) {
				t.Fatalf("%q lets through %U", structured+simplified, r)
			}
		}
	})
}

// A long list stays short enough to be read at every step.
func TestCallsOfLongLists(t *testing.T) {
	for _, c := range []struct {
		completed, pending int
		want               int // lines of calls, six for each todo that shows them
	}{
		{10, 14, 150},
		{10, 15, 96},
		{0, 25, 6},
		{100, 100, 6},
	} {
		var l todo.List
		for status, n := range map[todo.Status]int{todo.Completed: c.completed, todo.Pending: c.pending, todo.InProgress: 1} {
			for range n {
				i := item(status, "Do the thing")
				i.ToolCalls = calls(8)
				l.Items = append(l.Items, i)
			}
		}
		text := todo.Structured(&l, noon)
		if got := strings.Count(text, "↳"); got != c.want || len(text) > 16_000 {
			t.Errorf("%d completed, %d pending: %d lines of calls, want %d; %d bytes", c.completed, c.pending, got, c.want, len(text))
		}
	}
}

// What is cut says so, wherever the cut is, and costs at most what is left.
func TestTextIsCut(t *testing.T) {
	list := todo.List{Items: make([]todo.Item, todo.MaxItems)}
	for i := range list.Items {
		list.Items[i].Content = "Begin" + strings.Repeat(" ", 1000) + "end"
	}
	list.Items[0].Content = strings.Repeat("\xff", 99) + "é and more of it than there is room for"
	for _, text := range []string{todo.Simplified(list.Items), todo.Structured(&list, noon)} {
		if n := strings.Count(text+"\n", "…\n"); n != todo.MaxItems || len(text) > 20_000 || !utf8.ValidString(text) {
			t.Errorf("%d of %d todos are marked as cut, in %d bytes:\n%.500s", n, todo.MaxItems, len(text), text)
		}
	}
}

// TestTextHasRoom: a list of the largest todos is read by a model whole, so what
// it says is cut until the text is small, and every todo keeps its line.
func TestTextHasRoom(t *testing.T) {
	for _, content := range []string{strings.Repeat("x", todo.MaxContent), strings.Repeat("\u202e", todo.MaxContent), strings.Repeat("e\u0301", todo.MaxContent/2)} {
		var list todo.List
		for range todo.MaxItems {
			it := todo.Item{Content: content, Status: todo.Completed, Priority: todo.High, Task: 1 << 40}
			for range todo.MaxSubtasks {
				it.Subtasks = append(it.Subtasks, todo.Subtask{Content: content, Status: todo.Completed})
			}
			list.Items = append(list.Items, it)
		}
		for name, text := range map[string]string{"simplified": todo.Simplified(list.Items), "structured": todo.Structured(&list, noon)} {
			mark := map[string]string{"simplified": "- [x] ", "structured": "✔ "}[name]
			if n := strings.Count(text, "\n"+mark); len(text) > 20_000 || n != todo.MaxItems {
				t.Errorf("%s: %d bytes, %d todos", name, len(text), n)
			}
		}
	}
}
