package mcpserver_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// Server and client in one process.
func Example() {
	ctx := context.Background()
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	o := tool.Options{Board: tool.OneBoard(board), Todos: todo.New(todomem.New(), time.Now)}
	server := mcpserver.New(mcpserver.Options{
		Tools: tool.New(o), Board: o.Board, Todos: o.Todos,
		Who: func(_ context.Context, call mcpserver.Call) (tool.Caller, error) {
			return tool.Caller{Actor: pawl.Actor{Name: call.Client.Name, Session: "s1"}}, nil
		},
	})
	defer server.Close()

	here, there := mcp.NewInMemoryTransports()
	if _, err := server.MCP().Connect(ctx, here, nil); err != nil {
		log.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "ada"}, nil).Connect(ctx, there, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	for t, err := range client.Tools(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(t.Name)
	}
	for _, call := range []*mcp.CallToolParams{
		{Name: "task_create", Arguments: map[string]any{"subject": "Write the parser"}},
		{Name: "task_update", Arguments: map[string]any{"taskId": 2, "status": "completed"}},
	} {
		result, err := client.CallTool(ctx, call)
		if err != nil {
			log.Fatal(err) // the call did not get through; what a tool refuses is a result
		}
		fmt.Println(result.IsError, result.Content[0].(*mcp.TextContent).Text)
	}
	// Output:
	// task_claim
	// task_create
	// task_get
	// task_list
	// task_update
	// todo_pause
	// todo_read
	// todo_write
	// false Created #1 Write the parser (ready)
	// true task #2 does not exist on this board
	// Next: task_list {}
}
