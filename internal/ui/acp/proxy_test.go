package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	msg "github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// A rig is a proxy between an editor and an agent that a test plays, in a bubble.
type rig struct {
	t             *testing.T
	editor, agent io.WriteCloser // what they say
	atEditor      *heard
	atAgent       *heard
	todos         *todo.Service
	notes         attribution.Notes
	done          chan error

	mu     sync.Mutex
	events []agent.Event
	tells  map[nudge.Kind]string
	hooked bool
	tasks  atomic.Pointer[[]pawl.Task]
}

// heard is what came over a stream.
type heard struct {
	mu    sync.Mutex
	bytes bytes.Buffer
	ended bool
	stop  chan struct{} // nothing more is read until it is closed; nil: all is
}

func (h *heard) listen(in io.Reader) {
	r := bufio.NewReader(in)
	for {
		if h.stop != nil {
			<-h.stop
		}
		line, err := r.ReadBytes('\n')
		h.mu.Lock()
		h.bytes.Write(line)
		h.ended = err != nil
		h.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// take returns what came since the last time.
func (h *heard) take() string {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	text := h.bytes.String()
	h.bytes.Reset()
	return text
}

func newRig(t *testing.T) *rig {
	fromEditor, editor := io.Pipe()
	fromAgent, agentSays := io.Pipe()
	hearsEditor, toEditor := io.Pipe()
	hearsAgent, toAgent := io.Pipe()
	r := &rig{
		t: t, editor: editor, agent: agentSays, atEditor: &heard{}, atAgent: &heard{}, done: make(chan error, 1),
		todos: todo.New(todomem.New(), time.Now), notes: attribution.Notes{Dir: t.TempDir()}, tells: map[nudge.Kind]string{},
	}
	r.tasks.Store(&[]pawl.Task{})
	go r.atEditor.listen(hearsEditor)
	go r.atAgent.listen(hearsAgent)
	go func() {
		err := Run(t.Context(), Options{
			FromEditor: fromEditor, ToEditor: toEditor, FromAgent: fromAgent, ToAgent: toAgent,
			Server: []string{"/opt/pawl"}, Ticket: "program", Since: time.Now(), Wait: time.Minute,
			Todos: r.todos, Notes: r.notes, Event: r.event,
			Claimed: func(context.Context, string, string) ([]pawl.Task, error) { return *r.tasks.Load(), nil },
		})
		toEditor.Close()
		r.done <- err
	}()
	return r
}

// event keeps lists as hooks do.
func (r *rig) event(ctx context.Context, program string, e agent.Event) (agent.Answer, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hooked {
		return agent.Answer{}, true
	}
	r.events = append(r.events, e)
	if e.Todos != nil {
		if draft, err := todo.Salvage(e.Todos, false); err == nil {
			_, err = r.todos.Write(ctx, todo.Key{Session: e.Session}, draft, todo.Writing{})
			if err != nil {
				r.t.Errorf("%s: %v", e.Todos, err)
			}
		}
	}
	return agent.Answer{Context: r.tells[e.Kind]}, false
}

// kinds are the events so far.
func (r *rig) kinds() (kinds []string) {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		kind := string(e.Kind)
		if e.Todos != nil {
			kind = "todos"
		}
		kinds = append(kinds, strings.Trim(kind+" "+e.Tool, " "))
	}
	r.events = nil
	return kinds
}

func (r *rig) end() {
	r.t.Helper()
	r.agent.Close()
	if err := <-r.done; err != nil {
		r.t.Error(err)
	}
	r.editor.Close()
	synctest.Wait()
}

// says writes lines, and returns what the other side gets.
func (r *rig) says(w io.Writer, lines ...string) string {
	r.t.Helper()
	if _, err := io.WriteString(w, strings.Join(lines, "\n")+"\n"); err != nil {
		r.t.Fatal(err)
	}
	if w == r.editor {
		return r.atAgent.take()
	}
	return r.atEditor.take()
}

// begins opens session s with an agent of a version, and forgets what was said.
func (r *rig) begins(version int) {
	r.t.Helper()
	r.says(r.editor, fmt.Sprintf(`{"id":0,"method":"initialize","params":{"protocolVersion":%d}}`, version), `{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":[]}}`)
	r.says(r.agent, fmt.Sprintf(`{"id":0,"result":{"protocolVersion":%d,"agentCapabilities":{"promptCapabilities":{"embeddedContext":true}},"agentInfo":{"name":"an-agent","version":"1"}}}`, version), `{"id":1,"result":{"sessionId":"s"}}`)
	r.kinds()
}

func (r *rig) sleep(d time.Duration) { time.Sleep(d) }

func in(t *testing.T, play func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		play(t, r)
		r.end()
	})
}

