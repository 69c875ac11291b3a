package attribution_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

const process = "agent-4242.1.0a1b2c3d"

// A fixture is a state folder, and a clock that tests set.
type fixture struct {
	attribution.Notes
	now time.Time
}

func newFixture(t *testing.T) *fixture {
	d := &fixture{now: noon}
	d.Notes = attribution.Notes{Dir: t.TempDir(), Now: func() time.Time { return d.now }}
	return d
}

func (d *fixture) server(env ...string) *attribution.Resolver {
	return &attribution.Resolver{Notes: d.Notes, Process: caller.Process{ID: process}, Getenv: func(key string) string {
		for _, pair := range env {
			if name, value, _ := strings.Cut(pair, "="); name == key {
				return value
			}
		}
		return ""
	}}
}

func (d *fixture) leave(t *testing.T, session, agent, args string) {
	t.Helper()
	must.Do(t, d.Leave(attribution.Ticket{Process: process, Tool: "pawl_todo_write", Args: json.RawMessage(args), Session: session, Agent: agent}))
}

func writing(args string) attribution.Call {
	return attribution.Call{Tool: "todo_write", Args: json.RawMessage(args), Client: "opencode"}
}

// check makes a call and compares who it is, as "session/agent by way".
func check(t *testing.T, r *attribution.Resolver, call attribution.Call, want string) {
	t.Helper()
	known, err := r.Resolve(t.Context(), call)
	got := fmt.Sprintf("%s/%s by %s", known.Session, known.Agent, known.By)
	if errors.Is(err, pawl.Conflict) {
		got = "tie"
	} else if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOrder(t *testing.T) {
	d := newFixture(t)
	meta := json.RawMessage(`{"sessionId":"m","threadId":"t"}`)
	r := d.server("OPENCODE=1")
	check(t, r, writing("{}"), process+"/ by own")

	qwen := attribution.Call{Tool: "todo_write", Client: "qwen-cli-mcp-client-x"}
	r = d.server("QWEN_CODE_SESSION_ID=env")
	check(t, r, qwen, "env/ by environment")
	must.Do(t, d.Report(attribution.Report{Process: process, Session: "rep"}))
	check(t, r, qwen, "rep/ by report")
	d.leave(t, "tick", "sub", "{}")
	check(t, r, qwen, "tick/sub by ticket")
	d.leave(t, "tick", "sub", "{}")
	qwen.Meta = meta
	check(t, r, qwen, "m/t by meta")
	r.Fixed.Session = "fix"
	check(t, r, qwen, "fix/t by explicit")
	r.Fixed.Agent = "a"
	check(t, r, qwen, "fix/a by explicit")
	qwen.Meta = json.RawMessage(`{"pawl/session":"s","pawl/agent":"b"}`)
	check(t, r, qwen, "s/b by explicit")
	check(t, d.server("PAWL_SESSION=p"), writing("{}"), "p/sub by explicit")
	check(t, d.server("PAWL_SESSION=terminal-1"), writing("{}"), "agent-terminal-1/ by explicit")
	qwen.Meta = json.RawMessage(`{"pawl/session":"terminal-1"}`)
	check(t, r, qwen, "agent-terminal-1/a by explicit")
}

func TestName(t *testing.T) {
	d := newFixture(t)
	for _, test := range []struct {
		env            string
		fixed          string
		client, inMeta string
		want           string
	}{
		{"CLAUDECODE=1", "", "claude-code", "", "claude"},
		{"USER=ada", "", "codex-mcp-client", "", "codex"},
		{"USER=ada", "", "qwen-cli-mcp-client-pawl", "", "qwen"},
		{"USER=ada", "", "Visual Studio Code", "", "vscode"},
		{"USER=ada", "", "My Own Agent", "", "my-own-agent"},
		{"USER=ada", "", "old", "copilot-cli", "copilot"},
		{"USER=ada", "", "", "", "ada"},
		{"GEMINI_CLI=1", "", "", "", "gemini"},
		{"PAWL_AGENT=w1", "", "claude-code", "", "w1"},
		{"PAWL_AGENT=w1", "w2", "claude-code", "", "w2"},
	} {
		r := d.server(test.env)
		r.Fixed.Name = test.fixed
		call := attribution.Call{Tool: "task_list", Client: test.client}
		if test.inMeta != "" {
			call.Meta = json.RawMessage(`{"io.modelcontextprotocol/clientInfo":{"name":"` + test.inMeta + `"}}`)
		}
		known, err := r.Resolve(t.Context(), call)
		if err != nil || known.Name != test.want {
			t.Errorf("%+v: got %q, %v", test, known.Name, err)
		}
	}
}

// A session that an outer agent put into the environment is not that of the
// agent that started the server.
func TestEnvironmentOfAnotherAgent(t *testing.T) {
	d := newFixture(t)
	outer := []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=outer"}
	call := attribution.Call{Tool: "todo_read", Client: "gemini-cli-mcp-client"}
	check(t, d.server(append(outer, "GEMINI_CLI=1")...), call, process+"/ by own")
	call.Client = "qwen-cli-mcp-client-pawl"
	check(t, d.server(append(outer, "QWEN_CODE_SESSION_ID=inner")...), call, "inner/ by environment")
	call.Client = ""
	check(t, d.server(append(outer, "GEMINI_CLI=1")...), call, process+"/ by own")
}

func TestTicketIsTakenOnce(t *testing.T) {
	d := newFixture(t)
	r := d.server()
	d.leave(t, "s", "sub", `{"a": 1, "b": [1.0, "é"]}`)
	check(t, r, writing(`{"a": 2}`), process+"/ by own") // another call
	check(t, r, attribution.Call{Tool: "todo_read", Args: json.RawMessage(`{"a": 1, "b": [1.0, "é"]}`)}, process+"/ by own")
	check(t, r, writing(`{"b":[1,"\u00e9"],"a":1e0}`), "s/sub by ticket") // the same call, spelled otherwise
	check(t, r, writing(`{"a": 1, "b": [1.0, "é"]}`), process+"/ by own")
}

func TestTicketOfAnotherProcess(t *testing.T) {
	d := newFixture(t)
	d.leave(t, "s", "sub", "{}")
	r := d.server()
	r.Process.ID = "agent-4243.1.0a1b2c3d"
	check(t, r, writing("{}"), r.Process.ID+"/ by own")
}

func TestStaleTicket(t *testing.T) {
	d := newFixture(t)
	d.leave(t, "s", "sub", "{}")
	d.now = noon.Add(attribution.TicketLife + time.Millisecond)
	check(t, d.server(), writing("{}"), process+"/ by own")
	d.now = noon.Add(time.Hour)
	d.leave(t, "s", "sub", "{}")
	d.now = noon // the clock was set back
	check(t, d.server(), writing("{}"), process+"/ by own")
	d.leave(t, "s", "sub", "{}")
	d.now = noon.Add(attribution.TicketLife)
	check(t, d.server(), writing("{}"), "s/sub by ticket")
	if left := tickets(t, d); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

// The user is asked whether the subagent may make the call, and takes their time.
func TestNumberedTicketWaitsForPermission(t *testing.T) {
	d := newFixture(t)
	must.Do(t, d.Leave(attribution.Ticket{Process: process, Tool: "mcp__pawl__todo_write", ToolUse: "toolu_1", Session: "s", Agent: "sub"}))
	d.leave(t, "s", "", "{}") // the main agent's, by another way
	d.now = noon.Add(attribution.NumberedLife)
	call := writing("{}")
	call.Meta = json.RawMessage(`{"claudecode/toolUseId":"toolu_2"}`)
	check(t, d.server(), call, process+"/ by own")
	call.Meta = json.RawMessage(`{"claudecode/toolUseId":"toolu_1"}`)
	check(t, d.server(), call, "s/sub by ticket")
	check(t, d.server(), call, process+"/ by own")
}

// A number is enough where the agent's process cannot be found.
func TestNumberWithoutProcess(t *testing.T) {
	d := newFixture(t)
	must.Do(t, d.Leave(attribution.Ticket{Tool: "mcp__pawl__todo_write", ToolUse: "toolu_1", Session: "s", Agent: "sub"}))
	r := d.server()
	r.Process.ID = ""
	call := writing("{}")
	call.Meta = json.RawMessage(`{"claudecode/toolUseId":"toolu_1"}`)
	check(t, r, call, "s/sub by ticket")
	known, err := r.Resolve(t.Context(), writing("{}"))
	again, _ := r.Resolve(t.Context(), writing("{}"))
	if err != nil || known.By != attribution.Own || !strings.HasPrefix(known.Session, "server-") || again != known {
		t.Errorf("got %+v, then %+v: %v", known, again, err)
	}
	if other, _ := d.server().Resolve(t.Context(), writing("{}")); other.Session == known.Session {
		t.Error("two servers have one session")
	}
}

func TestTie(t *testing.T) {
	d := newFixture(t)
	r := d.server("PAWL_AGENT=w")
	d.leave(t, "s", "", "{}")
	d.leave(t, "s", "sub", "{}")
	check(t, r, writing("{}"), "tie")
	check(t, r, writing("{}"), "tie") // the second call may be the one or the other
	d.leave(t, "s", "sub", "{}")      // and called again, alone
	check(t, r, writing("{}"), "s/sub by ticket")

	d.leave(t, "s", "", "{}")
	d.leave(t, "s", "sub", "{}")
	check(t, r, writing("{}"), "tie")
	d.leave(t, "s", "sub", "{}") // called again, while the other one has not come yet
	check(t, r, writing("{}"), "tie")
	d.now = d.now.Add(attribution.TicketLife + time.Millisecond)
	check(t, r, writing("{}"), process+"/ by own")
}

// A call that was denied left a ticket, which is in the way of the same call of
// another agent, and not for long, though that one tries again and again.
func TestTieWithACallThatNeverComes(t *testing.T) {
	d := newFixture(t)
	r := d.server()
	d.leave(t, "s", "sub", "{}")
	for range 3 {
		d.now = d.now.Add(attribution.TicketLife / 3)
		d.leave(t, "s", "", "{}")
		check(t, r, writing("{}"), "tie")
	}
	d.now = d.now.Add(attribution.TicketLife / 3)
	d.leave(t, "s", "", "{}")
	check(t, r, writing("{}"), "s/ by ticket")
}

// One agent that makes the same call twice at once is not a tie.
func TestTwoCallsOfOneAgent(t *testing.T) {
	d := newFixture(t)
	r := d.server()
	d.leave(t, "s", "sub", "{}")
	d.leave(t, "s", "sub", "{}")
	check(t, r, writing("{}"), "s/sub by ticket")
	check(t, r, writing("{}"), "s/sub by ticket")
	check(t, r, writing("{}"), process+"/ by own")
}

// A hook that is installed twice leaves one ticket.
func TestHookTwice(t *testing.T) {
	d := newFixture(t)
	for range 2 {
		must.Do(t, d.Leave(attribution.Ticket{Process: process, Tool: "mcp__pawl__todo_write", ToolUse: "toolu_1", Session: "s"}))
	}
	check(t, d.server(), writing("{}"), "s/ by ticket")
	check(t, d.server(), writing("{}"), process+"/ by own")
}

func TestTakersRace(t *testing.T) {
	d := newFixture(t)
	const n = 20
	for range n {
		d.leave(t, "s", "sub", "{}")
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	found := 0
	for range 2 * n {
		wg.Go(func() {
			known, err := d.server().Resolve(t.Context(), writing("{}"))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if known.By == attribution.Ticketed {
				found++
			}
		})
	}
	wg.Wait()
	if found != n {
		t.Errorf("%d tickets served %d calls", n, found)
	}
}

func TestReports(t *testing.T) {
	d := newFixture(t)
	r := d.server("QWEN_CODE_SESSION_ID=s1")
	qwen := attribution.Call{Tool: "todo_read", Client: "qwen-cli-mcp-client-x"}
	report := func(session string, cleared bool) {
		t.Helper()
		must.Do(t, d.Report(attribution.Report{Process: process, Session: session, Cleared: cleared}))
		d.now = d.now.Add(time.Second)
	}
	report("s1", false)
	check(t, r, qwen, "s1/ by report")
	report("s2", true) // without a word about the end of s1
	check(t, r, qwen, "s2/ by report")
	report("s3", false) // two at once: which of them calls is not known
	check(t, r, qwen, process+"/ by own")
	must.Do(t, d.End(process, "s2"))
	check(t, r, qwen, "s3/ by report")
	report("s5", false)
	report("s6", true) // in place of the first or the second?
	check(t, r, qwen, process+"/ by own")
	must.Do(t, d.End(process, "s6"))
	check(t, r, qwen, process+"/ by own")
	must.Do(t, d.End(process, "s5"))
	check(t, r, qwen, "s3/ by report")
	report("s4", true)
	must.Do(t, d.End(process, "s3")) // the hooks ran in the other order
	check(t, r, qwen, "s4/ by report")
	must.Do(t, d.End(process, "s4"))
	check(t, r, qwen, process+"/ by own") // s1 is over, whatever the environment says
	report("s1", false)                   // and comes back
	check(t, r, qwen, "s1/ by report")
	d.now = d.now.Add(attribution.ReportLife)
	check(t, r, qwen, "s1/ by environment")
}

func TestReportWritesOnce(t *testing.T) {
	d := newFixture(t)
	must.Do(t, d.Report(attribution.Report{Process: process, Session: "s"}))
	file := filepath.Join(d.Dir, "callers", "sessions", process, "s")
	before, err := os.Stat(file)
	must.Do(t, err)
	d.now = d.now.Add(time.Hour)
	must.Do(t, d.Report(attribution.Report{Process: process, Session: "s"}))
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) {
		t.Error("a report that says nothing new was written", err)
	}
}

// What cannot be named is refused, and nothing else becomes a path.
func TestNotesAreSafe(t *testing.T) {
	d := newFixture(t)
	long := strings.Repeat("x", pawl.MaxName+1)
	for _, bad := range []string{"", long, "a\nb", " a", "\xff"} {
		if err := d.Leave(attribution.Ticket{Process: process, Session: bad}); !errors.Is(err, pawl.Invalid) {
			t.Errorf("a ticket of session %q: %v", bad, err)
		}
		if err := d.Report(attribution.Report{Process: process, Session: bad}); !errors.Is(err, pawl.Invalid) {
			t.Errorf("a report of session %q: %v", bad, err)
		}
		if err := d.End(process, bad); !errors.Is(err, pawl.Invalid) {
			t.Errorf("the end of session %q: %v", bad, err)
		}
	}
	if err := d.Leave(attribution.Ticket{Session: "s"}); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a ticket that nobody can find: %v", err)
	}
	must.Do(t, d.Leave(attribution.Ticket{Process: "../../p", Tool: "../t", ToolUse: "../../u", Session: "../../s", Agent: "../a"}))
	must.Do(t, d.Report(attribution.Report{Process: "../../p", Session: "../../s"}))
	count := 0
	must.Do(t, filepath.WalkDir(d.Dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		count++
		info, err := entry.Info()
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	}))
	if count != 2 {
		t.Errorf("%d notes in the folder, want 2", count)
	}
	must.Do(t, attribution.Notes{}.Leave(attribution.Ticket{Process: process, Session: "s"})) // without a folder it keeps no notes
	must.Do(t, attribution.Notes{}.Report(attribution.Report{Process: process, Session: "s"}))
	must.Do(t, attribution.Notes{}.End(process, "s"))
}

