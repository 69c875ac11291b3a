package program

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/runs/client"
)

// A test's binary with this variable is a program that plays a transcript.
const envPlay = "ACP_PLAY"

func TestMain(m *testing.M) {
	if file := os.Getenv(envPlay); file != "" {
		if err := play(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
		return
	}
	os.Exit(m.Run())
}

// play is the agent of a transcript: a line is a message with its direction, or what the
// program does then. The client must say what stands there.
func play(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	in := bufio.NewReader(os.Stdin)
	ids := map[string]string{} // of the client's requests, by those of the transcript
	for line := range bytes.Lines(text) {
		message := acp.Field(bytes.TrimSpace(line), "message")
		m, _ := acp.Look(message)
		switch dir := acp.Text(acp.Field(bytes.TrimSpace(line), "dir")); dir {
		case "client→agent":
			text, err := in.ReadBytes('\n')
			said, _ := acp.Look(text)
			if err != nil || said.Method != m.Method || m.Method == "" && string(said.ID) != string(m.ID) {
				return fmt.Errorf("the client says %s for %s: %v", text, line, err)
			}
			fmt.Fprintf(os.Stderr, "%s", text)
			ids[string(m.ID)] = string(said.ID)
		case "agent→client":
			id := cmp.Or(ids[string(m.ID)], string(m.ID))
			switch {
			case m.Error != nil:
				message = fmt.Appendf(nil, `{"id":%s,"error":%s}`, id, m.Error)
			case m.Method == "":
				message = fmt.Appendf(nil, `{"id":%s,"result":%s}`, id, m.Result)
			}
			fmt.Printf("%s\n", message)
		case "dies":
			fmt.Print(`{"jsonrpc":"2.0","method":"session/update","params":{"upd`)
			os.Exit(3)
		case "babbles":
			fmt.Print("Update available\n[]\n{\"jsonrpc\":\"2.0\"}\n{}\n\xff\n" + strings.Repeat("x", acp.MaxLine+1) + "\n")
		default:
			return fmt.Errorf("what is %s", line)
		}
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

// heard is what a run told.
type heard struct {
	Seen
	code int
	did  []string
	said string // to the agent, and by it on standard error
}

// hear has the client speak with an agent that plays a transcript.
func hear(t *testing.T, o client.Order, file string, environ ...string) heard {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	out := &until{stop: func() {}}
	if len(environ) == 1 && environ[0] == stops {
		out.stop = stop
	}
	errs := must.Get(os.Create(filepath.Join(t.TempDir(), "errs")))(t)
	defer errs.Close()
	o.Program, o.Prompt = must.Get(os.Executable())(t), "Do it."
	h := heard{code: client.Run(ctx, o, client.Place{Dir: t.TempDir(), Environ: append(environ, envPlay+"="+must.Get(filepath.Abs(file))(t)), Pawl: "/bin/pawl", Out: out, Errs: errs})}
	h.did, _, h.Seen = read(t, testProgram("gemini"), out.Bytes())
	h.said = string(must.Get(os.ReadFile(errs.Name()))(t))
	return h
}

// until is an output that ends a run which uses a shell.
type until struct {
	bytes.Buffer
	stop func()
}

func (u *until) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("Shell")) {
		u.stop()
	}
	return u.Buffer.Write(line)
}

// made is a transcript of parts: those of a message, with its direction as an arrow.
func made(t *testing.T, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts {
		switch part[:2] {
		case "> ":
			fmt.Fprintf(&b, "{\"dir\":\"client→agent\",\"message\":%s}\n", part[2:])
		case "< ":
			fmt.Fprintf(&b, "{\"dir\":\"agent→client\",\"message\":%s}\n", part[2:])
		default:
			fmt.Fprintf(&b, "{\"dir\":%q}\n", part)
		}
	}
	file := filepath.Join(t.TempDir(), "made.jsonl")
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o644))
	return file
}

// opened is how a conversation begins, with what the program is able to.
func opened(able string) []string {
	return []string{`> {"id":0,"method":"initialize"}`, `< {"id":0,"result":{"protocolVersion":1,"agentCapabilities":` + able + `}}`, `> {"id":1,"method":"session/new"}`, `< {"id":1,"result":{"sessionId":"s1"}}`}
}

const (
	stops  = "STOPS=1" // the run is stopped when the agent uses a shell
	prompt = `> {"id":2,"method":"session/prompt"}`
	ends   = `< {"id":2,"result":{"stopReason":"end_turn"}}`
)

func told(text string) string {
	return `< {"method":"session/update","params":{"sessionId":"s1","update":` + text + `}}`
}