func update(kind string, rest string) string {
	return `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"` + kind + `"` + rest + `}}}`
}

func prompt(text string) string {
	return fmt.Sprintf(`{"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":%q}]}}`, text)
}

// shown is the last plan that the editor got: "x Parse, > Test, Ship".
func shown(t *testing.T, text string) string {
	t.Helper()
	last := "nothing"
	for line := range strings.Lines(text) {
		m, _ := msg.Look([]byte(line))
		var u struct {
			Update struct {
				Kind    string `json:"sessionUpdate"`
				Entries []msg.Entry
				Plan    msg.Plan
			}
		}
		if m.Method != msg.MethodUpdate || json.Unmarshal(m.Params, &u) != nil || !strings.HasPrefix(u.Update.Kind, "plan") {
			continue
		}
		entries := append(u.Update.Entries, u.Update.Plan.Entries...)
		var words []string
		for _, e := range entries {
			words = append(words, map[string]string{"completed": "x ", "in_progress": "> "}[e.Status]+e.Content)
		}
		last = strings.TrimSpace(u.Update.Plan.PlanID + " " + strings.Join(words, ", "))
	}
	return last
}

// What is none of Pawl's business passes byte for byte, both ways, in sessions and out of
// them.
func TestPassesOn(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		rnd := rand.New(rand.NewPCG(1, 2))
		lines := []string{
			"", "{", "null", "[]", `[{"id":7,"method":"session/prompt"}]`, "\xff\xfe", `{"id":9,"result":null}`, `{"id":null,"method":"session/close"}`, `{"id":{},"method":"x","params":[1]}`,
			`{"id":3,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}`, `{ "method" : "session/update" }`, `{"method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"plan","entries":[]}}}`,
			update("agent_message_chunk", `,"content":{"type":"text","text":"\ud800 \u0000"}`), update("plan", `,"entries":7`), update("plan", `,"entries":[{"content":1}]`), update("tool_call", `,"toolCallId":7,"title":null`),
			update("plan_update", `,"plan":{"type":"markdown","planId":"m","content":"# A"}`), update("available_commands_update", `,"availableCommands":{}`), `{"id":4,"method":"session/new","params":{"cwd":"/p"}}`, `{"id":5,"method":"session/load","params":7}`,
			`{"id":6,"method":"session/prompt","params":{"sessionId":"s","prompt":"text"}}`, strings.Repeat("[", 100_000), `{"method":"` + strings.Repeat("x", 5<<20) + `"}`,
		}
		for range 200 {
			line := []byte(lines[rnd.IntN(17)])
			if len(line) > 0 {
				line[rnd.IntN(len(line))] = byte(' ' + rnd.IntN(200))
			}
			lines = append(lines, string(line))
		}
		for _, w := range []io.Writer{r.agent, r.editor} {
			for _, line := range lines {
				if got := r.says(w, line); got != line+"\n" {
					t.Errorf("%.200q became %.200q", line, got)
				}
			}
		}
	})
}

