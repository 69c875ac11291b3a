package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	memorystore "github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// A world is a project with a board, a user with a home, and a clock.
type world struct {
	lost   func(board, session string) []share.Notice
	t      *testing.T
	home   string
	dir    string
	now    time.Time
	store  *memorystore.Store
	board  *pawl.Board
	todos  *todo.Service
	ran    [][]string // commands
	calls  int
	shut   error             // why the board cannot be opened
	vars   map[string]string // more of the environment
	checks func(context.Context, string, *pawl.Task) ([]nudge.FailedCheck, error)
	check  func(context.Context, string, *todo.List) (nudge.ListCheck, error)
	far    *far // the server of a board at an address; nil: it is in a folder
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, home: t.TempDir(), dir: t.TempDir(), now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	w.dir, _ = filepath.EvalSymlinks(w.dir)
	must.Do(t, os.Mkdir(filepath.Join(w.dir, project.Name), 0o755))
	clock := func() time.Time { return w.now }
	w.store = memorystore.New(memorystore.WithClock(clock))
	w.board = pawl.NewBoard(w.store)
	w.todos = todo.New(todomem.New(), clock)
	return w
}

func (w *world) getenv(name string) string {
	if value, set := w.vars[name]; set {
		return value
	}
	return map[string]string{"HOME": w.home, "XDG_STATE_HOME": filepath.Join(w.home, "state"), "XDG_CONFIG_HOME": filepath.Join(w.home, "config")}[name]
}

func (w *world) state() string { return filepath.Join(w.home, "state", "pawl") }

// open is a board that stays open when a hook closes it. All that a hook asks of
// it could be asked of a server.
func (w *world) open(project.Board) (query.Board, error) {
	return querytest.Loop(query.Local(pawl.NewBoard(open{w.store}))), w.shut
}

type open struct{ *memorystore.Store }

func (open) Close() error { return nil }

func (w *world) env(stdin io.Reader, out io.Writer, args ...string) Env {
	return Env{
		Args: args, Stdin: stdin, Stdout: out, Stderr: w.t.Output(), Getenv: w.getenv, Dir: w.dir,
		Now: func() time.Time { return w.now }, Open: w.open, Lost: w.lost,
		Todos: func(dir string) (*todo.Service, error) {
			if dir == "" {
				return todo.New(todomem.New(), time.Now), nil
			}
			return w.todos, nil
		},
		Command: func(_ context.Context, dir string, args []string) (string, int) {
			if dir != w.dir {
				w.t.Errorf("a command runs in %s", dir)
			}
			w.ran = append(w.ran, args)
			return "done\n", 0
		},
		Wait: time.Minute, Post: w.post, Checks: w.checks, ListCheck: w.check,
	}
}

// claude sends an event of Claude Code, a second after the one before, and
// returns the answer.
func (w *world) claude(event string, fields map[string]any) string {
	w.t.Helper()
	payload := map[string]any{"session_id": "s1", "hook_event_name": event, "cwd": w.dir}
	for key, value := range fields {
		payload[key] = value
	}
	text := must.Get(json.Marshal(payload))(w.t)
	w.now = w.now.Add(sameEvent)
	return w.send(string(text), "--agent", "claude")
}

func (w *world) send(text string, args ...string) string {
	w.t.Helper()
	var out bytes.Buffer
	Run(w.t.Context(), w.env(strings.NewReader(text), &out, args...))
	return out.String()
}

// call is a tool call with its begin and end.
func (w *world) call(tool string, input, output any, fields ...map[string]any) {
	w.t.Helper()
	w.calls++
	id := "toolu_" + string(rune('a'+w.calls))
	both := map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": id}
	for _, f := range fields {
		for key, value := range f {
			both[key] = value
		}
	}
	w.claude("PreToolUse", both)
	both["tool_response"] = output
	w.claude("PostToolUse", both)
}

func (w *world) list(agent string) todo.List {
	w.t.Helper()
	return must.Get(w.todos.Read(w.t.Context(), todo.Key{Session: "s1", Agent: agent}))(w.t)
}

func (w *world) memory() memory {
	w.t.Helper()
	book, m, err := openNotebook(w.t.Context(), w.state(), todo.Key{Session: "s1"})
	must.Do(w.t, err)
	book.close()
	return m
}

// log is what hooks complained about.
func (w *world) log() string {
	text, err := os.ReadFile(filepath.Join(w.state(), "hook.log"))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return string(text)
}

