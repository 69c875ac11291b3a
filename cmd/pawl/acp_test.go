package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	msg "github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func init() { programs["acp-agent"] = acpAgent }

// acpAgent stands for an agent's program that an editor starts. Its session is s, and each
// prompt is what it does; it answers with what it heard.
//
//	plan JSON        its own plan
//	mcp TOOL JSON    call a tool of the server that was handed in
//	wait             until the editor says something
//	exit N           end at once
func acpAgent() {
	a := &someAgent{env: append(os.Environ(), "CLAUDECODE=1")}
	update := func(kind, rest string) {
		fmt.Printf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":%q%s}}}`+"\n", kind, rest)
	}
	var server msg.MCPServer
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		m, _ := msg.Look(in.Bytes())
		result := `{}`
		switch m.Method {
		case msg.MethodInitialize:
			result = `{"protocolVersion":1,"agentCapabilities":{"promptCapabilities":{"embeddedContext":true}},"agentInfo":{"name":"@vendor/claude-agent","version":"1"}}`
		case msg.MethodNew, msg.MethodLoad:
			var p msg.NewSession
			if json.Unmarshal(m.Params, &p) != nil || len(p.MCPServers) != 1 {
				panic("no server was handed in: " + in.Text())
			}
			server, result = p.MCPServers[0], `{"sessionId":"s"}`
		case msg.MethodPrompt:
			var p msg.Prompt
			if err := json.Unmarshal(m.Params, &p); err != nil {
				panic(err)
			}
			heard := ""
			if p.Prompt[0].Resource != nil {
				heard = p.Prompt[0].Resource.Text
			}
			word, rest, _ := strings.Cut(p.Prompt[len(p.Prompt)-1].Text, " ")
			switch word {
			case "plan":
				update("plan", `,"entries":`+rest)
			case "mcp":
				if a.server == nil {
					for _, v := range server.Env {
						a.env = append(a.env, v.Name+"="+v.Value)
					}
					if err := a.connect(server.Command, server.Args...); err != nil {
						panic(err)
					}
				}
				heard = a.call(rest)
			case "wait":
				in.Scan()
			case "exit":
				os.Exit(len(rest))
			}
			text, _ := json.Marshal(heard)
			update("agent_message_chunk", `,"content":{"type":"text","text":`+string(text)+`}`)
			result = `{"stopReason":"end_turn"}`
		}
		if m.ID != nil {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
		}
	}
}

// anEditor starts the agent behind a proxy, with a session by a method.
func anEditor(t *testing.T, h home, method string) *client {
	t.Helper()
	agent := filepath.Join(h.bin, "acp-agent")
	if err := os.Link(filepath.Join(h.bin, "pawl"), agent); err != nil && !errors.Is(err, os.ErrExist) {
		t.Skip("the program cannot have another name here: ", err)
	}
	c := speak(t, h.pawl(t, []string{patient + "=1"}, "acp", "--", agent), "")
	c.ask("initialize", `{"protocolVersion":1}`)
	c.ask(method, fmt.Sprintf(`{"cwd":%q,"sessionId":"s","mcpServers":[]}`, filepath.Join(h.dir, "project")))
	return c
}

// prompts has the agent do something, in a turn with an id.
func (c *client) prompts(id, text string) {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":%q}]}}`, id, text))
}

func (h home) todos(t *testing.T) string { return h.run(t, "todo", "--session", "s") }