func TestNotesAreBounded(t *testing.T) {
	d := newFixture(t)
	for i := range attribution.MaxTickets + 10 {
		d.now = d.now.Add(time.Millisecond)
		d.leave(t, "s", fmt.Sprint("sub", i), fmt.Sprintf(`{"n":%d}`, i))
	}
	if left := len(tickets(t, d)); left > attribution.MaxTickets+1 {
		t.Errorf("%d tickets wait", left)
	}
	check(t, d.server(), writing(`{"n":0}`), process+"/ by own")
	check(t, d.server(), writing(fmt.Sprintf(`{"n":%d}`, attribution.MaxTickets+9)), fmt.Sprintf("s/sub%d by ticket", attribution.MaxTickets+9))
	for i := range attribution.MaxSessions + 10 {
		d.now = d.now.Add(time.Millisecond)
		must.Do(t, d.Report(attribution.Report{Process: process, Session: fmt.Sprint("s", i)}))
	}
	if entries, err := os.ReadDir(filepath.Join(d.Dir, "callers", "sessions", process)); err != nil || len(entries) > attribution.MaxSessions+1 {
		t.Errorf("%d sessions are remembered: %v", len(entries), err)
	}
}

// Processes that have ended, and files that are nobody's, do not stay.
func TestSweep(t *testing.T) {
	d := newFixture(t)
	d.now = time.Now()
	must.Do(t, d.Report(attribution.Report{Process: process, Session: "s"})) // no process has this id
	stray := filepath.Join(d.Dir, "callers", "tickets", ".new-1")
	d.leave(t, "s", "", "{}")
	must.Do(t, os.WriteFile(stray, []byte("{"), 0o600))
	junk := filepath.Join(filepath.Dir(stray), "junk")
	must.Do(t, os.WriteFile(junk, nil, 0o600))
	d.now = d.now.Add(25 * time.Hour)
	must.Do(t, d.Report(attribution.Report{Process: "agent-1.2", Session: "s"}))
	d.leave(t, "s", "", "{}")
	if left := tickets(t, d); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
	if _, known := caller.Runs(process); known {
		if _, err := os.Stat(filepath.Join(d.Dir, "callers", "sessions", process)); !os.IsNotExist(err) {
			t.Errorf("what was reported of a process that is no more is still there: %v", err)
		}
	}
}