// inLine is a list in a line: "Write parser[in_progress] Add tests[blocked]".
func inLine(l todo.List) string {
	var b strings.Builder
	for i, item := range l.Items {
		if i > 0 {
			b.WriteByte(' ')
		}
		status := string(item.Status)
		if item.Blocked {
			status = "blocked"
		}
		b.WriteString(item.Content + "[" + status + "]")
	}
	return b.String()
}

// has holds the list of an agent to what it is to be, in a line.
func (w *world) has(agent, want string) {
	w.t.Helper()
	if got := inLine(w.list(agent)); got != want {
		w.t.Errorf("the list of %q is %s, want %s", agent, got, want)
	}
}

type obj = map[string]any

// What an agent does with its own list is the session's list, with the edges.
func TestMirror(t *testing.T) {
	w := newWorld(t)
	created := func(id, subject string) {
		w.call("TaskCreate", obj{"subject": subject}, obj{"task": obj{"id": id, "subject": subject}})
	}
	created("1", "Write parser")
	created("2", "Add tests")
	w.call("TaskUpdate", obj{"taskId": "2", "addBlockedBy": []string{"1"}}, obj{"success": true})
	w.call("TaskUpdate", obj{"taskId": "1", "status": "in_progress"}, obj{"success": true})
	w.has("", "Write parser[in_progress] Add tests[blocked]")
	created("3", "Document")
	w.call("TaskUpdate", obj{"taskId": "1", "status": "completed"}, obj{"success": true})
	w.has("", "Write parser[completed] Add tests[pending] Document[pending]")
	w.call("TaskUpdate", obj{"taskId": "9", "status": "completed"}, obj{"success": false, "error": "Task not found"})
	w.call("TaskUpdate", obj{"taskId": "3", "status": "deleted"}, obj{"success": true})
	w.has("", "Write parser[completed] Add tests[pending]")
	w.call("TaskList", obj{}, obj{"tasks": []obj{
		{"id": "2", "subject": "Add tests", "status": "in_progress"},
		{"id": "4", "subject": "Made before there were hooks", "status": "pending", "blockedBy": []string{"2"}},
	}})
	w.has("", "Add tests[in_progress] Made before there were hooks[blocked]")
	w.call("TaskUpdate", obj{"taskId": "4", "removeBlockedBy": []string{"2"}}, obj{"success": true})
	w.has("", "Add tests[in_progress] Made before there were hooks[pending]")
	if m := w.memory(); m.Maker != "TaskCreate" {
		t.Errorf("texts would name %q", m.Maker)
	}
	for tool, want := range map[string]string{
		"TaskCreate": "TaskUpdate", "mcp__pawl__TaskCreate": "mcp__pawl__TaskUpdate", "tracker_create_task": "tracker_update_task", "todowrite": "todowrite", "": "",
	} {
		if got := updater(tool); got != want {
			t.Errorf("a list made by %q is changed by %q", tool, got)
		}
	}
	if log := w.log(); log != "" {
		t.Error(log)
	}
}

// A subagent's task tools change the list of the session, its TodoWrite one of
// its own.
func TestMirrorOfSubagent(t *testing.T) {
	w := newWorld(t)
	sub := obj{"agent_id": "a1", "agent_type": "general-purpose"}
	w.call("TaskCreate", obj{"subject": "Shared"}, obj{"task": obj{"id": "1"}}, sub)
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Mine", "status": "pending", "activeForm": "Doing mine"}}}, obj{}, sub)
	w.has("", "Shared[pending]")
	w.has("a1", "Mine[pending]")
}

// Pawl's own tools are not mirrored, but tell which names the agent has for
// them; before them goes a ticket.
func TestOwnTools(t *testing.T) {
	w := newWorld(t)
	w.call("mcp__plugin_pawl_pawl__todo_write", obj{"todos": []obj{{"content": "x", "status": "pending"}}}, "ok")
	w.has("", "")
	if m := w.memory(); m.Shown != "mcp__plugin_pawl_pawl__" {
		t.Errorf("shown is %q", m.Shown)
	}
	tickets, err := os.ReadDir(filepath.Join(w.state(), "callers", "tickets"))
	if err != nil || len(tickets) != 1 {
		t.Errorf("tickets: %v, %v", tickets, err)
	}
}