// The server is handed in where there is room for it, with a ticket that leads to the
// session once the agent has named it.
func TestHandsIn(t *testing.T) {
	const server = `{"name":"pawl","command":"/opt/pawl","args":["mcp","--project","/p"],"env":[{"name":"PAWL_ACP","value":"T"}]}`
	for line, want := range map[string]string{
		`{"id":"a","method":"session/new","params":{"cwd":"/p","mcpServers":[]}}`:                                                                   `{"id":"a","method":"session/new","params":{"cwd":"/p","mcpServers":[` + server + `]}}`,
		`{"params":{ "mcpServers" : [ {"name":"x"} ],"cwd":"/p"},"method":"session/new","id":1.5}`:                                                  `{"params":{ "mcpServers" : [` + server + `, {"name":"x"} ],"cwd":"/p"},"method":"session/new","id":1.5}`,
		`{"id":null,"method":"session/load","params":{"sessionId":"s","cwd":"/p","mcpServers":[]}}`:                                                 `{"id":null,"method":"session/load","params":{"sessionId":"s","cwd":"/p","mcpServers":[` + server + `]}}`,
		`{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":[{"name":"pawl","command":"/x","args":[],"env":[]}]}}`:                    `{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":[{"name":"pawl","command":"/x","args":[],"env":[{"name":"PAWL_ACP","value":"T"}]}]}}`,
		`{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":[{"name":"mine","command":"/x/pawl.exe","args":["mcp"],"env":[{}]}]}}`:    `{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":[{"name":"mine","command":"/x/pawl.exe","args":["mcp"],"env":[{"name":"PAWL_ACP","value":"T"},{}]}]}}`,
		`{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":[{"type":"http","name":"pawl","url":"http://127.0.0.1/","headers":[]}]}}`: `{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":[{"type":"http","name":"pawl","url":"http://127.0.0.1/","headers":[]}]}}`,
		`{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":null}}`:                                                                   `{"id":1,"method":"session/new","params":{"cwd":"/p","mcpServers":null}}`,
	} {
		in(t, func(t *testing.T, r *rig) {
			got := r.says(r.editor, line)
			_, ticket, _ := strings.Cut(got, `"PAWL_ACP","value":"`)
			ticket, _, _ = strings.Cut(ticket, `"`)
			if ticket != "" {
				got = strings.Replace(got, ticket, "T", 1)
			}
			if got != want+"\n" {
				t.Errorf("%s became\n%swant\n%s", line, got, want)
			}
			id, _ := msg.Look([]byte(line))
			r.says(r.agent, `{"result":{"sessionId":"s"},"id":`+string(id.ID)+`}`)
			if is := r.notes.Handed(ticket); ticket != "" && is != "s" || r.notes.Handed("program") != "s" {
				t.Errorf("%s: the ticket leads to %q, that of the program to %q", line, is, r.notes.Handed("program"))
			}
			r.says(r.editor, `{"id":"b","method":"session/new","params":{"cwd":"/p","mcpServers":[]}}`)
			r.says(r.agent, `{"id":"b","result":{"sessionId":"other"}}`)
			if is := r.notes.Handed("program"); is != "" {
				t.Errorf("of two sessions the program's ticket leads to %q", is)
			}
		})
	}
}

