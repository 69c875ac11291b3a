package mcpserver_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/tool"
)

// A person who shortens the lease while a server runs takes no claim from it:
// the next renewal comes as soon as the new lease needs it.
func TestShorterLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := pawl.NewBoard(memory.New())
		defer board.Close()
		var lease atomic.Int64
		lease.Store(int64(15 * time.Minute))
		o := tool.Options{
			Board: tool.OneBoard(board),
			Settings: func(context.Context, string) tool.Settings {
				return tool.Settings{Lease: time.Duration(lease.Load())}
			},
		}
		server := mcpserver.New(mcpserver.Options{
			Tools: tool.New(o), Board: o.Board, Settings: o.Settings,
			Who: func(context.Context, mcpserver.Call) (tool.Caller, error) {
				return tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}, nil
			},
		})
		defer server.Close()
		here, there := mcp.NewInMemoryTransports()
		connected := must.Get(server.MCP().Connect(t.Context(), there, nil))(t)
		defer connected.Close()
		client := must.Get(mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil))(t)
		defer client.Close()
		call := func(name string, args map[string]any) string {
			t.Helper()
			r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
			if err != nil || r.IsError {
				t.Fatalf("%s: %+v, %v", name, r, err)
			}
			return r.Content[0].(*mcp.TextContent).Text
		}
		call("task_create", map[string]any{"subject": "A"})
		time.Sleep(time.Second)
		lease.Store(int64(time.Minute))
		call("task_claim", nil)
		time.Sleep(4 * time.Minute)
		if text := call("task_list", nil); !strings.Contains(text, "[>] #1 A @ada") {
			t.Errorf("the claim is lost:\n%s", text)
		}
	})
}