// Other calls belong to the current todo, with their outcome.
func TestToolCalls(t *testing.T) {
	w := newWorld(t)
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Test", "status": "in_progress"}}}, obj{})
	w.call("Bash", obj{"command": "go test ./..."}, obj{"stdout": "ok"})
	w.claude("PreToolUse", obj{"tool_name": "Bash", "tool_input": obj{"command": "make"}, "tool_use_id": "f1"})
	w.claude("PostToolUseFailure", obj{"tool_name": "Bash", "tool_input": obj{"command": "make"}, "tool_use_id": "f1", "error": "exit 2"})
	w.claude("PreToolUse", obj{"tool_name": "Read", "tool_input": obj{"file_path": "x.go"}, "tool_use_id": "r1"})
	w.claude("UserPromptSubmit", obj{"prompt": "stop, look at this instead"})
	var got []string
	for _, c := range w.list("").Items[0].ToolCalls {
		got = append(got, c.Name+" "+string(c.Outcome)+" "+string(c.Parameters))
	}
	want := []string{`Bash succeeded {"command":"go test …"}`, `Bash failed {"command":"make"}`}
	if strings.Join(got[:2], "|") != strings.Join(want, "|") || len(got) != 3 {
		t.Errorf("calls are %q, want %q and the one that was read", got, want)
	}

	w.set("toolCalls.arguments", "off")
	w.call("Bash", obj{"command": "cat key.pem"}, obj{})
	if calls := w.list("").Items[0].ToolCalls; calls[3].Parameters != nil {
		t.Errorf("arguments were kept: %s", calls[3].Parameters)
	}
}

// set puts a setting into the file of the session.
func (w *world) set(key, value string) {
	w.t.Helper()
	path, err := settings.SessionFile(w.getenv, "s1")
	if err == nil {
		_, err = settings.Set(w.t.Context(), settings.Session, path, settings.Find(key), value)
	}
	must.Do(w.t, err)
}

// Lists that are to be in memory only are not written.
func TestInMemory(t *testing.T) {
	w := newWorld(t)
	w.set("todos.store", "memory")
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Test", "status": "in_progress"}}}, obj{})
	w.has("", "")
}

// After a pause the turn is over.
func TestPauseEndsTurn(t *testing.T) {
	w := newWorld(t)
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Deploy", "status": "in_progress"}}}, obj{})
	must.Get(w.todos.Pause(t.Context(), todo.Key{Session: "s1"}, w.dir, "no \x1b[2Jcredentials"))(t)
	answer := w.claude("PostToolUse", obj{"tool_name": "mcp__pawl__todo_pause", "tool_input": obj{"reason": "no"}, "tool_use_id": "p", "tool_response": "Paused"})
	if !strings.Contains(answer, `"continue":false`) || !strings.Contains(answer, `no \\x1b[2Jcredentials`) {
		t.Errorf("the answer is %s", answer)
	}
	answer = w.claude("PostToolUseFailure", obj{"tool_name": "mcp__pawl__todo_pause", "tool_input": obj{}, "tool_use_id": "q", "error": "reason is missing"})
	if answer != "" {
		t.Errorf("a pause that failed ends the turn: %s", answer)
	}
}

// Leases are renewed while the session lives, and end with it.
func TestLeases(t *testing.T) {
	w := newWorld(t)
	me := pawl.Actor{Name: "claude", Session: "s1"}
	w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two"}}})
	w.do(me, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(15 * time.Minute)})
	w.do(pawl.Actor{Name: "codex", Session: "s2"}, pawl.ClaimTask{ID: 2, Lease: pawl.Duration(15 * time.Minute)})
	w.claude("SessionStart", obj{"source": "startup"})
	for range 12 {
		w.now = w.now.Add(4 * time.Minute)
		w.call("Bash", obj{"command": "make"}, obj{})
	}
	one, two := w.task(1), w.task(2)
	if one.Status != pawl.InProgress || !one.Claim.Until.After(w.now) {
		t.Errorf("after 48 minutes of work #1 is %s, its lease ends at %s and it is %s", one.Status, one.Claim.Until, w.now)
	}
	if two.Status != pawl.Pending {
		t.Errorf("another session's task was renewed")
	}
	w.claude("SessionEnd", obj{"reason": "other"})
	if one := w.task(1); one.Status != pawl.Pending || one.Owner != "" {
		t.Errorf("after the session #1 is %s, of %q", one.Status, one.Owner)
	}
	if m := w.memory(); len(m.Nudge.Claimed) != 1 || m.Nudge.Claimed[0].ID != 1 {
		t.Errorf("it is remembered to have held %v", m.Nudge.Claimed)
	}
}

