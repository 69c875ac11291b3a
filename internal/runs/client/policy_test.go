package client

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestPermits(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(dir, "sub", ".git"), 0o755))
	must.Do(t, os.Symlink(other, filepath.Join(dir, "away")))
	must.Do(t, os.Symlink(filepath.Join(other, "none"), filepath.Join(dir, "nowhere")))
	c := &client{Order: Order{Tools: "mcp_pawl_"}, Place: Place{Dir: dir}}
	at := func(kind string, paths ...string) string {
		var all []map[string]string
		for _, path := range paths {
			all = append(all, map[string]string{"path": path})
		}
		return string(agent.JSON(map[string]any{"kind": kind, "locations": all}))
	}
	for text, want := range map[string]bool{
		at("edit", filepath.Join(dir, "a.go")): true,
		at("edit", "sub/new/a.go"):             true,
		at("read", dir):                        true,
		at("edit"):                             false,
		at("edit", filepath.Join(dir, "a.go"), "/etc/passwd"): false,
		at("edit", filepath.Join(dir, "..", "a.go")):          false,
		at("edit", "away/a.go"):                               false,
		at("edit", "nowhere"):                                 false,
		at("edit", ".git"):                                    false,
		at("edit", "sub/.git/hooks/x"):                        false,
		at("delete", filepath.Join(dir, "a.go")):              false,
		at("execute", filepath.Join(dir, "a.go")):             false,
		at("fetch"): false,
		`{"kind":"other","toolCallId":"mcp_pawl_claim__1"}`:           true,
		`{"kind":"other","_meta":{"toolName":"mcp_pawl_claim"}}`:      true,
		`{"kind":"other","title":"mcp_pawl_claim"}`:                   false,
		`{"kind":"execute","toolCallId":"mcp_pawl_claim__1"}`:         false,
		`{"kind":"other","toolCallId":"mcp_other_claim__mcp_pawl_x"}`: false,
		`{}`: false,
	} {
		var k call
		must.Do(t, json.Unmarshal([]byte(text), &k))
		if got := c.permits(&k); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if c.Skip = true; !c.permits(&call{}) {
		t.Error("a person lets it do everything, and it may not")
	}
}

func FuzzUpdate(f *testing.F) {
	for _, name := range []string{"gemini", "qwen-todo", "copilot", "opencode", "claude-todos"} {
		for line := range bytes.Lines(must.Get(os.ReadFile(filepath.Join("..", "..", "acp", "testdata", name+".jsonl")))(f)) {
			f.Add([]byte(acp.Field(acp.Field(line, "message"), "params")))
		}
	}
	f.Fuzz(func(t *testing.T, params []byte) {
		var out bytes.Buffer
		c := &client{Place: Place{Dir: t.TempDir(), Out: &out}, calls: map[string]call{}, works: true}
		c.update(params)
		c.answer(&acp.Message{ID: json.RawMessage("1"), Method: acp.MethodPermission, Params: params})
		for line := range bytes.Lines(out.Bytes()) {
			if s := agent.Heard(line); strings.ContainsAny(s.Doing+s.Refused, "\n\x1b") || len([]rune(s.Doing)) > 200 {
				t.Errorf("%q", line)
			}
		}
	})
}
