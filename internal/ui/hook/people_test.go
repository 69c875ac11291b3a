package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// edits is what a person does to the list of the session.
func (w *world) edits(edits ...todo.Edit) {
	w.t.Helper()
	must.Get(w.todos.Edit(w.t.Context(), todo.Key{Session: "s1"}, todo.Editing{By: "A person"}, edits...))(w.t)
}

func list(entries ...string) obj {
	var todos []obj
	for _, entry := range entries {
		content, status, _ := strings.Cut(entry, " ")
		todos = append(todos, obj{"content": content, "status": status})
	}
	return obj{"todos": todos}
}

// What a person adds is not lost when the agent writes its own list before it
// heard of that, and it hears of it then. After that its list is what counts.
func TestPersonsTodoSurvivesRewrite(t *testing.T) {
	w := newWorld(t)
	write := func(id string, entries ...string) string {
		return w.claude("PostToolUse", obj{"tool_name": "TodoWrite", "tool_use_id": id, "tool_input": list(entries...), "tool_response": obj{}})
	}
	write("t1", "Parse in_progress", "Test pending")
	w.edits(todo.Add{Content: "Document"})
	answer := write("t2", "Parse completed", "Test in_progress")
	w.has("", "Parse[completed] Test[in_progress] Document[pending]")
	if !strings.Contains(answer, "A person added") || !strings.Contains(answer, "Document") {
		t.Errorf("the agent is told %q", answer)
	}
	if answer := write("t3", "Parse completed", "Test in_progress"); answer != "" {
		t.Errorf("told again: %s", answer)
	}
	w.has("", "Parse[completed] Test[in_progress]")
}

// A list that can only name the agent's own entries says nothing of others.
func TestPersonsTodoSurvivesTaskList(t *testing.T) {
	w := newWorld(t)
	w.call("TaskCreate", obj{"subject": "Parse"}, obj{"task": obj{"id": "1"}})
	w.edits(todo.Add{Content: "Document"})
	for range 2 {
		w.call("TaskList", obj{}, obj{"tasks": []obj{{"id": "1", "subject": "Parse", "status": "in_progress"}}})
		w.has("", "Parse[in_progress] Document[pending]")
	}
}

// What cannot be said at an event is not taken for said: VS Code gives its agent
// nothing with a prompt.
func TestSaidWhereItIsHeard(t *testing.T) {
	w := newWorld(t)
	send := func(event string, fields string) string {
		w.now = w.now.Add(sameEvent)
		return w.send(`{"sessionId": "s1", "hookEventName": "`+event+`", "cwd": "`+w.dir+`"`+fields+`}`, "--agent", "vscode")
	}
	const call = `, "tool_name": "manage_todo_list", "tool_use_id": "t1", "tool_response": "", "tool_input": {"todoList": [{"id": 1, "title": "Parse", "status": "in-progress"}]}`
	send("PostToolUse", call)
	w.edits(todo.Add{Content: "Document"})
	send("PreCompact", "")
	if answer := send("UserPromptSubmit", `, "prompt": "Go on."`); answer != "" {
		t.Fatalf("a prompt is answered with %s", answer)
	}
	answer := send("PostToolUse", strings.Replace(call, "t1", "t2", 1))
	for _, want := range []string{"summarised", "A person added", "Document"} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer lacks %q: %s", want, answer)
		}
	}
}

// The agent hears of an edit after whatever it does next, once, and what the list
// is then: two edits may take one another back.
func TestNewsAfterAnyCall(t *testing.T) {
	w := newWorld(t)
	write := func(id, tool string, input obj) string {
		return w.claude("PostToolUse", obj{"tool_name": tool, "tool_use_id": id, "tool_input": input, "tool_response": obj{}})
	}
	write("t1", "TodoWrite", list("Parse in_progress", "Test pending"))
	w.edits(todo.Clear{})
	w.edits(todo.Revert{})
	w.edits(todo.Add{Content: "Document"})
	answer := write("t2", "Bash", obj{"command": "ls"})
	for _, want := range []string{"A person added", `## Todo List (3 tasks)\n- [→] ← current Parse\n- [ ] Test\n- [ ] Document\n(From Pawl`} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer lacks %s: %s", want, answer)
		}
	}
	if answer := write("t3", "Bash", obj{"command": "ls"}); answer != "" {
		t.Errorf("told again: %s", answer)
	}
	for range 180 {
		w.edits(todo.Add{Content: strings.Repeat("x", 200)})
	}
	if answer := write("t4", "Bash", obj{"command": "ls"}); len(answer) > 3*maxNews || !strings.Contains(answer, "…") {
		t.Errorf("%d bytes", len(answer))
	}
}