func (w *world) do(by pawl.Actor, op pawl.Op) {
	w.t.Helper()
	must.Get(w.board.Do(w.t.Context(), pawl.Request{By: by, Op: op}))(w.t)
}

func (w *world) task(id pawl.ID) pawl.Task {
	w.t.Helper()
	tasks := must.Get(w.board.Get(w.t.Context(), id))(w.t)
	return tasks[0]
}

// A conversation that was cleared has another name, and the plan of the one
// before.
func TestClear(t *testing.T) {
	w := newWorld(t)
	w.claude("SessionStart", obj{"source": "startup"})
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Keep me", "status": "in_progress"}}}, obj{})
	w.claude("SessionEnd", obj{"reason": "clear"})
	w.claude("SessionStart", obj{"source": "clear", "session_id": "s9"})
	list, err := w.todos.Read(t.Context(), todo.Key{Session: "s9"})
	if err != nil || inLine(list) != "Keep me[in_progress]" {
		t.Errorf("the new session's list is %s, %v", inLine(list), err)
	}
	w.claude("SessionStart", obj{"source": "startup", "session_id": "s10"})
	if list, err := w.todos.Read(t.Context(), todo.Key{Session: "s10"}); err != nil || inLine(list) != "" {
		t.Errorf("a session that just starts has the list %s, %v", inLine(list), err)
	}
}

// An agent that was continued and stops again within the second, with the same
// words, is asked again: that stop was lost.
func TestStopsAgainAtOnce(t *testing.T) {
	w := newWorld(t)
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Test", "status": "in_progress"}}}, obj{})
	stop := obj{"stop_hook_active": true, "last_assistant_message": "Done."}
	w.claude("Stop", obj{"stop_hook_active": false, "last_assistant_message": "Done."})
	w.now = w.now.Add(300 * time.Millisecond)
	before := w.memory()
	first := w.claude("Stop", stop)
	w.now = w.now.Add(300 * time.Millisecond)
	w.claude("Stop", stop)
	if after := w.memory(); first == "" || len(after.Seen) != len(before.Seen)+2 {
		t.Errorf("the first was answered by %q; %d events were seen, and now %d", first, len(before.Seen), len(after.Seen))
	}
}

// The same event from two settings files is one.
func TestTwice(t *testing.T) {
	w := newWorld(t)
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Test", "status": "in_progress"}}}, obj{})
	begin := `{"session_id": "s1", "hook_event_name": "PreToolUse", "tool_name": "mcp__pawl__todo_read", "tool_input": {}, "tool_use_id": "t1"}`
	w.send(begin, "--agent", "claude")
	w.send(begin, "--agent", "claude")
	tickets, err := os.ReadDir(filepath.Join(w.state(), "callers", "tickets"))
	if err != nil || len(tickets) != 1 {
		t.Errorf("%d tickets, %v", len(tickets), err)
	}
	end := `{"session_id": "s1", "hook_event_name": "SessionEnd", "reason": "other"}`
	w.send(end, "--agent", "claude")
	first := w.memory()
	w.send(end, "--agent", "claude")
	if len(first.Seen) != 1 || !slices.Equal(first.Seen, w.memory().Seen) { // those before are over
		t.Errorf("events seen: %v, and then %v", first.Seen, w.memory().Seen)
	}
}

// Commands of the chat are those of the command line, in this session.
func TestCommands(t *testing.T) {
	w := newWorld(t)
	answer := w.claude("UserPromptSubmit", obj{"prompt": "/pawl:continuation off"})
	w.claude("UserPromptSubmit", obj{"prompt": "/pawl:todo add 2 Write tests\n\nIf you read this …"})
	w.claude("UserPromptSubmit", obj{"prompt": "/pawl:panel"})
	w.claude("UserPromptSubmit", obj{"prompt": "please run /pawl:todo clear"})
	if forget := w.claude("UserPromptSubmit", obj{"prompt": "/pawl:todo forget --yes"}); !strings.Contains(forget, "pawl todo forget --session s1") {
		t.Errorf("to be erased it answers %s", forget)
	}
	unknown := w.claude("UserPromptSubmit", obj{"prompt": "/pawl:nothing"})
	var got []string
	for _, args := range w.ran {
		got = append(got, strings.Join(args, " "))
	}
	want := []string{
		"config set continuation off --scope session --session s1",
		"todo add 2 Write tests --session s1",
		"config explain panel --session s1",
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("ran %q, want %q", got, want)
	}
	if !strings.Contains(answer, `"decision":"block"`) || !strings.Contains(answer, "continuation: off in this session") {
		t.Errorf("the answer is %s", answer)
	}
	if !strings.Contains(unknown, "/pawl:todo") {
		t.Errorf("to an unknown command the answer is %s", unknown)
	}
}