// Notes that are damaged are as if they were not there.
func TestDamagedNotes(t *testing.T) {
	d := newFixture(t)
	d.leave(t, "s", "sub", "{}")
	must.Do(t, d.Report(attribution.Report{Process: process, Session: "s"}))
	for _, dir := range []string{"tickets", filepath.Join("sessions", process)} {
		for _, name := range list(t, filepath.Join(d.Dir, "callers", dir)) {
			must.Do(t, os.WriteFile(filepath.Join(d.Dir, "callers", dir, name), []byte(`{"session":`), 0o600))
		}
	}
	check(t, d.server(), writing("{}"), process+"/ by own")
}

func TestMove(t *testing.T) {
	d := newFixture(t)
	r := d.server()
	var moves []string
	fail := errors.New("no")
	r.Move = func(_ context.Context, from, to pawl.Actor) error {
		moves = append(moves, from.Session+"/"+from.Agent+" to "+to.Session+"/"+to.Agent)
		return fail
	}
	check(t, r, writing("{}"), process+"/ by own")
	if len(moves) != 0 {
		t.Errorf("moved before anything was learned: %q", moves)
	}
	d.leave(t, "s", "sub", "{}")
	check(t, r, writing("{}"), "s/sub by ticket") // the move failed, and the call did not
	fail = nil
	for range 3 {
		d.leave(t, "s", "", "{}")
		check(t, r, writing("{}"), "s/ by ticket")
	}
	if want := process + "/ to s/"; len(moves) != 2 || moves[0] != want || moves[1] != want {
		t.Errorf("got %q", moves)
	}
}