// Any of Pawl's tools that an agent has tells how they are called there: the
// first complex prompt finds a tool to suggest.
func TestShownByAnyTool(t *testing.T) {
	w := newWorld(t)
	w.setIn(settings.User, "suggestions", "on")
	if answer := w.codex("UserPromptSubmit", obj{"prompt": manySteps}); answer != "" {
		t.Fatalf("without a tool: %s", answer)
	}
	w.codex("PostToolUse", obj{"tool_name": "mcp__pawl__task_list", "tool_use_id": "c1", "tool_input": obj{}, "tool_response": obj{}})
	if answer := w.codex("UserPromptSubmit", obj{"prompt": manySteps}); !strings.Contains(answer, "mcp__pawl__todo_write") {
		t.Errorf("with one: %s", answer)
	}
}

// An agent's list that is too much is kept as far as it goes: the one before would
// be what its agent is asked to go on with.
func TestMirrorOfTooMuch(t *testing.T) {
	w := newWorld(t)
	w.call("TodoWrite", list("Old in_progress"), obj{})
	w.call("TodoWrite", obj{"todos": []obj{
		{"content": "New", "status": "in_progress"}, {"content": " ", "status": "pending"}, {"content": strings.Repeat("x", todo.MaxContent+1), "status": "pending"},
	}}, obj{})
	if got, want := inLine(w.list("")), "New[in_progress] "+strings.Repeat("x", todo.MaxContent)+"[pending]"; got != want {
		t.Errorf("the list is %.100s", got)
	}
	if log := w.log(); log != "" {
		t.Error(log)
	}
}

// Who begins a new session is told, once, of what the one before left open here.
func TestOpenFromBefore(t *testing.T) {
	w := newWorld(t)
	start := func(session string) string {
		return w.claude("SessionStart", obj{"session_id": session, "source": "startup"})
	}
	start("s1")
	w.call("TodoWrite", list("Parse completed", "Test in_progress", "Document pending"), obj{})
	w.claude("Stop", obj{"last_assistant_message": "Shall I go on?"})
	w.claude("UserPromptSubmit", obj{"prompt": "Yes."})
	w.now = w.now.Add(3 * time.Hour)
	const said = "Pawl: 2 todos are open from the session before, last changed 3h ago. Go on with them: /pawl:resume"
	if answer := start("s2"); !strings.Contains(answer, said) {
		t.Errorf("at the start: %s", answer)
	}
	w.now = w.now.Add(time.Minute)
	if answer := start("s2"); strings.Contains(answer, "session before") {
		t.Errorf("told again: %s", answer)
	}
	w.call("TodoWrite", list("Parse completed", "Test completed", "Document completed"), obj{})
	if answer := start("s3"); strings.Contains(answer, "session before") {
		t.Errorf("when all is done: %s", answer)
	}
}

// A session can die in its first turn, and end without having stopped: its list is
// offered anyway, however it was written and whatever the settings say of nudges.
func TestOpenFromFirstTurn(t *testing.T) {
	native := func(w *world) { w.call("TodoWrite", list("Parse completed", "Test in_progress"), obj{}) }
	byCommand := func(w *world) {
		must.Get(w.todos.Edit(w.t.Context(), todo.Key{Session: "s1"}, todo.Editing{Project: w.dir}, todo.Add{Content: "Test"}))(w.t)
	}
	for _, test := range []struct {
		name  string
		write func(*world)
		after func(*world)
	}{
		{"died", native, nil},
		{"ended", native, func(w *world) { w.claude("SessionEnd", obj{"reason": "other"}) }},
		{"continuation is off", native, func(w *world) {
			w.set("continuation", "off")
			w.set("reminders", "off")
			w.claude("Stop", obj{})
		}},
		{"with Pawl's tool", func(w *world) {
			byCommand(w)
			w.call("mcp__pawl__todo_write", obj{}, []obj{})
		}, nil},
		{"in a shell", func(w *world) {
			byCommand(w)
			w.call("Bash", obj{"command": "pawl todo add Test"}, obj{})
		}, nil},
		{"by a subagent", func(w *world) {
			w.call("TaskCreate", obj{"subject": "Test"}, obj{"task": obj{"id": "1"}}, obj{"agent_id": "helper-1", "agent_type": "Explore"})
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.claude("SessionStart", obj{"source": "startup"})
			w.claude("UserPromptSubmit", obj{"prompt": "Write the parser."})
			test.write(w)
			if test.after != nil {
				test.after(w)
			}
			if answer := w.claude("SessionStart", obj{"session_id": "s2", "source": "startup"}); !strings.Contains(answer, "Pawl: 1 todo is open from the session before") {
				t.Errorf("the next session is told %q", answer)
			}
		})
	}
}

