package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// maxTools is what the list of tools may cost, in bytes: it stands in each
// prompt of each agent.
const maxTools = 4_500

// maxWords is the same for the instructions.
const maxWords = 150

// What each client is told at the start, as one of the handshake gets it.
func TestStartIsSmall(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	server := newServer(query.Local(board), todo.New(todomem.New(), time.Now))
	defer server.Close()
	c := connect(t, server)
	defer c.leave()
	hello := c.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "ada", "version": "1"}})
	var said struct{ Instructions string }
	must.Do(t, json.Unmarshal(hello, &said))
	if n := len(strings.Fields(said.Instructions)); n == 0 || n >= maxWords {
		t.Errorf("the instructions have %d words: %s", n, said.Instructions)
	}
	answer := c.ask("tools/list", nil)
	if n := len(answer) + len(`{"jsonrpc":"2.0","id":1000,"result":}`); n > maxTools {
		t.Errorf("the list of tools takes %d bytes, and at most %d are good", n, maxTools)
	}
	var list struct {
		Tools []struct {
			Name, Description string
			Annotations       map[string]bool
		}
	}
	if err := json.Unmarshal(answer, &list); err != nil || len(list.Tools) == 0 || len(list.Tools) > 8 {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	tools := list.Tools
	for i, one := range tools {
		if one.Description == "" || len(one.Annotations) == 0 {
			t.Errorf("%s: description %q, annotations %v", one.Name, one.Description, one.Annotations)
		}
		if i > 0 && strings.Compare(tools[i-1].Name, one.Name) >= 0 {
			t.Errorf("%s comes after %s", one.Name, tools[i-1].Name)
		}
	}
}