// An agent's plan becomes the session's list, and the list is what the editor shows: also
// what a person changes meanwhile, within a second.
func TestPlan(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.says(r.editor, prompt("Go"))
		if got := r.says(r.agent, update("plan", `,"entries":[]`)); got != update("plan", `,"entries":[]`)+"\n" {
			t.Errorf("an empty plan without a list became %s", got)
		}
		got := r.says(r.agent, update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"in_progress","_meta":{"x":1}},{"content":"Test`+"\xff"+`","priority":"low","status":"pending"}]`))
		if is := shown(t, got); is != "> Parse, Test\ufffd" || strings.Count(got, "\n") != 1 {
			t.Errorf("shown is %q: %s", is, got)
		}
		if _, err := r.todos.Edit(t.Context(), todo.Key{Session: "s"}, todo.Editing{By: "A person"}, todo.Add{Content: "Ship"}); err != nil {
			t.Fatal(err)
		}
		r.sleep(time.Second)
		if is := shown(t, r.atEditor.take()); is != "> Parse, Test\ufffd, Ship" {
			t.Errorf("after a person's change shown is %q", is)
		}
		r.tasks.Store(&[]pawl.Task{{ID: 7, Subject: "Deploy"}})
		r.sleep(time.Second)
		if got := r.atEditor.take(); got != "" {
			t.Errorf("beside todos a task is shown: %s", got)
		}
		got = r.says(r.agent, update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"completed"}]`))
		if is := shown(t, got); is != "x Parse, > #7 Deploy" {
			t.Errorf("a plan that is done is %q", is)
		}
		if got := r.says(r.agent, update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"completed"}]`)); got != "" {
			t.Errorf("the same plan again: %s", got)
		}
		if got := r.kinds(); !slices.Equal(got, []string{"start", "prompt", "todos", "todos", "todos"}) {
			t.Errorf("events %q", got)
		}
		r.hooked = true
		if got := r.says(r.agent, update("plan", `,"entries":[{"content":"Other","priority":"high","status":"pending"}]`)); got != "" {
			t.Errorf("hooks keep the list, and the editor gets %s", got)
		}
	})
}

// Claimed tasks are the plan of a session without todos, and a plan of their own where there
// may be several. Another plan of the agent stays.
func TestTasksClaimed(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.tasks.Store(&[]pawl.Task{{ID: 7, Subject: "Deploy"}})
		r.says(r.editor, prompt("Go"))
		r.sleep(time.Second)
		if is := shown(t, r.atEditor.take()); is != "> #7 Deploy" {
			t.Errorf("shown is %q", is)
		}
		r.tasks.Store(&[]pawl.Task{})
		r.sleep(time.Second)
		if is := shown(t, r.atEditor.take()); is != "" {
			t.Errorf("after it shown is %q", is)
		}
	})
	in(t, func(t *testing.T, r *rig) {
		r.begins(2)
		r.tasks.Store(&[]pawl.Task{{ID: 7, Subject: "Deploy"}})
		r.says(r.editor, prompt("Go"))
		plan := func(id string) string {
			return update("plan_update", `,"plan":{"type":"items","planId":"`+id+`","entries":[{"content":"Parse","priority":"high","status":"pending"}]}`)
		}
		got := r.atEditor.take() + r.says(r.agent, plan("mine"))
		if !strings.Contains(got, `"planId":"todos","entries":[{"content":"Parse"`) || !strings.Contains(got, `"planId":"tasks claimed","entries":[{"content":"#7 Deploy"`) || strings.Contains(got, "mine") {
			t.Errorf("shown is %s", got)
		}
		if got := r.says(r.agent, plan("second")); got != plan("second")+"\n" {
			t.Errorf("another plan became %s", got)
		}
		r.says(r.agent, `{"id":2,"result":{}}`)
		got = r.says(r.agent, update("state_update", `,"state":"idle","stopReason":"end_turn"`))
		if !strings.Contains(got, continueCommand) {
			t.Errorf("after a turn: %s", got)
		}
	})
}

// What the agent should know stands before its first prompt, and before no command.
func TestBeforeThePrompt(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.tells[nudge.Start], r.tells[nudge.Prompt] = "Recovered", "News"
		if got := r.says(r.editor, prompt("/compact now")); got != prompt("/compact now")+"\n" {
			t.Errorf("before a command: %s", got)
		}
		want := strings.Replace(prompt("Go"), `[`, `[{"type":"resource","resource":{"uri":"pawl://plan","mimeType":"text/plain","text":"Recovered\n\nNews"}},`, 1)
		if got := r.says(r.editor, prompt("Go")); got != want+"\n" {
			t.Errorf("before the first prompt: %s", got)
		}
		if got := r.says(r.editor, prompt("On")); strings.Contains(got, "Recovered") || !strings.Contains(got, `"text":"News"`) {
			t.Errorf("before the second one: %s", got)
		}
		r.tells = nil
		image := `{"id":5,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"image","data":"aaaa"}]}}`
		if got := r.says(r.editor, image); got != image+"\n" {
			t.Errorf("with nothing to say: %s", got)
		}
		if got := r.kinds(); !slices.Equal(got, []string{"compaction", "start", "prompt", "prompt", "prompt"}) {
			t.Errorf("events %q", got)
		}
	})
	in(t, func(t *testing.T, r *rig) { // of an agent that takes no resources
		r.says(r.editor, `{"id":1,"method":"session/resume","params":{"sessionId":"s","cwd":"/p","mcpServers":[]}}`)
		r.says(r.agent, `{"id":1,"result":{}}`)
		r.tells[nudge.Start] = "Recovered"
		if got := r.says(r.editor, prompt("Go")); !strings.Contains(got, `"prompt":[{"type":"text","text":"Recovered"},{"type":"text","text":"Go"}]`) {
			t.Errorf("before the first prompt: %s", got)
		}
		if s := r.events[0].Source; s != nudge.Resume {
			t.Errorf("it began by %q", s)
		}
	})
}

// The history that session/load replays is no new work.
func TestLoad(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.says(r.editor, `{"id":1,"method":"session/load","params":{"sessionId":"s","cwd":"/p","mcpServers":[]}}`)
		old := update("plan", `,"entries":[{"content":"Old","priority":"high","status":"pending"}]`)
		if got := r.says(r.agent, old); got != old+"\n" {
			t.Errorf("history became %s", got)
		}
		r.says(r.agent, update("tool_call", `,"toolCallId":"1","title":"Read","status":"completed"`))
		draft, err := todo.Decode([]byte(`[{"content":"New"}]`), false)
		if err == nil {
			_, err = r.todos.Write(t.Context(), todo.Key{Session: "s"}, draft, todo.Writing{})
		}
		if err != nil {
			t.Fatal(err)
		}
		got := r.says(r.agent, `{"id":1,"result":{}}`)
		if is := shown(t, got); is != "New" || !strings.HasPrefix(got, `{"id":1,`) {
			t.Errorf("after it shown is %q: %s", is, got)
		}
		if got := r.kinds(); got != nil {
			t.Errorf("events %q", got)
		}
	})
}

// Calls are told of, with their names as each agent has them.
func TestCalls(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.says(r.editor, prompt("Go"))
		for _, call := range []string{
			`,"toolCallId":"1","title":"Edit a.go","status":"pending","rawInput":{}`,
			`,"toolCallId":"2","title":"Tool: pawl/todo_write","rawInput":{"server":"pawl","tool":"todo_write","arguments":{}}`,
			`,"toolCallId":"3","title":"todo_write (pawl MCP Server)"`,
			`,"toolCallId":"4","title":"T","_meta":{"toolName":"mcp__pawl__todo_write"}`,
			`,"toolCallId":"5","title":"T","_meta":{"any":{"toolName":"Bash"}}`,
			`,"toolCallId":"6","title":"T","name":"Grep"`, `,"toolCallId":"7","title":"Once","status":"completed"`,
		} {
			r.says(r.agent, update("tool_call", call))
		}
		r.says(r.agent, update("tool_call_update", `,"toolCallId":"1","title":"3 lines","status":"in_progress","rawInput":{"path":"a.go"}`), update("tool_call_update", `,"toolCallId":"1","status":"failed"`), update("tool_call_update", `,"toolCallId":"1","status":"failed"`))
		synctest.Wait()
		last := r.events[len(r.events)-1]
		if string(last.Input) != `{"path":"a.go"}` || !last.Call.Failed || last.ToolUse != "1" {
			t.Errorf("the end of the call is %+v", last)
		}
		want := []string{"start", "prompt", "call_begins Edit a.go", "call_begins Tool: pawl/todo_write", "call_begins todo_write", "call_begins mcp__pawl__todo_write", "call_begins Bash", "call_begins Grep", "call_begins Once", "call_ends Once", "call_ends Edit a.go"}
		if got := r.kinds(); !slices.Equal(got, want) {
			t.Errorf("events %q", got)
		}
	})
}

// A turn that leaves todos open makes the editor offer to go on, beside the agent's
// commands; nothing is sent by itself.
func TestContinue(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.says(r.agent, update(msg.UpdateCommands, `,"availableCommands":[{"name":"init"}]`))
		r.says(r.editor, prompt("Go"))
		r.says(r.agent, update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"pending"}]`))
		got := r.says(r.agent, `{"id":2,"result":{"stopReason":"end_turn"}}`)
		if !strings.HasPrefix(got, `{"id":2,`) || !strings.Contains(got, `"availableCommands":[{"description":"Go on with the open todos (Pawl)","name":"pawl-continue"},{"name":"init"}]`) {
			t.Errorf("after the turn: %s", got)
		}
		if got := r.says(r.agent, update(msg.UpdateCommands, `,"availableCommands":[]`)); !strings.Contains(got, `[{"description"`) {
			t.Errorf("new commands: %s", got)
		}
		got = r.says(r.editor, prompt("/pawl-continue fast"))
		if !strings.Contains(got, `"prompt":[{"type":"text","text":"Go on with what is open in your todo list:`) || !strings.Contains(got, "Parse") || !strings.Contains(got, "fast") {
			t.Errorf("the prompt is %s", got)
		}
		r.says(r.agent, update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"completed"}]`))
		got = r.says(r.agent, `{"id":2,"result":{"stopReason":"end_turn"}}`)
		if !strings.Contains(got, `"availableCommands":[]`) {
			t.Errorf("after all is done: %s", got)
		}
		r.says(r.editor, prompt("Go"))
		r.says(r.agent, update("plan", `,"entries":[{"content":"More","priority":"high","status":"pending"}]`))
		if got := r.says(r.agent, `{"id":2,"result":{"stopReason":"cancelled"}}`); strings.Contains(got, continueCommand) {
			t.Errorf("after a cancelled turn: %s", got)
		}
	})
}

// What nobody sends who is well: it passes, and what came before stays.
func TestHostile(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.says(r.editor, prompt("Go"))
		var entries []string
		for i := range 5000 {
			entries = append(entries, fmt.Sprintf(`{"content":"Entry %d","priority":"low","status":"pending"}`, i))
		}
		long := update("plan", `,"entries":[`+strings.Join(entries, ",")+`]`)
		if got := r.says(r.agent, long); got != long+"\n" {
			t.Errorf("a plan of 5000 entries became one of %d bytes", len(got))
		}
		r.sleep(time.Minute)
		if got := r.atEditor.take(); got != "" {
			t.Errorf("it is followed by %s", got)
		}
		if _, err := io.WriteString(r.agent, `{"id":2,"res`); err != nil {
			t.Fatal(err)
		}
		r.sleep(time.Hour)
		if got := r.atEditor.take(); got != "" {
			t.Errorf("half a line becomes %s", got)
		}
		if got := r.says(r.agent, `ult":{"stopReason":"end_turn"}}`); got != `{"id":2,"result":{"stopReason":"end_turn"}}`+"\n" {
			t.Errorf("its other half: %s", got)
		}
		for i := range 2 * maxSessions {
			r.says(r.editor, fmt.Sprintf(`{"id":"n%d","method":"session/new","params":{"cwd":"/p","mcpServers":[]}}`, i))
			answer := fmt.Sprintf(`{"id":"n%d","result":{"sessionId":"n%d"}}`, i, i)
			if got := r.says(r.agent, answer); got != answer+"\n" {
				t.Errorf("session %d: %s", i, got)
			}
		}
		last := strings.Replace(update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"pending"}]`), `"s"`, fmt.Sprintf(`"n%d"`, 2*maxSessions-1), 1)
		if got := r.says(r.agent, last); shown(t, got) != "Parse" || got == last+"\n" {
			t.Errorf("the plan of the last session: %s", got)
		}
		r.says(r.editor, `{"id":"bad","method":"session/new","params":{"cwd":"/p","mcpServers":[]}}`)
		r.says(r.agent, `{"id":"bad","result":{"sessionId":" \u0000"}}`)
	})
}

// An editor that does not read makes the agent wait, and nothing but a few lines is kept.
// The agent still hears the editor.
func TestEditorNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.begins(1)
		r.atEditor.stop = make(chan struct{})
		r.says(r.editor, prompt("Go"))
		said := make(chan int, 1)
		go func() {
			n := 0
			for line := update("agent_message_chunk", `,"content":{}`) + "\n"; n < 1_000_000; n += len(line) {
				if _, err := io.WriteString(r.agent, line); err != nil {
					break
				}
			}
			said <- n
		}()
		r.sleep(time.Hour)
		select {
		case n := <-said:
			t.Errorf("%d bytes were taken", n)
		default:
		}
		if got := r.says(r.editor, `{"method":"session/cancel","params":{"sessionId":"s"}}`, prompt("More")); !strings.Contains(got, "cancel") || !strings.Contains(got, "More") {
			t.Errorf("the agent hears %q", got)
		}
		close(r.atEditor.stop)
		if n := <-said; n < 1_000_000 {
			t.Errorf("%d bytes were taken", n)
		}
		r.end()
	})
}

// The end of either is passed on, and sessions end with the agent.
func TestEnds(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.says(r.editor, prompt("Go"))
		io.WriteString(r.editor, `{"half`)
		r.editor.Close()
		if got := r.atAgent.take(); got != `{"half` || !r.atAgent.ended {
			t.Errorf("the agent got %q, its input ended: %v", got, r.atAgent.ended)
		}
		io.WriteString(r.agent, `{"last`)
		r.agent.Close()
		if got := r.atEditor.take(); got != `{"last` || !r.atEditor.ended {
			t.Errorf("the editor got %q, its input ended: %v", got, r.atEditor.ended)
		}
		if got := r.kinds(); !slices.Equal(got, []string{"start", "prompt", "end"}) || r.notes.Handed("program") != "" {
			t.Errorf("events %q", got)
		}
	})
}

