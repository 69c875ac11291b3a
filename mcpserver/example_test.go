package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// A program serves its own board to an agent, in its own process.
func Example() {
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	todos := todo.New(todomem.New(), time.Now)
	o := tool.Options{Board: tool.OneBoard(board), Todos: todos}
	server := mcpserver.New(mcpserver.Options{
		Tools: tool.New(o), Board: o.Board, Todos: todos,
		Who: func(context.Context, mcpserver.Call) (tool.Caller, error) {
			return tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}, nil
		},
	})
	defer server.Close()

	// In earnest these are standard input and output.
	in := io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"agent","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_create","arguments":{"subject":"Write tests"}}}
`))
	if err := server.Lines(context.Background(), in, silent{io.Discard}); err != nil {
		fmt.Println(err)
	}

	tasks, err := board.Get(context.Background(), 1)
	fmt.Println(tasks[0].ID, tasks[0].Subject, err)
	// Output: #1 Write tests <nil>
}

// silent is an output that nobody reads.
type silent struct{ io.Writer }

func (silent) Close() error { return nil }