func TestTool(t *testing.T) {
	for shown, want := range map[string]string{
		"mcp__pawl__todo_write":             "todo_write",
		"mcp__plugin_pawl_pawl__task_claim": "task_claim",
		"mcp_pawl_todo_write":               "todo_write",
		"pawl-todo_write":                   "todo_write",
		"pawl_todo_write":                   "todo_write",
		"pawl__todo_write":                  "todo_write",
		"my_list_task_list":                 "task_list",
		"mcp__pawl__TodoWrite":              "TodoWrite",
		"todo_read":                         "todo_read",
		"TodoWrite":                         "", // Claude Code's own
		"Bash":                              "",
		"mcp__other__search":                "",
		"_todo_write":                       "",
		"mytodo_write":                      "",
		"":                                  "",
	} {
		if name, ours := attribution.Tool(shown); ours != (want != "") || ours && name != want {
			t.Errorf("%s: got %q, %v", shown, name, ours)
		}
	}
}

// Hooks and servers know the tools by the names that are offered.
func TestToolsAreKnown(t *testing.T) {
	options := tool.Options{Board: tool.OneBoard(nil), Todos: todo.New(todomem.New(), time.Now)}
	tools := append(tool.New(options), tool.Claude(options)...)
	if len(tools) < 13 {
		t.Fatalf("there are only %d tools", len(tools))
	}
	for _, one := range tools {
		if name, ours := attribution.Tool("mcp__pawl__" + one.Name); !ours || name != one.Name {
			t.Errorf("%s: got %q, %v", one.Name, name, ours)
		}
	}
}

func tickets(t *testing.T, d *fixture) []string {
	return list(t, filepath.Join(d.Dir, "callers", "tickets"))
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.Do(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// The ticket of a proxy leads to its session once that has a name. One that a whole program
// inherits counts after what the program says itself.
func TestProxied(t *testing.T) {
	d := newFixture(t)
	one, all := attribution.NewTicket(false), attribution.NewTicket(true)
	r, inherits := d.server("PAWL_ACP="+one), d.server("PAWL_ACP="+all)
	check(t, r, writing(`{}`), process+"/ by own")
	must.Do(t, errors.Join(d.Hand(one, "s1"), d.Hand(all, "s1")))
	check(t, r, writing(`{}`), "s1/ by proxy")
	check(t, inherits, writing(`{}`), "s1/ by proxy")
	must.Do(t, d.Report(attribution.Report{Process: process, Session: "s2"}))
	check(t, r, writing(`{}`), "s1/ by proxy")
	check(t, inherits, writing(`{}`), "s2/ by report")
	d.leave(t, "s2", "helper", `{"todos":[]}`)
	check(t, r, writing(`{"todos":[]}`), "s2/helper by ticket")
	must.Do(t, d.Hand(one, ""))
	check(t, r, writing(`{}`), "s2/ by report")
}
