package hook

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// A toolList is what a program gave its model, as recorded.
type toolList struct {
	Client, Variant string
	Tools           []string
}

// TestTextsNameToolsThatAreThere plays each text to an agent with the tools that its
// program was seen to have. (Current models of Claude Code were told to use TaskCreate,
// and Gemini 3 write_todos, which they do not have.)
func TestTextsNameToolsThatAreThere(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "agent", "*", "testdata", "tools.jsonl"))
	if len(files) < 6 {
		t.Fatalf("only %d programs' tools are recorded", len(files))
	}
	told := 0
	for _, file := range files {
		client := known.Find(filepath.Base(filepath.Dir(filepath.Dir(file))))
		in := must.Get(os.Open(file))(t)
		defer in.Close()
		for lines := bufio.NewScanner(in); lines.Scan(); {
			var has toolList
			if err := json.Unmarshal(lines.Bytes(), &has); err != nil || len(has.Tools) == 0 {
				t.Fatalf("%s: %s: %v", file, lines.Bytes(), err)
			}
			told += played(t, client, has)
			has.Variant += " with Pawl's server"
			has.Tools = append(has.Tools, client.Hooks.Shown+"todo_write", client.Hooks.Shown+"todo_pause", client.Hooks.Shown+"task_list")
			told += played(t, client, has)
		}
	}
	if told < 100 {
		t.Errorf("only %d texts were heard", told)
	}
}

// played has an agent go through what brings a text, with a list that a person made and
// with one of each tool that it has, and returns how many texts it heard.
func played(t *testing.T, client *agent.Agent, has toolList) (told int) {
	makers := []string{""}
	for _, tool := range has.Tools {
		if made := known.ListTool(client, tool); made != nil && made.Read != nil && (made.Makes == "" || made.Makes == tool) && tool != "sql" {
			makers = append(makers, tool)
		}
	}
	for _, maker := range makers {
		w := newWorld(t)
		send := func(e agent.Event) {
			w.now = w.now.Add(time.Hour)
			e.Session, e.Dir, e.Name = "s1", w.dir, string(e.Kind)
			answer := must.Get(w.env(nil, nil).respond(t.Context(), client, e))(t)
			for _, text := range []string{answer.Context, answer.Continue} {
				if text == "" {
					continue
				}
				told++
				for _, name := range namedTools(client, text) {
					if !slices.ContainsFunc(has.Tools, func(tool string) bool { return sameTool(name, tool) }) {
						t.Errorf("%s, %s: %s is named, and not there:\n%s", has.Client, has.Variant, name, text)
					}
				}
			}
		}
		call := func(tool, input, output string) {
			send(agent.Event{Event: nudge.Event{Kind: nudge.CallEnds}, Tool: tool, ToolUse: w.now.String(), Input: json.RawMessage(input), Output: json.RawMessage(output)})
		}
		send(agent.Event{Event: nudge.Event{Kind: nudge.Start, Source: nudge.Startup}})
		if shown := client.Hooks.Shown + "task_list"; slices.Contains(has.Tools, shown) {
			call(shown, "{}", "{}")
		}
		for range 3 {
			send(agent.Event{Event: nudge.Event{Kind: nudge.Prompt, Text: manySteps}})
		}
		if maker == "" {
			w.edits(todo.Add{Content: "Read the ledger"})
		} else {
			call(maker, `{"subject": "Read the ledger", "todos": [{"content": "Read the ledger", "description": "Read the ledger", "status": "pending"}], "plan": [{"step": "Read the ledger", "status": "pending"}], "title": "Read the ledger"}`,
				`{"task": {"id": "1"}, "llmContent": "Created task 2ba7d7: Read the ledger"}`)
		}
		for range 12 {
			call("Read", "{}", "{}")
		}
		send(agent.Event{Event: nudge.Event{Kind: nudge.Stop}})
		send(agent.Event{Event: nudge.Event{Kind: nudge.Compaction}})
		send(agent.Event{Event: nudge.Event{Kind: nudge.Start, Source: nudge.Compact}})
		send(agent.Event{Event: nudge.Event{Kind: nudge.Start, Source: nudge.Resume}})
	}
	return told
}

var toolWord = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_-]*`)

// namedTools are the tools for lists that a text names.
func namedTools(client *agent.Agent, text string) (names []string) {
	for _, word := range toolWord.FindAllString(text, -1) {
		if _, ours := attribution.Tool(word); ours || known.ListTool(client, word) != nil {
			names = append(names, word)
		}
	}
	return names
}

// sameTool compares a name with a recorded one, in which a program may have put the
// server before the tool without a mark between them.
func sameTool(name, recorded string) bool {
	own, ours := attribution.Tool(name)
	return name == recorded || ours && strings.Contains(recorded, "pawl") && strings.HasSuffix(recorded, own)
}