// What real programs said while they kept a list, used tools and answered.
func TestSpoken(t *testing.T) {
	const stopped = "Pawl: the agent stopped with 3 todos left, and is not asked again until something moves or you speak to it. Switch off: /pawl:continuation off"
	list := []agent.Todo{{Content: "Read the parser (pawl)", Status: "in_progress"}, {Content: "Write the tests (pawl)", Status: "pending"}, {Content: "Fix what they find (pawl)", Status: "pending"}}
	for name, want := range map[string]struct {
		text string
		used agent.Usage
		plan []agent.Todo
	}{
		"gemini":       {"I have read it.", agent.Usage{In: 4000, Out: 40}, nil},
		"qwen-todo":    {stopped, agent.Usage{In: 6000, Out: 60}, list},
		"copilot":      {"I have read it.", agent.Usage{In: 4000, Out: 40}, list},
		"opencode":     {"I have read it.", agent.Usage{In: 1000, Out: 10}, list},
		"claude-todos": {"I have read it.", agent.Usage{In: 4000, Out: 40, Money: 0.020999999999999998}, list},
	} {
		got := hear(t, client.Order{}, filepath.Join("..", "..", "acp", "testdata", name+".jsonl"))
		if got.code != 0 || got.Failed != "" || got.Refused != nil || len(got.Session) < 8 || got.Text != want.text || got.Usage != want.used || (got.Plan == nil) != (want.plan == nil) || got.Plan != nil && !slices.Equal(got.Plan.Todos, want.plan) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if name == "gemini" && !slices.Equal(got.did, []string{"Set 3 todo(s)", "todo_write (pawl MCP Server)", "I have read it."}) {
			t.Errorf("it did %q", got.did)
		}
	}
}

// A program asks for what its own bounds do not let it: it gets Pawl's tools and files in its
// folder, and with run.permissions at skip everything, once.
func TestPolicy(t *testing.T) {
	file := filepath.Join("testdata", "gemini-asks.jsonl")
	got := hear(t, client.Order{Tools: "mcp_pawl_"}, file)
	if got.code != 0 || got.Text != "All done.\nSecond line." || !slices.Equal(got.Refused, []string{"Shell git add …", "Shell git add …"}) {
		t.Errorf("%+v", got)
	}
	if n, ours := strings.Count(got.said, `"optionId":"cancel"`), strings.Count(got.said, `"optionId":"proceed_once"`); n != 2 || ours != 1 {
		t.Errorf("%d were refused, %d allowed: %s", n, ours, got.said)
	}
	if got := hear(t, client.Order{}, file); len(got.Refused) != 3 {
		t.Errorf("without the name of Pawl's tools %q", got.Refused)
	}
	got = hear(t, client.Order{Skip: true}, file)
	if n := strings.Count(got.said, `"optionId":"proceed_once"`); n != 3 || got.Refused != nil {
		t.Errorf("%d of 3 were allowed: %+v", n, got)
	}
}

