package hook

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/agenttest"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// TestTextsNameToolsThatAreThere plays each text to an agent with the tools that its
// program was seen to have. (Current models of Claude Code were told to use TaskCreate,
// and Gemini 3 write_todos, which they do not have.)
func TestTextsNameToolsThatAreThere(t *testing.T) {
	told := 0
	for _, client := range known.Agents {
		for _, has := range agenttest.Offers(t, filepath.Join("..", "..", "agent", client.Name)) {
			told += played(t, client, has)
			has.Tools = append(has.Tools, client.Hooks.Shown+"todo_write", client.Hooks.Shown+"todo_pause", client.Hooks.Shown+"task_list")
			told += played(t, client, has)
		}
	}
	if told < 1000 {
		t.Errorf("only %d texts were heard", told)
	}
}

// played has an agent go through what brings a text, with a list that a person made, with
// one of each tool that it has, and with one of each that its model has no more, and returns
// how many texts it heard.
func played(t *testing.T, client *agent.Agent, has agenttest.Offer) (told int) {
	makers := []string{""}
	for i := range client.Lists {
		tool := client.Lists[i].Name
		if client.Lists[i].Read != nil && (slices.Contains(has.Tools, tool) || client.Hooks.Has(has.Session(), tool) == agent.Lacks) {
			makers = append(makers, tool)
		}
	}
	for _, maker := range makers {
		w := newWorld(t)
		w.setIn(settings.User, "suggestions", "on")
		w.vars = has.Env
		send := func(e agent.Event) {
			w.now = w.now.Add(time.Hour)
			e.Session, e.Dir, e.Name, e.Model = "s1", w.dir, string(e.Kind), has.Model
			answer := must.Get(w.env(nil, nil).respond(t.Context(), client, e))(t)
			for _, text := range []string{answer.Context, answer.Continue} {
				if text == "" {
					continue
				}
				told++
				for _, name := range namedTools(client, text) {
					if !slices.ContainsFunc(has.Tools, func(tool string) bool { return sameTool(name, tool) }) {
						t.Errorf("%s, with the model %q, %v and a list of %q: %s is named, and not there:\n%s", client.Name, has.Model, has.Env, maker, name, text)
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
