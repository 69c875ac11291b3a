package mcpserver_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// A client that subscribes before its session is known is told of the list of
// that session once it is, and not for ever of the one that it had before.
func TestFollowsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var session atomic.Value
		session.Store("early")
		todos := todo.New(todomem.New(), time.Now)
		server := mcpserver.New(mcpserver.Options{
			Tools: tool.New(tool.Options{Todos: todos}), Todos: todos,
			Who: func(context.Context, mcpserver.Call) (tool.Caller, error) {
				return tool.Caller{Actor: pawl.Actor{Name: "ada", Session: session.Load().(string)}}, nil
			},
		})
		defer server.Close()
		here, there := mcp.NewInMemoryTransports()
		connected := must.Get(server.MCP().Connect(t.Context(), there, nil))(t)
		defer connected.Close()
		told := 0
		client := must.Get(mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			ResourceUpdatedHandler: func(context.Context, *mcp.ResourceUpdatedNotificationRequest) { told++ },
		}).Connect(t.Context(), here, nil))(t)
		defer client.Close()
		must.Do(t, client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "pawl://todos"}))
		write := func(list string) {
			t.Helper()
			draft := must.Get(todo.Decode([]byte(list), false))(t)
			must.Get(todos.Write(t.Context(), todo.Key{Session: "real"}, draft, todo.Writing{}))(t)
			time.Sleep(2 * time.Second)
			synctest.Wait()
		}
		write(`[{"content":"A","status":"pending"}]`)
		if told != 0 {
			t.Errorf("told %d times of a list of another session", told)
		}
		session.Store("real")
		write(`[{"content":"B","status":"pending"}]`)
		if told == 0 {
			t.Error("not told of the list that is read now")
		}
		told = 0
		write(`[{"content":"C","status":"pending"}]`)
		if told != 1 {
			t.Errorf("told %d times of one change", told)
		}
	})
}