// What a command says in a chat leads on in the chat.
func TestChatText(t *testing.T) {
	got := chatText("pawl: session s1 has no todos: pawl todo add TEXT --session s1 puts one there\npawl: hint: pawl todo resume --session s1\n", "s1")
	want := "session s1 has no todos: /pawl:todo add TEXT puts one there\nhint: /pawl:resume"
	if got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// Whatever goes wrong, there is no answer and a line in the log.
func TestFailsOpen(t *testing.T) {
	for name, play := range map[string]func(w *world) string{
		"not JSON":      func(w *world) string { return w.send(`{"session_id": `, "--agent", "claude") },
		"unknown agent": func(w *world) string { return w.send(`{}`, "--agent", "nobody") },
		"no agent":      func(w *world) string { return w.send(`{}`) },
		"panic": func(w *world) string {
			var out bytes.Buffer
			env := w.env(strings.NewReader(`{"session_id": "s1", "hook_event_name": "Stop"}`), &out, "--agent", "claude")
			env.Todos = func(string) (*todo.Service, error) { panic("on purpose") }
			Run(w.t.Context(), env)
			return out.String()
		},
		"folder is a file": func(w *world) string {
			must.Do(w.t, os.MkdirAll(w.state(), 0o700))
			must.Do(w.t, os.WriteFile(filepath.Join(w.state(), "hooks"), nil, 0o600))
			return w.claude("Stop", nil)
		},
		"too long": func(w *world) string {
			return w.send(`{"session_id": "s1", "x": "`+strings.Repeat("x", MaxPayload)+`"}`, "--agent", "claude")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if answer := play(w); answer != "" {
				t.Errorf("the answer is %s", answer)
			}
			if w.log() == "" {
				t.Error("nothing is in the log")
			}
		})
	}
	t.Run("nothing said", func(t *testing.T) {
		w := newWorld(t)
		for _, payload := range []string{`{}`, `{"hook_event_name": "FileChanged", "session_id": "s1"}`, `{"hook_event_name": "Stop"}`, `{"hook_event_name": "NeverHeardOf", "session_id": "s1", "future": [1]}`} {
			if answer := w.send(payload, "--agent", "claude"); answer != "" {
				t.Errorf("%s is answered with %s", payload, answer)
			}
		}
		if log := w.log(); log != "" {
			t.Error(log)
		}
	})
}

// An agent never waits longer than the deadline: here for a program that keeps
// its end of the pipe open.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		stdin, writer := io.Pipe()
		var out bytes.Buffer
		began := time.Now()
		env := w.env(stdin, &out, "--agent", "claude")
		env.Wait = 0
		Run(t.Context(), env)
		if waited := time.Since(began); waited != Deadline {
			t.Errorf("it took %s", waited)
		}
		if out.Len() != 0 || !strings.Contains(w.log(), "deadline") {
			t.Errorf("answer %q, log %q", out.String(), w.log())
		}
		writer.Close()
		synctest.Wait() // what was too late ends here, and is not heard
	})
}