// A conversation that goes on under a new name in another process inherits nothing, so
// its person gets the line that every new session gets.
func TestOpenFromBeforeAFork(t *testing.T) {
	for source, told := range map[string]bool{"startup": true, "fork": true, "resume": true, "a later one": true, "clear": false, "compact": false} {
		w := newWorld(t)
		w.claude("SessionStart", obj{"source": "startup"})
		w.call("TodoWrite", list("Test in_progress"), obj{})
		w.claude("SessionEnd", obj{"reason": "other"})
		if err := os.RemoveAll(filepath.Join(w.state(), "callers")); err != nil { // as if it had been another process
			t.Fatal(err)
		}
		answer := w.claude("SessionStart", obj{"session_id": "s2", "source": source})
		if strings.Contains(answer, "1 todo is open from the session before") != told {
			t.Errorf("%s: %q", source, answer)
		}
		if answer := w.claude("SessionStart", obj{"session_id": "s2", "source": source}); strings.Contains(answer, "session before") {
			t.Errorf("%s, told again: %s", source, answer)
		}
	}
}

// Consoles of Windows put a byte order mark before what they pass on.
func TestByteOrderMark(t *testing.T) {
	for agent, payload := range map[string]string{
		"claude": `{"hook_event_name":"SessionStart","session_id":"s1","source":"startup","cwd":"DIR"}`,
		"cursor": `{"hook_event_name":"sessionStart","session_id":"s1","conversation_id":"s1","workspace_roots":["DIR"],"cursor_version":"2.4"}`,
		"gemini": `{"hook_event_name":"SessionStart","session_id":"s1","source":"startup","cwd":"DIR","timestamp":"2026-11-28T16:23:04.289Z"}`,
	} {
		var answers []string
		for _, mark := range []string{"", "\uFEFF"} {
			w := newWorld(t)
			w.do(pawl.Actor{Name: "ann"}, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Plan"}}})
			answers = append(answers, w.send(mark+strings.ReplaceAll(payload, "DIR", filepath.ToSlash(w.dir)), "--agent", agent))
		}
		if answers[0] == "" || answers[0] != answers[1] {
			t.Errorf("%s: %q without a mark, %q with one", agent, answers[0], answers[1])
		}
	}
}

// What is kept of sessions before goes when their todos do.
func TestForgetsPlaces(t *testing.T) {
	w := newWorld(t)
	w.claude("SessionStart", obj{"source": "startup"})
	w.call("TodoWrite", list("Test in_progress"), obj{})
	w.claude("Stop", obj{"last_assistant_message": "Done for now."})
	names := filepath.Join(w.state(), "hooks.last", "*")
	if found, _ := filepath.Glob(names); len(found) != 1 {
		t.Fatalf("%d names of sessions", len(found))
	}
	w.now = time.Now().Add(forgetAfter + time.Hour)
	w.claude("SessionEnd", obj{"reason": "other"})
	if found, _ := filepath.Glob(names); len(found) != 0 {
		t.Errorf("%v is kept", found)
	}
}

// A program that begins with a conversation at the moment at which another one began
// with it, or right after that one's end, gets the plan as well. What came twice from one
// process still counts once.
func TestResumeAtOnce(t *testing.T) {
	w := newWorld(t)
	w.call("TodoWrite", list("Test in_progress"), obj{})
	resume := func() bool {
		w.now = w.now.Add(-sameEvent) // at the moment of the event before
		return strings.Contains(w.claude("SessionStart", obj{"source": "resume"}), "[in progress] Test")
	}
	if !resume() || resume() {
		t.Error("a start that came twice from one process does not count once")
	}
	w.claude("SessionEnd", obj{"reason": "other"})
	if !resume() {
		t.Error("the conversation has ended and begins again: it gets nothing")
	}
	in := func(process string, kind nudge.Kind) uint64 {
		s := session{located: true, agent: caller.Process{ID: process}}
		return s.identity(&agent.Event{Event: nudge.Event{Kind: kind, Source: nudge.Resume}})
	}
	if in("1", nudge.Start) == in("2", nudge.Start) || in("1", nudge.Stop) != in("2", nudge.Stop) {
		t.Error("starts in two processes, and only those, are two")
	}
}

// An agent that has set a timer for itself waits for something, as with a job in the
// background. A timer that recurs is no sign of that.
func TestStopsForItsOwnTimer(t *testing.T) {
	for recurs, asked := range map[bool]bool{false: false, true: true} {
		w := newWorld(t)
		w.call("TodoWrite", list("Watch the build in_progress"), obj{})
		stop := obj{"last_assistant_message": "I wait for the build.", "background_tasks": []obj{}, "session_crons": []obj{{"id": "596d81fe", "schedule": "32 16 * * *", "recurring": recurs, "prompt": "Look at the build"}}}
		if got := strings.Contains(w.claude("Stop", stop), "Continue working"); got != asked {
			t.Errorf("a timer that recurs: %v, and the agent is asked to go on: %v", recurs, got)
		}
	}
}