// Recorded conversations: the editor gets what it got, but for plans, and the list is the
// last plan.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("../../acp/testdata/*.jsonl")
	if err != nil || len(files) < 6 {
		t.Fatalf("recordings %q, %v", files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		in(t, func(t *testing.T, r *rig) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			last := "nothing"
			for line := range bytes.Lines(text) {
				message := string(msg.Field(line, "message"))
				if msg.Text(msg.Field(line, "dir")) == "client→agent" {
					r.says(r.editor, message)
					continue
				}
				got := r.says(r.agent, message)
				if is := shown(t, got); is != "nothing" {
					last = is
				}
				if !strings.Contains(message, `"plan"`) && !strings.HasPrefix(got, message) {
					t.Errorf("%s: %s became %s", name, message, got)
				}
			}
			want := "x Read the parser, > Write the tests, Fix what they find"
			if plans := slices.Contains([]string{"claude-todos", "codex", "qwen-todo"}, name); plans && last != want {
				t.Errorf("%s: shown is %q", name, last)
			}
		})
	}
}

func passes(lines int, size int) error {
	line := []byte(update("agent_message_chunk", `,"content":{"type":"text","text":"`+strings.Repeat("x", size)+`"}`) + "\n")
	fromAgent, says := io.Pipe()
	silent, editor := io.Pipe()
	defer editor.Close()
	go func() {
		for range lines {
			says.Write(line)
		}
		says.Close()
	}()
	return Run(context.Background(), Options{FromEditor: silent, ToEditor: io.Discard, FromAgent: fromAgent, ToAgent: editor, Wait: time.Minute, Todos: todo.New(todomem.New(), time.Now)})
}