// A memory that was torn is the one before, and it does not grow.
func TestNotebook(t *testing.T) {
	state, key := t.TempDir(), todo.Key{Session: "s1"}
	open := func() (*notebook, memory) {
		t.Helper()
		book, m, err := openNotebook(t.Context(), state, key)
		must.Do(t, err)
		return book, m
	}
	write := func(m memory) {
		t.Helper()
		book, _ := open()
		defer book.close()
		must.Do(t, book.write(m))
	}
	write(memory{Maker: "first"})
	for _, torn := range []string{`{"maker": "sec`, "\x00\x00\x00", "\n\n", "{}garbage\n"} {
		file, err := os.OpenFile(notebookPath(state, key), os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = file.WriteString(torn)
			file.Close()
		}
		must.Do(t, err)
		book, m := open()
		book.close()
		if m.Maker != "first" {
			t.Errorf("after %q the memory is %+v", torn, m)
		}
		write(memory{Maker: "first", Shown: torn})
		book, m = open()
		book.close()
		if m.Shown != torn {
			t.Errorf("what was written after %q is not read", torn)
		}
	}
	for range 2_000 {
		m := memory{Maker: "first", Project: strings.Repeat("x", 50)}
		book, was := open()
		book.close()
		if was.Project == m.Project {
			m.Project = m.Project[1:]
		}
		write(m)
	}
	info, err := os.Stat(notebookPath(state, key))
	if err != nil || info.Size() > maxMemory+maxLine {
		t.Errorf("the notebook has %d bytes, %v", info.Size(), err)
	}
}

// After a compaction the agent is told of the tasks that it made.
func TestMade(t *testing.T) {
	w := newWorld(t)
	w.call("mcp__pawl__task_create", obj{}, []obj{{"type": "text", "text": "Created setup: #1 Set up (ready)\nCreated #2 Write: #7 tests (blocked by #1)\n\nNote: Created #9"}})
	w.call("mcp__pawl__TaskCreate", obj{}, "Task #3 created successfully: Document")
	w.call("mcp__pawl__TaskCreate", obj{}, "Task #4 was not created")
	w.call("mcp__pawl__task_get", obj{}, "Created #5 by ada")
	if m := w.memory(); !slices.Equal(m.Made, []pawl.ID{1, 2, 3}) {
		t.Errorf("it made %v", m.Made)
	}
}

// What an agent held and finished long ago does not crowd out what it planned
// last, nor what it held to the end.
func TestHeldMany(t *testing.T) {
	w := newWorld(t)
	me := pawl.Actor{Name: "claude", Session: "s1"}
	for range nudge.MaxClaimed {
		w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Old"}}})
	}
	for id := range pawl.ID(nudge.MaxClaimed) {
		w.do(me, pawl.ClaimTask{ID: id + 1, Lease: pawl.Duration(time.Hour)})
		w.call("mcp__pawl__task_claim", obj{}, "")
		w.do(me, pawl.Complete{IDs: []pawl.ID{id + 1}})
	}
	w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Read the spec"}, {Subject: "Write the parser"}}})
	w.call("mcp__pawl__task_create", obj{}, "Created #21 Read the spec (ready)\nCreated #22 Write the parser (ready)")
	if m := w.memory(); len(m.Nudge.Claimed) != nudge.MaxClaimed {
		t.Fatalf("%d tasks are remembered to have been held", len(m.Nudge.Claimed))
	}
	w.claude("PreCompact", obj{"trigger": "auto"})
	got := w.claude("SessionStart", obj{"source": "compact"})
	for _, want := range []string{"Tasks that you made", "#21 Read the spec", "#22 Write the parser"} {
		if !strings.Contains(got, want) {
			t.Errorf("after a compaction the agent is not told %q:\n%s", want, got)
		}
	}
}

// What a session held when it ended is remembered before what it held earlier.
func TestHeldAtTheEnd(t *testing.T) {
	w := newWorld(t)
	me := pawl.Actor{Name: "claude", Session: "s1"}
	for id := range pawl.ID(nudge.MaxClaimed) {
		w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Old"}}})
		w.do(me, pawl.ClaimTask{ID: id + 1, Lease: pawl.Duration(time.Hour)})
		w.call("mcp__pawl__task_claim", obj{}, "")
		w.do(me, pawl.Complete{IDs: []pawl.ID{id + 1}})
	}
	w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Ship the release"}}})
	w.do(me, pawl.ClaimTask{ID: 21, Lease: pawl.Duration(time.Hour)}) // by the command, in a shell
	w.claude("SessionEnd", obj{"reason": "other"})
	if got := w.claude("SessionStart", obj{"source": "resume"}); !strings.Contains(got, "#21 Ship the release: free") {
		t.Errorf("a session that goes on is not told what it held:\n%s", got)
	}
}