// The server that the proxy hands in writes the session's list, the editor sees it and what
// a person changes while the turn runs, and the agent hears of that with its next prompt.
func TestProxy(t *testing.T) {
	h := newHome(t)
	c := anEditor(t, h, "session/new")
	c.prompts("w", `mcp todo_write {"todos":[{"content":"Parse","status":"in_progress"},{"content":"Test"}]}`)
	c.next(`"entries":[{"content":"Parse","priority":"medium","status":"in_progress"},{"content":"Test",`)
	c.next(`"stopReason":"end_turn"`)
	c.next(`"name":"pawl-continue"`)
	contains(t, h.todos(t), "Parse", "Test")

	c.prompts("x", `wait`)
	h.run(t, "todo", "add", "Ship", "--session", "s")
	c.next(`{"content":"Ship",`)
	c.send(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`)
	c.next(`"id":"x"`)
	c.prompts("y", `listen`)
	contains(t, c.next("agent_message_chunk"), "Ship", "From Pawl")
	c.prompts("m", `mcp task_create {"subject":"Deploy"}`)
	c.prompts("m", `mcp task_claim {}`)
	c.prompts("p", `plan [{"content":"Parse","status":"completed"},{"content":"Test","status":"completed"},{"content":"Ship","status":"completed"}]`)
	c.next(`"content":"#1 Deploy"`)
	must.Do(t, c.end())
}

// What the editor was shown is there when the proxy and the agent are killed, and is given
// back to the agent of the next one.
func TestProxyKilled(t *testing.T) {
	h := newHome(t)
	c := anEditor(t, h, "session/new")
	c.prompts("x", `plan [{"content":"Parse","status":"completed"},{"content":"Test","status":"in_progress"}]`)
	c.next(`"content":"Test"`)
	must.Do(t, c.cmd.Process.Kill())
	for range c.lines { // until the agent has ended, too
	}
	contains(t, h.todos(t), "Parse", "Test")

	c = anEditor(t, h, "session/load")
	c.next(`"content":"Test"`)
	c.prompts("y", `listen`)
	contains(t, c.next("agent_message_chunk"), "pawl-recovery", "Test")
	c.prompts("z", `listen again`)
	if again := c.next("agent_message_chunk"); strings.Contains(again, "recovery") {
		t.Errorf("a second prompt has %s", again)
	}
	c.prompts("x", `exit 1234567`)
	for range c.lines {
	}
	if code := exitCode(c.cmd.Wait()); code != 7 {
		t.Errorf("the exit code is %d", code)
	}
}

// Where the agent has hooks, these alone give it its plan and mirror its list.
func TestProxyAndHooks(t *testing.T) {
	h := newHome(t)
	h.run(t, "todo", "add", "Parse", "--session", "s")
	c := anEditor(t, h, "session/load")
	event := fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"SessionStart","source":"resume"}`, filepath.Join(h.dir, "project"))
	cmd := h.pawl(t, []string{patient + "=1"}, "hook", "--agent", "claude")
	cmd.Stdin = strings.NewReader(event)
	contains(t, string(must.Get(cmd.Output())(t)), "Parse")
	c.prompts("y", `listen`)
	if heard := c.next("agent_message_chunk"); strings.Contains(heard, "Parse") {
		t.Errorf("it hears it twice: %s", heard)
	}
	c.prompts("z", `plan [{"content":"Other","status":"pending"}]`)
	for line := c.next(`"`); !strings.Contains(line, `"id":"z"`); line = c.next(`"`) {
		if strings.Contains(line, "Other") || strings.Contains(line, "pawl-continue") {
			t.Errorf("the proxy mirrors or continues, too: %s", line)
		}
	}
	if list := h.todos(t); strings.Contains(list, "Other") {
		t.Errorf("the list is %s", list)
	}
	must.Do(t, c.end())
}

// A proxy behind another one passes on only.
func TestProxyBehindProxy(t *testing.T) {
	h := newHome(t)
	c := speak(t, h.pawl(t, []string{"PAWL_ACP=ticket"}, "acp", "--", must.Get(exec.LookPath("cat"))(t)), "")
	line := `{"id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`
	c.send(line)
	if got := c.next(""); got != line {
		t.Errorf("it became %s", got)
	}
	must.Do(t, c.end())
}

// An agent that goes on without its editor is ended.
func TestProxyEndsTheAgent(t *testing.T) {
	h := newHome(t)
	c := speak(t, h.pawl(t, nil, "acp", "--", must.Get(exec.LookPath("sleep"))(t), "3600"), "")
	if err := c.end(); exitCode(err) == 0 {
		t.Errorf("it ended with %v", err)
	}
}