// Memory does not grow with what passes: 10,000 messages of a megabyte with -long.
func TestFlat(t *testing.T) {
	lines := 200
	if *long.Asked {
		lines = 10_000
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := passes(lines, 1<<20); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 {
		t.Errorf("%d messages took %d MiB", lines, used>>20)
	}
}

// BenchmarkMessage is what a message of a usual size costs on its way.
func BenchmarkMessage(b *testing.B) {
	if err := passes(b.N, 200); err != nil {
		b.Fatal(err)
	}
}

// An agent that says what is no JSON, refuses to close a session, lets calls hang and tells
// the same plan again does not end its editor's conversation, and its session goes on.
func TestSessionGoesOn(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.says(r.editor, prompt("Go"))
		r.says(r.agent, update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"pending"}]`))
		r.says(r.agent, update("available_commands_update", `,"availableCommands":[{"name":x}]`))
		r.says(r.agent, `{"id":2,"result":{"stopReason":"end_turn"}}`)
		r.says(r.editor, `{"id":3,"method":"session/close","params":{"sessionId":"s"}}`)
		r.says(r.agent, `{"id":3,"error":{"code":-32601,"message":"no such method"}}`)
		r.says(r.editor, `{"id":4,"method":"session/load","params":{"sessionId":"s","cwd":"/p","mcpServers":[]}}`)
		r.says(r.agent, `{"id":4,"error":{"code":-32603,"message":"it is open"}}`)
		r.says(r.editor, prompt("Go on"))
		for n := range 2 * maxCalls {
			r.says(r.agent, update("tool_call", fmt.Sprintf(`,"toolCallId":"c%d","title":"Bash","status":"pending"`, n)))
		}
		r.says(r.agent, `{"id":2,"result":{"stopReason":"cancelled"}}`)
		r.says(r.editor, prompt("Go on"))
		r.kinds()
		r.says(r.agent, update("tool_call", `,"toolCallId":"last","title":"Bash","status":"pending"`))
		if got := r.kinds(); !slices.Equal(got, []string{"call_begins Bash"}) {
			t.Errorf("after calls that never ended: %q", got)
		}
		got := r.says(r.agent, update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"completed"},{"content":"Test","priority":"high","status":"pending"}]`))
		if is := shown(t, got); is != "x Parse, Test" {
			t.Errorf("shown is %q: %s", is, got)
		}
		moments := map[string]bool{}
		r.mu.Lock()
		for _, e := range r.events {
			moments[e.At] = true
		}
		if len(moments) != len(r.events) || moments[""] {
			t.Errorf("%d events are told as %d", len(r.events), len(moments))
		}
		r.mu.Unlock()
	})
}