// A board that cannot be read for once takes no memory of what was held there.
func TestHeldUnseen(t *testing.T) {
	w := newWorld(t)
	me := pawl.Actor{Name: "claude", Session: "s1"}
	w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Ship the release"}}})
	w.do(me, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Minute)})
	w.call("mcp__pawl__task_claim", obj{}, "")
	w.now = w.now.Add(time.Hour)
	w.shut = errors.New("the disk is away")
	w.claude("SessionStart", obj{"source": "resume"})
	w.shut = nil
	if got := w.claude("SessionStart", obj{"source": "compact"}); !strings.Contains(got, "#1 Ship the release: free") {
		t.Errorf("a session that goes on is not told what it held:\n%s", got)
	}
}

// What a subagent does to the list that it shares with the main agent counts for
// its edges too.
func TestHelperFreesEntry(t *testing.T) {
	w := newWorld(t)
	w.call("TaskCreate", obj{"subject": "Parse"}, obj{"task": obj{"id": "1"}})
	w.call("TaskCreate", obj{"subject": "Test"}, obj{"task": obj{"id": "2"}})
	w.call("TaskUpdate", obj{"taskId": "2", "addBlockedBy": []string{"1"}}, obj{"success": true})
	helper := obj{"agent_id": "a1", "agent_type": "general"}
	w.call("TaskUpdate", obj{"taskId": "1", "status": "completed"}, obj{"success": true}, helper)
	w.has("", "Parse[completed] Test[pending]")
	w.call("TaskCreate", obj{"subject": "Ship"}, obj{"task": obj{"id": "3"}}, helper)
	w.call("TaskUpdate", obj{"taskId": "3", "addBlockedBy": []string{"2"}}, obj{"success": true}, helper)
	w.call("TaskUpdate", obj{"taskId": "2", "status": "in_progress"}, obj{"success": true})
	w.has("", "Parse[completed] Test[in_progress] Ship[blocked]")
	w.claude("TaskCompleted", obj{"task_id": "2", "task_subject": "Test"})
	w.has("", "Parse[completed] Test[completed] Ship[pending]")
}

// A program that told of no start gives its agent the plan with the first prompt, once.
func TestPromptWithoutStart(t *testing.T) {
	w := newWorld(t)
	w.do(pawl.Actor{Name: "ada"}, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Ship the release"}}})
	prompt := func(text string) string {
		w.now = w.now.Add(time.Minute)
		return w.send(string(agent.JSON(obj{"session_id": "s1", "hook_event_name": "BeforeAgent", "cwd": w.dir, "prompt": text})), "--agent", "gemini")
	}
	if answer := prompt("/pawl:todo"); strings.Contains(answer, "Ship the release") {
		t.Errorf("a command for Pawl: %s", answer)
	}
	if answer := prompt("What is there?"); !strings.Contains(answer, "Ready to be claimed") || !strings.Contains(answer, "Ship the release") {
		t.Errorf("the first prompt: %s", answer)
	}
	if answer := prompt("And now?"); answer != "" {
		t.Errorf("the second prompt: %s", answer)
	}
}

// While a goal of the person's keeps the agent going, nothing else does; once it is met or
// cleared, continuation does again.
func TestGoal(t *testing.T) {
	w := newWorld(t)
	w.keepsList()
	stop := func() string { return w.claude("Stop", obj{"last_assistant_message": "Done for now."}) }
	w.claude("UserPromptSubmit", obj{"prompt": "/goal all files exist", "transcript_path": filepath.Join(w.dir, "not-yet.jsonl")})
	if answer := stop(); answer != "" {
		t.Errorf("with a goal: %s", answer)
	}
	w.claude("UserPromptSubmit", obj{"prompt": "/goal clear", "transcript_path": filepath.Join(w.dir, "not-yet.jsonl")})
	if answer := stop(); !strings.Contains(answer, "Continue working on this task") {
		t.Errorf("with none: %s", answer)
	}
	script := filepath.Join(t.TempDir(), "conversation.jsonl")
	for _, met := range []string{"false", "true"} {
		must.Do(t, os.WriteFile(script, []byte(`{"type":"attachment","attachment":{"type":"goal_status","met":`+met+`}}`+"\n"), 0o600))
		w.claude("UserPromptSubmit", obj{"prompt": "Go on."})
		answer := w.claude("Stop", obj{"last_assistant_message": "Done for now.", "transcript_path": script})
		if strings.Contains(answer, "Continue working on this task") != (met == "true") {
			t.Errorf("a goal that is met: %s: %q", met, answer)
		}
	}
}