// A repair goes on with the conversation before, as the program can; what that told before is
// no work of now. If the conversation is gone, a new one gets the whole prompt.
func TestResume(t *testing.T) {
	able := func(able string) []string { return opened(able)[:2] }
	again := `> {"id":1,"method":"session/resume"}`
	loads := `> {"id":1,"method":"session/load"}`
	old := told(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Earlier."}}`)
	now := told(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Now."}}`)
	fresh := []string{`> {"id":3,"method":"session/new"}`, `< {"id":3,"result":{"sessionId":"s1"}}`}
	for name, test := range map[string]struct {
		parts   []string
		session string
	}{
		"resume": {slices.Concat(able(`{"loadSession":true,"sessionCapabilities":{"resume":{}}}`), []string{again, `< {"id":1,"result":{}}`, prompt, now, ends}), "s0"},
		"load":   {slices.Concat(able(`{"loadSession":true}`), []string{loads, old, `< {"id":1,"result":null}`, old, `> {"id":4,"method":"_pawl/ready"}`, old, `< {"id":4,"error":{"code":-32601,"message":"no such method"}}`, prompt, now, ends}), "s0"},
		"not as it says": {slices.Concat(able(`{"loadSession":true,"sessionCapabilities":{"resume":{}}}`), []string{again, `< {"id":1,"error":{"code":-32601,"message":"Method not found"}}`, `> {"id":3,"method":"session/load"}`, `< {"id":3,"result":{}}`,
			`> {"id":4,"method":"_pawl/ready"}`, `< {"id":4,"result":null}`, prompt, now, ends}), "s0"},
		"neither": {slices.Concat(able(`{}`), fresh, []string{prompt, now, ends}), "s1"},
		"gone":    {slices.Concat(able(`{"loadSession":true}`), []string{loads, old, `< {"id":1,"error":{"code":-32603,"message":"Internal error"}}`}, fresh, []string{prompt, now, ends}), "s1"},
	} {
		got := hear(t, client.Order{Session: "s0", Whole: "All of it."}, made(t, test.parts...))
		if whole := strings.Contains(got.said, `"text":"All of it."`); whole != (test.session == "s1") {
			t.Errorf("%s: the prompt of a new conversation: %v", name, whole)
		}
		if got.code != 0 || got.Session != test.session || got.Text != "Now." || slices.Contains(got.did, "Earlier.") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A run that is stopped cancels the turn first, and hears what the program says to that.
func TestCancel(t *testing.T) {
	file := made(t, append(opened(`{}`), prompt, told(`{"sessionUpdate":"tool_call","toolCallId":"1","kind":"execute","title":"sleep 1000"}`),
		`> {"method":"session/cancel"}`, told(`{"sessionUpdate":"tool_call_update","toolCallId":"1","status":"failed"}`),
		told(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"I stop."}}`), `< {"id":2,"result":{"stopReason":"cancelled","usage":{"inputTokens":7,"outputTokens":1}}}`)...)
	got := hear(t, client.Order{}, file, stops)
	if got.code != 1 || got.Failed != "it was stopped" || got.Text != "I stop." || got.Usage.In != 7 || !strings.Contains(got.said, `"session/cancel","params":{"sessionId":"s1"}`) {
		t.Errorf("%+v", got)
	}
}

// What goes wrong with a program is said, and nothing of what it did until then is lost.
func TestFails(t *testing.T) {
	work := told(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Half"}}`)
	for name, test := range map[string]struct {
		parts  []string
		code   int
		failed string
	}{
		"dies":           {append(opened(`{}`), prompt, work, "dies"), 3, "its program ended before it had answered: exit status 3"},
		"refuses":        {append(opened(`{}`), prompt, work, `< {"id":2,"error":{"code":429,"message":"Internal error","data":{"details":"You have exhausted your daily quota"}}}`), 1, "Internal error: You have exhausted your daily quota"},
		"has no account": {append(opened(`{}`)[:3], work, `< {"id":1,"error":{"code":-32000,"message":"Authentication required"}}`), 1, "Authentication required"},
		"is too long":    {append(opened(`{}`), prompt, work, `< {"id":2,"result":{"stopReason":"max_turn_requests"}}`), 1, "its turn ended by max turn requests"},
		"is newer":       {[]string{opened(``)[0], `< {"id":0,"result":{"protocolVersion":2}}`}, 1, "it speaks version 2 of the Agent Client Protocol, and Pawl version 1"},
	} {
		got := hear(t, client.Order{}, made(t, test.parts...))
		if got.code != test.code || got.Failed != test.failed || got.Text != "Half" && got.Session != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := hear(t, client.Order{}, "none"); got.code != 9 || !strings.Contains(got.Failed, "ended before it had answered") {
		t.Errorf("%+v", got)
	}
}

// What the client does not know it lets pass, and what a program asks of it beside permissions
// it refuses.
func TestUnknown(t *testing.T) {
	text := func(part string) string {
		return told(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + part + `"}}`)
	}
	got := hear(t, client.Order{}, made(t, append(opened(`{}`), prompt, "babbles",
		text("One "), told(`{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}`), told(`{"sessionUpdate":"news","entries":7,"cost":"?"}`), told(`[]`),
		`< {"method":"session/update"}`, `< {"method":"_x/y","params":[]}`, `< {"id":"7","result":{}}`, text("text."),
		`< {"id":"f","method":"fs/read_text_file","params":{"path":"/etc/passwd"}}`, `> {"id":"f","error":{}}`,
		`< {"id":9,"method":"session/request_permission","params":"?"}`, `> {"id":9,"result":{}}`,
		told(`{"sessionUpdate":"plan","entries":[{"content":"a\u001b[2J","status":"pending"}]}`),
		told(`{"sessionUpdate":"tool_call","toolCallId":"1","kind":"execute","title":"x","rawInput":{"command":"curl -H 'Authorization: sk-123' https://x"}}`), ends)...))
	if got.code != 0 || got.Text != "One text." || strings.Contains(got.Plan.Todos[0].Content, "\x1b") || !strings.Contains(got.said, "-32601") || !strings.Contains(got.said, `"outcome":"cancelled"`) || !strings.Contains(got.said, "Update available") {
		t.Errorf("%+v", got)
	}
	for _, did := range got.did {
		if strings.Contains(did, "sk-123") {
			t.Errorf("%q shows what a command was given", did)
		}
	}
}

// An agent that works on a task is handed Pawl's server with what names the attempt and the
// user's folders, and nothing else of the environment.
func TestServer(t *testing.T) {
	file := made(t, append(opened(`{}`), prompt, ends)...)
	got := hear(t, client.Order{}, file, "PAWL_TASK=1", "PAWL_BOARD=/b", "XDG_STATE_HOME=/s", "API_KEY=secret")
	for _, want := range []string{`"command":"/bin/pawl","args":["mcp"]`, `{"name":"PAWL_BOARD","value":"/b"}`, `{"name":"XDG_STATE_HOME","value":"/s"}`} {
		if !strings.Contains(got.said, want) {
			t.Errorf("no %s: %s", want, got.said)
		}
	}
	if strings.Contains(got.said, "secret") {
		t.Errorf("%s", got.said)
	}
	if got := hear(t, client.Order{}, file); !strings.Contains(got.said, `"mcpServers":[]`) {
		t.Errorf("without a task: %s", got.said)
	}
}