// What stands behind a command, and what stands beside it, stays; a path is no command.
func TestCommands(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.begins(1)
		r.says(r.editor, prompt("Go"))
		r.says(r.agent, update("plan", `,"entries":[{"content":"Parse","priority":"high","status":"pending"}]`))
		r.says(r.agent, `{"id":2,"result":{"stopReason":"end_turn"}}`)
		r.mu.Lock()
		r.tells[nudge.Prompt] = "NEWS"
		r.mu.Unlock()
		const image = `{"type":"image","mimeType":"image/png","data":"AA"}`
		got := r.says(r.editor, `{"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[`+image+`,{"type":"text","text":"/pawl-continue\nwith care"}]}}`)
		if !strings.Contains(got, image) || !strings.Contains(got, "Go on with what is open") || !strings.Contains(got, "with care") || strings.Contains(got, "/pawl-continue") {
			t.Errorf("the command became %s", got)
		}
		for text, told := range map[string]bool{
			"/init": false, "/init " + strings.Repeat("x", 2*maxPrompt): false, "/home/ada/x.go fails": true, "Go on": true,
		} {
			if got := r.says(r.editor, prompt(text)); strings.Contains(got, "NEWS") != told {
				t.Errorf("%.40s became %.200s", text, got)
			}
		}
	})
}
