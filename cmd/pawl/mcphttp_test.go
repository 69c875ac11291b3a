package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/todo"
)

// TestWhoOverHTTP: who calls is what the call, a hook or the connection says, and
// nothing of the process that serves.
func TestWhoOverHTTP(t *testing.T) {
	for _, v := range []string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "PAWL_AGENT", "PAWL_SESSION"} {
		t.Setenv(v, "outer")
	}
	state := t.TempDir()
	who := whoOverHTTP("/project", state)
	ticket := attribution.Ticket{Process: "agent-1.2.3", Tool: "mcp__pawl__todo_read", ToolUse: "toolu_1", Session: "real", Agent: "reviewer"}
	must.Do(t, (attribution.Notes{Dir: state}).Leave(ticket))
	claude := mcpserver.Client{Name: "claude-code"}
	for _, c := range []struct {
		name string
		call mcpserver.Call
		want pawl.Actor
	}{
		{"a connection", mcpserver.Call{Client: claude, HTTP: "ABC"}, pawl.Actor{Name: "claude", Session: "http-b5d4045c3f466fa9"}},
		{"another one", mcpserver.Call{Client: claude, HTTP: "ABD"}, pawl.Actor{Name: "claude", Session: "http-69f0fb8cb1d21953"}},
		{"no connection", mcpserver.Call{Client: claude}, pawl.Actor{Name: "claude", Session: "http-claude"}},
		{"no name", mcpserver.Call{}, pawl.Actor{Name: "agent", Session: "http-agent"}},
		{"a long name", mcpserver.Call{Client: mcpserver.Client{Name: strings.Repeat("x", 150)}}, pawl.Actor{Name: "agent", Session: "http-agent"}},
		{"Codex", mcpserver.Call{Client: mcpserver.Client{Name: "codex-mcp-client"}, HTTP: "ABC", Meta: map[string]any{"sessionId": "s1", "threadId": "t1"}}, pawl.Actor{Name: "codex", Session: "s1", Agent: "t1"}},
		{"Pawl's own words", mcpserver.Call{Client: claude, HTTP: "ABC", Meta: map[string]any{"pawl/session": "s1", "pawl/agent": "a"}}, pawl.Actor{Name: "claude", Session: "s1", Agent: "a"}},
		{"a hook", mcpserver.Call{Tool: "todo_read", Client: claude, Meta: map[string]any{"claudecode/toolUseId": "toolu_1"}}, pawl.Actor{Name: "claude", Session: "real", Agent: "reviewer"}},
	} {
		by, err := who(t.Context(), c.call)
		if err != nil || by.Actor != c.want || by.Project != "/project" {
			t.Errorf("%s: %+v, %v", c.name, by, err)
		}
	}
}

// TestHostileSessions: whatever a client calls its session, its list is a file in
// the folder of the lists.
func TestHostileSessions(t *testing.T) {
	home := t.TempDir()
	state := filepath.Join(home, "a", "state")
	todos := must.Get(lists(filepath.Join(state, "todos")))(t)
	who := whoOverHTTP("/project", state)
	draft := must.Get(todo.Decode(json.RawMessage(`[{"content":"A","status":"pending"}]`), false))(t)
	names := []string{"../../out", "/etc/out", `..\..\out`, "a/../../../out", "CON", "out.", "~", "C:\\out", strings.Repeat("é", 200), "."}
	for _, name := range names {
		for _, call := range []mcpserver.Call{
			{Meta: map[string]any{"pawl/session": name, "pawl/agent": name}},
			{Client: mcpserver.Client{Name: name}},
			{HTTP: name},
		} {
			by := must.Get(who(t.Context(), call))(t)
			if _, err := todos.Write(t.Context(), by.Key(), draft, todo.Writing{}); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
	files := 0
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files++
			if in, err := filepath.Rel(state, path); err != nil || !filepath.IsLocal(in) {
				t.Errorf("there is a file %s", path)
			}
		}
		return err
	})
	if err != nil || files < 2*len(names) {
		t.Errorf("only %d files, %v", files, err)
	}
}
